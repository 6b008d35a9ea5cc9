"""Text in, shorter text out, as a task, in whatever language the masked language model knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

import numpy as np

from rerank.analysis import Analyzer
from rerank.likelihood import Caution
from rerank.masked.base import MaskedModel
from rerank.masked.registry import create_masked_model, parse_masked_name
from rerank.scorer import Context, Scorer
from rerank.types import Candidate, FloatArray
from rewrite.compression.analyzer import WordAnalyzer, is_word
from rewrite.compression.deleter import Deleter
from rewrite.compression.options import CompressOptions
from rewrite.compression.protection import places_of
from rewrite.compression.result import Compression
from rewrite.compression.sentences import language_of, sentences_of, skip_reason
from rewrite.compression.stages import stages
from rewrite.errors import BadOption
from rewrite.generators import create_generator
from rewrite.pipeline import Pipeline
from rewrite.scorers import masked
from rewrite.specs import MASKED_COMPONENTS
from rewrite.task import Bench, Pool, Task

__all__ = ["COMPRESS", "Compressor", "Ratio", "missing_words", "require_kept"]

_FLOOR = 1e-9
_PRESETS = MappingProxyType({"balanced": MappingProxyType({"ratio": 1.0})})


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
    return (Ratio(), Caution(), *masked(options.masked_model, [name for name in MASKED_COMPONENTS if name in asked]))


def _is_cut(pools: Sequence[Pool]) -> list[list[str]]:
    """The guard against what another task has recorded."""
    return [["" if c.generator == Deleter.name else "not made by cutting" for c in pool] for _, pool in pools]


def compress_bench(
    options: CompressOptions, language: str, analyzer: Analyzer | None = None, model: MaskedModel | None = None
) -> Bench:
    """What compressing works with in one of `rerank.masked.words.LANGUAGES`."""

    def deleter() -> Deleter:
        found = stages(
            language,
            syntax=options.syntax,
            exact=options.goal is None,
            names=options.keep_entities,
            longest=options.longest,
            analyzer=analyzer,
            careful=options.careful,
        )
        chosen = model or create_masked_model(options.masked_model, language=language, device=options.device)
        return Deleter(options, chosen, found, language=language)

    words = WordAnalyzer(language)
    return Bench(
        analyzer=words,
        draw=lambda: create_generator(options.specs, analyzer=words, own={"cuts": deleter}),
        facts=(_is_cut,),
    )


COMPRESS = Task(
    result=Compression,
    presets=_PRESETS,
    language=lambda text, options: language_of(text, options.lang),
    layout=sentences_of,
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
        chosen = options or CompressOptions()
        if model is None:
            parse_masked_name(chosen.masked_model)
        given = analyzers or {}
        super().__init__(chosen, bench=lambda language: compress_bench(chosen, language, given.get(language), model))

    def run(self, texts: Sequence[str]) -> list[Compression]:  # type: ignore[override]  # its results are compressions
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
