"""Text in, shorter text out, as a task, in whatever language the masked language model knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

from rerank.analysis import Analyzer
from rerank.likelihood import Caution
from rerank.masked.base import MaskedModel
from rerank.masked.registry import create_masked_model, parse_masked_name
from rerank.scorer import Context, Scorer
from rerank.types import Candidate, FloatArray
from rewrite.compression.compression_options import CompressOptions
from rewrite.compression.deleter import Deleter
from rewrite.compression.protection import places_of
from rewrite.compression.stages import stages
from rewrite.compression.word_analysis import WordAnalyzer, count_words, is_word, language_of, sentences_of, skip_reason
from rewrite.errors import BadOption
from rewrite.layout import LIST_MARK, Layout
from rewrite.pipeline import Pipeline
from rewrite.requested_scorers import masked
from rewrite.result import Result, SentenceResult
from rewrite.task import Bench, Pool, Task
from rewrite.task_options import MASKED_COMPONENTS


class Removal(NamedTuple):
    """Words that were cut in the round `round`, from 1, at that `distance` from what they were compared with."""

    text: str
    round: int
    distance: float


@dataclass(frozen=True)
class CompressedSentence(SentenceResult):
    """One sentence: its text now, the words it had and has, and what went."""

    def text_at(self, rank: int) -> str:
        """The choice at `rank`: of two sentences the one that has fewer stands as it was in the longer texts."""
        return self.choices[rank].text if rank < len(self.choices) else self.source

    @property
    def words(self) -> int:
        """Words of the source, punctuation not counted."""
        counted = self.choices[0].candidate.source_tokens if self.choices else None
        return count_words(self.source, self.language) if counted is None else counted

    @property
    def kept(self) -> int:
        """Words that are left."""
        counted = self.choices[0].candidate.tokens if self.choices else None
        return count_words(self.text, self.language) if counted is None else counted

    @property
    def ratio(self) -> float:
        """The share of words kept, in (0, 1]."""
        return self.kept / self.words if self.words else 1.0

    @property
    def removals(self) -> tuple[Removal, ...]:
        """What was cut, in order."""
        return tuple(Removal(*cut) for cut in self.choices[0].candidate.cuts) if self.choices else ()


@dataclass(frozen=True, repr=False)
class Compression(Result):
    """A compressed text; `str(result)` is the text."""

    sentence_class: ClassVar[type[SentenceResult]] = CompressedSentence
    sentences: tuple[CompressedSentence, ...]
    options: CompressOptions

    @property
    def words(self) -> int:
        return sum(sentence.words for sentence in self.sentences)

    @property
    def kept(self) -> int:
        return sum(sentence.kept for sentence in self.sentences)

    @property
    def ratio(self) -> float:
        """The share of words kept, punctuation not counted; 1 for a text without words."""
        return self.kept / self.words if self.words else 1.0

    def row(self, *, limit: int | None = None) -> dict[str, Any]:
        """The result as plain data, one row of the JSONL output."""
        row: dict[str, Any] = {
            "source": self.source,
            "text": self.text,
            "ratio": self.ratio,
            "words": self.words,
            "kept": self.kept,
            "candidates": [{"text": text} for text in self.n_best[:limit]],
            "signature": self.signature,
        }
        if len(self.sentences) > 1:
            row["sentences"] = [
                {"source": sentence.source, "text": sentence.text, "ratio": sentence.ratio, **_account(sentence)}
                for sentence in self.sentences
            ]
        elif self.sentences:
            row.update(_account(self.sentences[0]))
        return row


def _account(sentence: CompressedSentence) -> dict[str, Any]:
    account = {
        "cuts": [cut._asdict() for cut in sentence.removals],
        "skipped": "" if sentence.error else sentence.skipped,
        "error": sentence.error,
    }
    return {name: value for name, value in account.items() if value or (name == "cuts" and not account["skipped"])}


_FLOOR = 1e-9
_WORD = re.compile(r"\w+")
_SHORTEST = MappingProxyType({"ratio": 1.0, "caution": 0.0})
COMPRESS_PRESETS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "balanced": _SHORTEST,
        # Stops where what is cut next changes more than it shortens.
        "accurate": MappingProxyType({"ratio": 1.0, "caution": 0.3}),
        # No text on the way is shorter than the one that `balanced` takes.
        "simple": _SHORTEST,
    }
)
"""Presets under the names that those of `rewrite simplify` have."""


class Ratio:
    """One less the share of the source's words that a candidate keeps: the shorter, the better. Range [1e-9, 1].

    Where the generator has counted the words of both (`tokens` and `source_tokens`), its count is taken. How short a
    text should be is the generator's to know: it offers none far below what was asked for.
    """

    name = "ratio"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def signature(self) -> str:
        return "ratio:1"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        shares = [_share(source, candidate, context.analyzer) for candidate in candidates]
        values: FloatArray = (1.0 - np.array(shares, dtype=np.float64)).clip(_FLOOR, 1.0)
        return values


def _share(source: str, candidate: Candidate, analyzer: Analyzer) -> float:
    kept, whole = candidate.tokens, candidate.source_tokens
    if kept is None or not whole:
        analyses = analyzer.analyze([candidate.text, source])
        kept, whole = (sum(is_word(token.text) for token in analysis.tokens) for analysis in analyses)
    return kept / max(1, whole)


def _scorers(options: CompressOptions, asked: frozenset[str]) -> tuple[Scorer, ...]:
    # A name that stands for no model is told before the first text.
    parse_masked_name(options.masked_model)
    return (Ratio(), Caution(), *masked(options.masked_model, [name for name in MASKED_COMPONENTS if name in asked]))


def _is_cut(pools: Sequence[Pool]) -> list[list[str]]:
    """The guard against what is no compression: words of a candidate that its source has not, or in another order."""

    def cut(source: str, text: str) -> bool:
        rest = iter(_WORD.findall(source.casefold()))
        return all(word in rest for word in _WORD.findall(text.casefold()))

    return [["" if cut(source, c.text) else "not made by cutting" for c in pool] for source, pool in pools]


def compress_bench(
    options: CompressOptions, language: str, analyzer: Analyzer | None = None, model: MaskedModel | None = None
) -> Bench:
    """What compressing works with in one of `rerank.masked.words.LANGUAGES`."""

    def deleter(*_: object) -> Deleter:
        span_stages = stages(
            language,
            syntax=options.syntax,
            exact=options.goal is None,
            names=options.keep_entities,
            longest=options.longest,
            analyzer=analyzer,
            careful=options.careful,
        )
        chosen = model or create_masked_model(options.masked_model, language=language, device=options.device)
        return Deleter(options, chosen, span_stages, language=language)

    return Bench(analyzer=WordAnalyzer(language), makers={"cuts": deleter}, facts=(_is_cut,))


def _layout(line: str, language: str) -> Layout:
    """The sentences of a line; the mark of a list before them is none of their words."""
    mark = LIST_MARK.match(line)
    start = mark.end() if mark else 0
    layout = sentences_of(line[start:], language)
    return replace(layout, gaps=(line[:start] + layout.gaps[0], *layout.gaps[1:]))


COMPRESS = Task(
    result=Compression,
    presets=COMPRESS_PRESETS,
    language=lambda text, options: language_of(text, options.told_language),
    layout=_layout,
    skip=skip_reason,
    scorers=_scorers,
    on_request=MASKED_COMPONENTS,
    bench=compress_bench,
)


class Compressor(Pipeline):
    """Compresses texts as `options` say; build it once for many texts.

    `model` replaces the one that the options name, `analyzers` the parsers by language. Nothing is loaded before the
    first text of a language. Work is batched over all sentences of a call. Raises `UnknownName` for a name that stands
    for no model.
    """

    options: CompressOptions

    def __init__(
        self,
        options: CompressOptions | None = None,
        *,
        model: MaskedModel | None = None,
        analyzers: Mapping[str, Analyzer] | None = None,
    ) -> None:
        chosen, given = options or CompressOptions(), analyzers or {}
        super().__init__(chosen, bench=lambda language: compress_bench(chosen, language, given.get(language), model))

    def stream(self, texts: Iterable[str], batch: int = 32) -> Iterator[Compression]:
        """As `Pipeline.stream`."""
        return cast("Iterator[Compression]", super().stream(texts, batch))

    def run(self, texts: Iterable[str]) -> list[Compression]:  # type: ignore[override]  # its results are compressions
        """One result per text, in order. A text is a sentence or a paragraph, compressed sentence by sentence.

        Sentences that the model cannot read come back as they are, with an error in their result. So do those all in
        capitals, and those whose language was guessed and has no bundled model, or no parser where an option needs one.
        Raises the error of a model or parser that cannot be loaded, and `BadOption` for an option that the language of
        the texts, where it was given, has no use for.
        """
        return cast("list[Compression]", super().run(texts))


def missing_words(keep: Sequence[str], texts: Sequence[str], given: str | None = None) -> list[str]:
    """The protected words that are in none of `texts`; `given` is their language where known."""
    places = [(text, language_of(text, given)) for text in texts]
    return [word for word in keep if not any(places_of(word, *place) for place in places)]


def require_kept(keep: Sequence[str], texts: Sequence[str], given: str | None = None) -> None:
    """Raise `BadOption` for a protected word that is in none of `texts`."""
    for word in missing_words(keep, texts, given):
        raise BadOption(
            f"--keep {word}: there is no such word in the text.",
            hint="Write it as in the text; case does not matter.",
        )
