"""English text in, shorter sentences out, as a task: candidates from a small model, chosen by weights."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from rerank.analysis import Analyzer
from rerank.english import EnglishAnalyzer
from rerank.likelihood import Caution, Consensus, Likelihood
from rerank.masked.words import guess_language
from rerank.rank import CANDIDATES
from rerank.scorer import Context, Scorer
from rerank.structure import Brevity, Splits, sentence_words
from rerank.types import Candidate, FloatArray
from rewrite.acceptance.text_acceptance import TextCaution, is_drawn
from rewrite.acceptance.verdict import VerdictModel
from rewrite.candidates import require_texts
from rewrite.compression.word_analysis import WordAnalyzer, sentences_of
from rewrite.generators import Engines
from rewrite.generators.base import Generator, JoinedGenerator, Sampling
from rewrite.layout import (
    CONTROL,
    LIST_MARK,
    Layout,
    is_stopped,
    no_english_sentence,
    one_line,
    untouchable,
    wrong_length,
)
from rewrite.pipeline import Pipeline
from rewrite.plain_english import form_guard
from rewrite.requested_scorers import ON_REQUEST, fluency, requested
from rewrite.result import Result
from rewrite.specs import Spec
from rewrite.splitting.guard import check
from rewrite.splitting.likelihood import LikelihoodJudge
from rewrite.splitting.model import SplitModel
from rewrite.splitting.parsed_words import read_words, sentence_analyzer
from rewrite.splitting.search import SplitGenerator, Wanted
from rewrite.splitting.split_options import SplitOptions
from rewrite.splitting.triples.generate import TEMPLATES, check_sentences, strangers
from rewrite.splitting.triples.generate import Generator as TemplateWriter
from rewrite.splitting.triples.template_book import load_templates, signature
from rewrite.splitting.triples.triple import GivenTriples, Triple, check_count, triples_of
from rewrite.task import Bench, Guard, Pool, Task

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
        "balanced": _weights(splits=2.5, length=1.5),
        # Splits where it is plain how, and leaves the rest alone.
        "accurate": _weights(splits=1.0, length=0.3),
        # Splits whatever can be.
        "simple": _weights(splits=9.0, length=3.0),
    }
)
"""Presets under the names that those of `rewrite simplify` have."""


@dataclass(frozen=True, repr=False)
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
    def word_counts(self) -> list[list[int]]:
        return [sentence_words(sentence.text) for sentence in self.sentences]

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
        texts: dict[str, Any] = {"source": row.pop("source"), "text": row.pop("text"), "split": list(self.lines)}
        return texts | ({"kept": kept} if kept else {}) | row


def _scorers(options: SplitOptions, asked: frozenset[str]) -> tuple[Scorer, ...]:
    caution = TextCaution() if options.draws_from_model else Caution()
    return (
        _Splits(at_least=True) if options.sentences is None else Splits(options.sentences),
        Brevity(options.max_words or _LONGEST_LIMIT),
        Likelihood(),
        Consensus(),
        caution,
        *fluency(options, asked),
        *requested(options, asked),
    )


class _Splits(Splits):
    """As `Splits`, of two sentences or more; of what is written for triples, of as many as the first text has."""

    needs = frozenset({CANDIDATES})

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        written = next((c.text for c in candidates if c.generator == TEMPLATES), "")
        if not written:
            return super().score(source, candidates, context)
        return Splits(len(written.split("\n"))).score(source, candidates, context)


@lru_cache(maxsize=1)
def _text_analyzer() -> EnglishAnalyzer:
    """What reads texts of several sentences, as a language model draws them."""
    return EnglishAnalyzer(cache_size=_REMEMBERED)


def sentences_in(text: str) -> Layout:
    """The sentences of `text` and what stands between them; joining them again gives `text`.

    The mark of a list before a sentence with a stop is none of its words.
    """
    layout = sentences_of(text, "en")
    sentences: list[str] = []
    gaps = [layout.gaps[0]]
    for sentence, gap in zip(layout.sentences, layout.gaps[1:], strict=True):
        if sentences and _goes_on(sentences[-1], sentence):
            sentences[-1] += gaps.pop() + sentence
        else:
            sentences.append(sentence)
        gaps.append(gap)
    if len(sentences) > 1 and LIST_MARK.fullmatch(f"{sentences[0]} "):
        sentences[:2] = [sentences[0] + gaps.pop(1) + sentences[1]]
    if sentences and (mark := LIST_MARK.match(sentences[0])) and is_stopped(sentences[0]):
        gaps[0] += mark[0]
        sentences[0] = sentences[0][mark.end() :]
    return Layout(sentences=tuple(sentences), gaps=tuple(gaps))


def _goes_on(before: str, sentence: str) -> bool:
    """Whether the stop at the end of `before` is that of an abbreviation, or of a number in a list."""
    if (
        before.removesuffix(".").isdecimal()
        or sentence[:1] in ",;"
        or (before.endswith("Ph.") and sentence.startswith("D."))
    ):
        return True
    if sentence[:1].islower() and _ABBREVIATED.search(before):
        return True
    if _TITLES.search(before):
        return sentence[:1].isupper()
    return bool(_COUNTED.search(before) and _NUMBER.match(sentence))


def _skip(sentence: str, language: str) -> str:
    reason = untouchable(sentence) or wrong_length(sentence, _FEWEST)
    return reason or (no_english_sentence(sentence) if language == "en" else "")


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

    def splitter(spec: Spec, _: Analyzer, engines: Engines) -> Generator:
        second = LikelihoodJudge(VerdictModel(engines.scoring(spec.judge))) if spec.kind.judge else None
        return SplitGenerator(model, analyzer, Wanted(options.sentences, options.max_words), second)

    def facts(pools: Sequence[Pool]) -> list[list[str]]:
        parsed = read_words([source for source, _ in pools], analyzer)
        return [
            ["; ".join(violation.message for violation in check(words, c.text)) for c in candidates]
            for words, (_, candidates) in zip(parsed, pools, strict=True)
        ]

    # What others write is judged when it is proposed.
    forms = (_guarding(form_guard(_text_analyzer()), is_drawn),) if options.draws_from_model else ()
    makers = dict.fromkeys(options.plain_generators, splitter)
    return Bench(analyzer=WordAnalyzer(language), makers=makers, facts=(facts,), form=forms)


def _guarding(guard: Guard, those: Callable[[Candidate], bool]) -> Guard:
    """The guard of those candidates alone."""

    def faults(pools: Sequence[Pool]) -> list[list[str]]:
        checked = guard([(source, [c for c in candidates if those(c)]) for source, candidates in pools])
        return [
            [next(messages) if those(c) else "" for c in candidates]
            for (_, candidates), messages in zip(pools, map(iter, checked), strict=True)
        ]

    return faults


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
    asks="split",
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

    def stream(self, texts: Iterable[str], batch: int = 32) -> Iterator[Splitting]:
        """As `Pipeline.stream`."""
        return cast("Iterator[Splitting]", super().stream(texts, batch))

    def run(  # type: ignore[override]  # its results are splits
        self, texts: Iterable[str], triples: Sequence[GivenTriples] | None = None
    ) -> list[Splitting]:
        """One result per text, in order. A text is a sentence or a paragraph; each of its sentences is split.

        Sentences that need no split come back as they are, and so do those that cannot be read: then their result says
        why. With `triples`, a list of them for each text, a text that has any is one sentence, and sentences written
        for its triples are candidates too.
        """
        if triples is None:
            return cast("list[Splitting]", super().run(texts))
        texts = require_texts(texts)
        check_count(len(triples), len(texts))
        triples_by_text = [triples_of(given) for given in triples]
        plain = [i for i, text_triples in enumerate(triples_by_text) if not text_triples]
        results = dict(zip(plain, super().run([texts[i] for i in plain]), strict=True))
        for i, text_triples in enumerate(triples_by_text):
            if text_triples and (problem := strangers(texts[i].strip(), text_triples)):
                done = self._passed(texts[i].strip(), "en", error=problem)
                results[i] = self._result(texts[i], _one_sentence(texts[i], "en"), (done,), "en")
        while left := [i for i in range(len(texts)) if i not in results]:
            # A sentence that comes again with other triples waits for the next round.
            known = {texts[i].strip(): triples_by_text[i] for i in reversed(left)}
            now = [i for i in left if triples_by_text[i] == known[texts[i].strip()]]
            results.update(zip(now, Pipeline.run(self._knowing(known), [texts[i] for i in now]), strict=True))
        return cast("list[Splitting]", [results[i] for i in range(len(texts))])

    def _knowing(self, triples: Mapping[str, Sequence[Triple]]) -> Pipeline:
        """The same for sentences whose triples are known: each text is one of them, and templates write for it too."""
        bench = self.bench("en")
        facts = bench.facts[0]
        templates = TemplateGenerator(self._templates, triples, wanted=self.options.sentences)
        generator: Generator = JoinedGenerator([templates, self.generator_in("en")])
        # What templates write is checked against the triples instead.
        guards = (
            _guarding(facts, lambda c: c.generator != TEMPLATES),
            _guarding(_against(triples), lambda c: c.generator == TEMPLATES),
        )
        knowing = copy(self)
        knowing.task = replace(
            self.task, language=lambda text, options: "en", layout=_one_sentence, skip=_control_characters
        )
        knowing._benches = {"en": replace(bench, facts=guards)}
        knowing._generators = {"en": generator}
        knowing._signatures = {}
        return knowing


class TemplateGenerator:
    """Sentences written for the `triples` of a source; `wanted` is how many are asked for."""

    def __init__(self, writer: TemplateWriter, triples: Mapping[str, Sequence[Triple]], *, wanted: int | None) -> None:
        self._writer, self._triples, self._wanted = writer, triples, wanted

    @property
    def name(self) -> str:
        return f"{TEMPLATES}@{signature()}"

    def describe(self) -> Mapping[str, object]:
        """Nothing that its name does not say."""
        return {}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """See `Generator.generate`; only `sampling.n` matters."""
        return [self._written(source, self._triples[source], sampling.n) for source in sources]

    def _written(self, source: str, triples: Sequence[Triple], n: int) -> list[Candidate]:
        # One triple is one sentence: there is nothing to split by.
        drafts = self._writer.drafts(source, triples, n, self._wanted) if len(triples) > 1 else []
        return [draft.candidate() for draft in drafts]


def _one_sentence(text: str, language: str) -> Layout:
    sentence = text.strip()
    before, _, after = text.partition(sentence) if sentence else (text, "", "")
    return Layout((sentence,), (before, after))


def _control_characters(sentence: str, language: str) -> str:
    return "control characters" if CONTROL.search(sentence) else ""


def _against(triples: Mapping[str, Sequence[Triple]]) -> Guard:
    """The guard of what templates write: what it leaves out of the source, or adds to it and its `triples`."""

    def fault(source: str, text: str) -> str:
        return "; ".join(violation.message for violation in check_sentences(source, triples[source], text))

    return lambda pools: [[fault(source, c.text) for c in candidates] for source, candidates in pools]
