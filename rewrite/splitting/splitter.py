"""English text in, shorter sentences out, as a task: candidates from a small model, chosen by weights."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from rerank.analysis import Analyzer
from rerank.english import EnglishAnalyzer
from rerank.likelihood import Caution, Consensus, Likelihood
from rerank.masked.words import guess_language
from rerank.scorer import Scorer
from rerank.structure import Brevity, Splits
from rerank.types import Candidate
from rewrite.acceptance.english_texts import EnglishTextReader
from rewrite.acceptance.text_acceptance import TextCaution
from rewrite.acceptance.text_features import is_drawn
from rewrite.compression.sentences import WordAnalyzer, sentences_of
from rewrite.drawing import Drawing
from rewrite.generators import create_generator
from rewrite.generators.base import Generator, Sampling
from rewrite.layout import Layout, one_line
from rewrite.pipeline import Pipeline
from rewrite.plain_english import form_guard
from rewrite.result import Result, SentenceResult
from rewrite.scorers import ON_REQUEST, fluency, requested
from rewrite.splitting.acceptance import acceptance_signature
from rewrite.splitting.guard import check
from rewrite.splitting.model import SplitModel
from rewrite.splitting.options import SplitOptions
from rewrite.splitting.search import Search, Wanted
from rewrite.splitting.triples.generate import Generator as TemplateWriter
from rewrite.splitting.triples.generate import check_sentences, strangers
from rewrite.splitting.triples.templates import load_templates, signature
from rewrite.splitting.triples.triple import GivenTriples, Triple, check_count, triples_of
from rewrite.splitting.wholeness import SentenceJudge
from rewrite.splitting.words import read_words, sentence_analyzer
from rewrite.task import Bench, Pool, Task

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_WORD = re.compile(r"[^\W\d_]+")
# A stop before a number ends no sentence after these: *No. 5*, *vol. 2*, *pp. 3–9*.
_COUNTED = re.compile(r"\b(?:nos?|vols?|figs?|secs?|arts?|chs?|pp?|pts?|eds?|approx|ca|c)\.$", re.IGNORECASE)
# A stop before a name ends none after these.
_TITLES = re.compile(r"\b(?:Fr|Br|Msgr|Cpl|Pvt)\.$")
_ABBREVIATED = re.compile(r"\b[A-Z][A-Za-z]?\w{0,2}\.$")
_NUMBER = re.compile(r"[\d#£$€(]*\d|[IVXLC]+\b")
_FEWEST = 6
_KEPT = "it needs no split"
_REMEMBERED = 4_000
_LONGEST_LIMIT = 12


def _weights(splits: float, length: float) -> Mapping[str, float]:
    others = {"likelihood": 0.25, "consensus": 2.0, "caution": 5.0}
    return MappingProxyType({"splits": splits, "length": length, **others})


# What a chance of passing must be for a split of a sentence that is short enough already: e^(−splits/caution).
SPLIT_PRESETS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "balanced": _weights(splits=4.5, length=1.5),
        # Splits where it is plain how, and leaves the rest alone.
        "accurate": _weights(splits=1.0, length=0.3),
        # Splits whatever can be.
        "simple": _weights(splits=9.0, length=3.0),
    }
)
"""Presets under the names that those of `rewrite simplify` have."""


@dataclass(frozen=True)
class Splitting(Result):
    """A split text. `str(splitting)` is the text with a space between its sentences.

    The candidates in its tables have a sentence on each line.
    """

    options: SplitOptions

    @property
    def text(self) -> str:
        """The best split, in one line."""
        return self.layout.join(tuple(sentence.text.replace("\n", " ") for sentence in self.sentences))

    @property
    def n_best(self) -> tuple[str, ...]:
        """Splits of the whole text, best first, each in one line."""
        return tuple(text.replace("\n", " ") for text in super().n_best)

    def row(self, *, limit: int | None = None) -> dict[str, Any]:
        """The result as plain data, one row of the JSONL output.

        `split` holds the sentences; `kept` the sentences of the source that stand as they were, each with the reason.
        """
        row = super().row(limit=limit)
        for part in row.get("sentences", [row]):
            if part.get("error"):
                part.pop("skipped", None)  # it says the same
        kept = {s.source: s.skipped or s.error or _KEPT for s in self.sentences if s.text == s.source}
        found: dict[str, Any] = {"source": row.pop("source"), "text": row.pop("text"), "split": list(self.lines)}
        return found | ({"kept": kept} if kept else {}) | row


class SplitGenerator:
    """The splits that a small model finds, each sentence of a candidate on a line. Nothing is loaded before the first.

    `sentences` and `max_words` are what is wanted; `model` and `analyzer` replace the bundled ones.
    """

    name = "splitter"

    def __init__(
        self, model: SplitModel, analyzer: EnglishAnalyzer, *, sentences: int | None, max_words: int | None
    ) -> None:
        self._model, self._analyzer, self._judge = model, analyzer, SentenceJudge()
        self._search = Search(model, analyzer, Wanted(sentences, max_words), self._judge.probabilities)

    def describe(self) -> Mapping[str, object]:
        """The models at work."""
        return {
            "model": self._model.signature(),
            "parser": self._analyzer.signature,
            "judge": f"{acceptance_signature()}+{self._judge.signature()}",
        }

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """See `Generator.generate`; only `sampling.n` matters."""
        return self._search.run(sources, sampling.n) if sources else []


def _scorers(options: SplitOptions, asked: frozenset[str]) -> tuple[Scorer, ...]:
    caution = TextCaution(EnglishTextReader(_text_analyzer())) if options.draws_from_model else Caution()
    return (
        Splits(Wanted(options.sentences).target, at_least=options.sentences is None),
        Brevity(options.max_words or _LONGEST_LIMIT),
        Likelihood(),
        Consensus(),
        caution,
        *fluency(options, asked),
        *requested(options, asked),
    )


@lru_cache(maxsize=1)
def _text_analyzer() -> EnglishAnalyzer:
    """What reads texts of several sentences, as a language model draws them."""
    return EnglishAnalyzer(cache_size=_REMEMBERED)


def sentences_in(text: str) -> Layout:
    """The sentences of `text` and what stands between them; joining them again gives `text`."""
    found = sentences_of(text, "en")
    sentences: list[str] = []
    gaps = [found.gaps[0]]
    for sentence, gap in zip(found.sentences, found.gaps[1:], strict=True):
        if sentences and _goes_on(sentences[-1], sentence):
            sentences[-1] += gaps.pop() + sentence
        else:
            sentences.append(sentence)
        gaps.append(gap)
    return Layout(sentences=tuple(sentences), gaps=tuple(gaps))


def _goes_on(before: str, sentence: str) -> bool:
    """Whether the stop at the end of `before` is that of an abbreviation."""
    if sentence[:1] in ",;" or (before.endswith("Ph.") and sentence.startswith("D.")):
        return True
    if sentence[:1].islower() and _ABBREVIATED.search(before):
        return True
    if _TITLES.search(before):
        return sentence[:1].isupper()
    return bool(_COUNTED.search(before) and _NUMBER.match(sentence))


def _skip(sentence: str, language: str) -> str:
    if _CONTROL.search(sentence):
        return "control characters"
    words = len(_WORD.findall(sentence))
    return "" if words >= _FEWEST else f"fewer than {_FEWEST} words" if words else "no words"


def _sentence_lines(text: str) -> str:
    """A candidate with each of its sentences on a line, as a splitter writes it and a language model does not."""
    lines = text.split("\n") if "\n" in text.strip() else sentences_in(one_line(text)).sentences
    return "\n".join(filter(None, map(one_line, lines)))


def split_bench(
    options: SplitOptions, language: str, *, model: SplitModel | None = None, analyzer: EnglishAnalyzer | None = None
) -> Bench:
    """What splitting works with; `model` and `analyzer` replace the bundled ones."""
    model = model or SplitModel(None if options.model == "bundled" else Path(options.model))
    analyzer = analyzer or sentence_analyzer()

    def draw() -> Generator:
        splitter = partial(SplitGenerator, model, analyzer, sentences=options.sentences, max_words=options.max_words)
        return create_generator(
            options.specs,
            analyzer=Analyzer(),
            options=options,
            task="split",
            language=language,
            own={"splitter": splitter},
        )

    def facts(pools: Sequence[Pool]) -> list[list[str]]:
        parsed = read_words([source for source, _ in pools], analyzer)
        # What templates write is checked against the triples instead.
        return [
            [
                "" if c.generator == "templates" else "; ".join(v.message for v in check(words, c.text))
                for c in candidates
            ]
            for words, (_, candidates) in zip(parsed, pools, strict=True)
        ]

    def form(pools: Sequence[Pool]) -> list[list[str]]:
        # What others write is judged when it is proposed.
        drawn = [(source, [c for c in candidates if is_drawn(c)]) for source, candidates in pools]
        found = [iter(faults) for faults in form_guard(_text_analyzer())(drawn)]
        return [
            [next(faults) if is_drawn(c) else "" for c in candidates]
            for (_, candidates), faults in zip(pools, found, strict=True)
        ]

    forms = (form,) if options.draws_from_model else ()
    return Bench(analyzer=WordAnalyzer(language), draw=draw, facts=(facts,), form=forms)


SPLIT = Task(
    result=Splitting,
    presets=SPLIT_PRESETS,
    languages=("en",),
    language=lambda text, options: options.told_language or guess_language(text),
    layout=lambda text, language: sentences_in(text),
    skip=_skip,
    text=_sentence_lines,
    scorers=_scorers,
    on_request=ON_REQUEST,
    bench=lambda options, language, analyzer: split_bench(options, language),
)


class Splitter(Pipeline):
    """Splits English texts as `options` say; build it once for many texts.

    `model` and `analyzer` replace the bundled ones. Nothing is loaded before the first text. Work is batched over all
    sentences of a call. Raises `BadWeights`, `BadInput` (a preset that cannot be read) and `ModelNotFound` at once.
    """

    options: SplitOptions

    def __init__(
        self,
        options: SplitOptions | None = None,
        *,
        model: SplitModel | None = None,
        analyzer: EnglishAnalyzer | None = None,
    ) -> None:
        chosen = options or SplitOptions()
        made = split_bench(chosen, "en", model=model, analyzer=analyzer)
        super().__init__(chosen, bench=lambda language: made)

    @cached_property
    def _templates(self) -> TemplateWriter:
        return TemplateWriter(load_templates())

    def run(  # type: ignore[override]  # its results are splits
        self, texts: Sequence[str], triples: Sequence[GivenTriples] | None = None
    ) -> list[Splitting]:
        """One result per text, in order. A text is a sentence or a paragraph; each of its sentences is split.

        Sentences that need no split come back as they are, and so do those that cannot be read: then their result says
        why. With `triples`, a list of them for each text, a text that has any is one sentence, and sentences written
        for its triples are candidates too.
        """
        if triples is None:
            return cast("list[Splitting]", super().run(texts))
        check_count(len(triples), len(texts))
        told = [triples_of(one) for one in triples]
        plain = iter(self.run([text for text, one in zip(texts, told, strict=True) if not one]))
        with_triples = [text.strip() for text, one in zip(texts, told, strict=True) if one]
        drawings = {drawing.source: drawing for drawing in self._draw(self.bench("en"), with_triples)}
        return [
            self._told(text, one, drawings[text.strip()]) if one else next(plain)
            for text, one in zip(texts, told, strict=True)
        ]

    def _told(self, text: str, triples: Sequence[Triple], drawing: Drawing) -> Splitting:
        """A text with triples, as one sentence; `drawing` is what the generator has without them."""
        sentence = text.strip()
        layout = Layout((sentence,), (text[: text.find(sentence)], text[text.find(sentence) + len(sentence) :]))
        settings = f"{self.settings}+templates@{signature()}"
        if _CONTROL.search(sentence):
            done = self._passed(sentence, "en", skipped="control characters")
        elif problem := strangers(sentence, triples):
            done = self._passed(sentence, "en", error=problem)
        else:
            done = self._with_templates(sentence, triples, drawing)
        return Splitting(text, (done,), layout, self.weights, self.options, settings)

    def _with_templates(self, sentence: str, triples: Sequence[Triple], drawing: Drawing) -> SentenceResult:
        wanted, scorers = self.options.sentences, self.scorers
        # One triple is one sentence: there is nothing to split by.
        drafts = self._templates.drafts(sentence, triples, self.options.n, wanted) if len(triples) > 1 else []
        if wanted is None and drafts:
            # As many sentences are wanted as the best draft has.
            target = Splits(len(drafts[0].sentences))
            scorers = tuple(target if isinstance(scorer, Splits) else scorer for scorer in scorers)

        def facts(pools: Sequence[Pool]) -> list[list[str]]:
            return [
                [_added(source, triples, c.text) if c.generator == "templates" else "" for c in candidates]
                for source, candidates in pools
            ]

        written = (draft.candidate() for draft in drafts)
        pool = self._measurable(replace(drawing, candidates=(*written, *drawing.candidates)))
        chosen = self._choose([(sentence, pool.candidates)], "en", scorers=scorers, facts=[facts])[0]
        return replace(chosen, error=drawing.error, drawn=drawing.drawn)


def _added(source: str, triples: Sequence[Triple], text: str) -> str:
    """What sentences of templates leave out of the source, or add to it."""
    return "; ".join(violation.message for violation in check_sentences(source, triples, text))
