"""Figures of splits of complex sentences, beside the source itself, a cut in halves, and a reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rerank.analysis import Analysis
from rerank.english import EnglishAnalyzer
from rerank.english.facts import EnglishFactGuard
from rerank.rusim import grade
from rerank.types import FloatArray
from rewrite.datasets import Example
from rewrite.evaluate.harness import Entry, OutputScoring, SystemRow, text_table
from rewrite.evaluate.multi_bleu import BLEU, COUNTS, References, bleu, signature, split_words
from rewrite.evaluate.sari import SARI, SariSource
from rewrite.evaluate.sets import EvaluationSet
from rewrite.evaluate.splitting_texts import (
    ContentWords,
    Named,
    content_words,
    copied,
    count_sentences,
    halves,
    marked_sentences,
    missing,
    names_and_numbers,
    without_marks,
)

ECHO, HALVES, REFERENCE = RESERVED = ("echo", "halves", "reference")
"""Names of the rows that are always there."""

_SHARES = ("sentence_bleu", "sentence_sari", "exact", "unchanged", "copied", "dropped", "invented", "changed_facts")
_PER_OUTPUT = ("dropped_words", "invented_words", "grade")

# Columns of the statistics: 1, the summands of the means, (sentences, tokens), BLEU counts, SARI counts.
_MEANS = len(_SHARES) + len(_PER_OUTPUT)
_SIZES = slice(1 + _MEANS, 3 + _MEANS)
_BLEU = slice(_SIZES.stop, _SIZES.stop + COUNTS)

_HEAD = (
    *("system", "BLEU", "95 %", "mean", "SARI", "95 %", "mean", "#S/C", "#T/S"),
    *("exact", "same", "copied", "dropped", "invented", "facts", "grade"),
)
_LEGEND = """BLEU: of the corpus, all references of a source together; mean: mean of sentences' BLEU, and of their SARI
as the metric wiki_split of the library evaluate has it; 95 %: bootstrap interval over sources; #S/C: sentences per
source; #T/S: tokens per sentence; exact, same: outputs equal to a reference, to the source, in %; copied: outputs with
all names and numbers of the source, in %; dropped, invented: outputs without a content word of the source, with one
that it has not, in %, and such words per output; facts: outputs that change a fact of the source, as the guard of
simplify has it, in %; grade: mean school grade of the outputs (Flesch–Kincaid)"""


@dataclass(frozen=True, slots=True)
class _Overlap:
    """How far an output and references agree: counts of BLEU and SARI, the sentence's SARI, whether it is one."""

    bleu: FloatArray
    sari: FloatArray
    sentence_sari: float
    exact: bool


class _Gold:
    """References of one source, ready for any number of outputs."""

    def __init__(self, source: str, references: Sequence[str]) -> None:
        self._bleu = References(references)
        self._sari = SariSource(source, references)
        self._texts = frozenset(" ".join(split_words(reference)) for reference in references)

    def overlap(self, output: str) -> _Overlap:
        """An output against these references, an n-gram as often as one of them has it."""
        exact = " ".join(split_words(output)) in self._texts
        bleu, sari = self._bleu.statistics(output), self._sari.statistics(output)
        return _Overlap(bleu, sari, self._sari.sentence_score(output), exact)


@dataclass(frozen=True, slots=True)
class _Source:
    """What is asked of one source, whatever the output; `control` is its first reference against the others."""

    tokens: list[str]
    named: Named
    content: ContentWords
    gold: _Gold
    control: _Overlap

    @classmethod
    def prepared(cls, example: Example, analysis: Analysis) -> _Source:
        first, *others = example.references
        # Scored here and now: the counts of all references but one need as much room as those of all.
        control = _Gold(example.source, others or [first]).overlap(first)
        gold = _Gold(example.source, example.references)
        return cls(split_words(example.source), names_and_numbers(analysis), content_words(analysis), gold, control)


class SplitScoring(OutputScoring):
    """A set prepared once, to score any number of outputs.

    References are counted once, so that tens of thousands for one source only cost the time to read them.
    """

    FIGURES = (*BLEU.FIGURES, *SARI.FIGURES, *_SHARES, *_PER_OUTPUT, "sentences", "tokens")
    COMPARED = ("bleu", "sari")

    def __init__(self, data: EvaluationSet, *, analyzer: EnglishAnalyzer | None = None) -> None:
        super().__init__(data)
        self._analyzer = analyzer or EnglishAnalyzer()
        self._guard = EnglishFactGuard(limits=True)
        analyses = self._analyzer.analyze([example.source for example in data.examples])
        self._sources = [_Source.prepared(*pair) for pair in zip(data.examples, analyses, strict=True)]

    def entries(self, systems: Mapping[str, Sequence[str]], seed: int) -> Iterator[Entry]:
        sources = [example.source for example in self.data.examples]
        yield Entry(ECHO, "baseline", partial(self.statistics, sources))
        yield Entry(HALVES, "baseline", partial(self.statistics, list(map(halves, sources))))
        yield Entry(REFERENCE, "control", self._first_references)
        for name, outputs in systems.items():
            yield Entry(name, "system", partial(self.statistics, outputs))

    def _first_references(self) -> FloatArray:
        """`statistics` of the first reference of each source, against its others; alone, it is its own reference."""
        texts = [example.references[0] for example in self.data.examples]
        sentences = [example.sentences for example in self.data.examples]
        return self._statistics(texts, sentences, [source.control for source in self._sources])

    def statistics(self, outputs: Sequence[str]) -> FloatArray:
        """What `figures` needs of one output for each source, a row each."""
        texts = list(map(without_marks, outputs))
        overlaps = [source.gold.overlap(text) for source, text in zip(self._sources, texts, strict=True)]
        return self._statistics(texts, list(map(marked_sentences, outputs)), overlaps)

    def _statistics(self, texts: Sequence[str], sentences: Sequence[int], overlaps: Sequence[_Overlap]) -> FloatArray:
        pairs = zip(self.data.examples, texts, strict=True)
        changed = [bool(self._guard.check(example.source, text)) for example, text in pairs]
        rows = zip(texts, self._analyzer.analyze(texts), sentences, self._sources, overlaps, changed, strict=True)
        return np.array([self._row(*row) for row in rows])

    def _row(
        self, text: str, analysis: Analysis, marked: int, source: _Source, overlap: _Overlap, changed: bool
    ) -> FloatArray:
        tokens = split_words(text)
        content = content_words(analysis)
        dropped, invented = len(missing(source.content, content)), len(missing(content, source.content))
        shares = (
            bleu(overlap.bleu, effective_order=True, smoothing="floor") / 100,
            overlap.sentence_sari,
            overlap.exact,
            tokens == source.tokens,
            copied(source.named, text),
            dropped > 0,
            invented > 0,
            changed,
        )
        sentences = marked or count_sentences(analysis)
        per_output = (dropped, invented, grade(analysis, sentences))
        head = [1.0, *map(float, shares), *per_output, sentences, len(tokens), *overlap.bleu]
        row: FloatArray = np.concatenate([head, overlap.sari.ravel()])
        return row

    def figures(self, totals: FloatArray) -> FloatArray:
        """BLEU, SARI and shares of outputs in [0, 100]; `dropped_words` and `invented_words` per output, `grade`
        its mean over outputs, `sentences` per source, `tokens` per sentence.
        """
        outputs = totals[:, :1]
        shares = 100 * totals[:, 1 : 1 + len(_SHARES)] / outputs
        words = totals[:, 1 + len(_SHARES) : _SIZES.start] / outputs
        sentences, tokens = totals[:, _SIZES].T
        sizes = np.column_stack([sentences / outputs[:, 0], tokens / np.maximum(sentences, 1)])
        overlaps = BLEU.figures(totals[:, _BLEU]), SARI.figures(totals[:, _BLEU.stop :])
        figures: FloatArray = np.hstack([*overlaps, shares, words, sizes])
        return figures

    def settings(self, bootstrap: Mapping[str, object]) -> Mapping[str, object]:
        settings = {"sari": SARI.signature(), "sentence-bleu": "floor,effective-order"}
        return {**settings, "analysis": self._analyzer.signature, **bootstrap}

    def _bleu_signature(self) -> str:
        return signature(len(example.references) for example in self.data.examples)

    def signatures(self, signature: str) -> list[str]:
        return [f"BLEU {self._bleu_signature()}", signature]

    def row(self, row: SystemRow) -> dict[str, Any]:
        return {**super().row(row), "bleu_signature": self._bleu_signature()}

    def table(self, rows: Sequence[SystemRow]) -> str:
        return f"{text_table(_HEAD, list(map(_measured, rows)))}\n\n{_LEGEND}"


def _measured(row: SystemRow) -> list[str]:
    figures, interval = row.figures, row.measured.interval
    return [
        row.system,
        f"{figures['bleu']:.2f}",
        interval("bleu").text(),
        f"{figures['sentence_bleu']:.2f}",
        f"{figures['sari']:.2f}",
        interval("sari").text(),
        f"{figures['sentence_sari']:.2f}",
        *(f"{figures[name]:.2f}" for name in ("sentences", "tokens")),
        *(f"{figures[name]:.1f}" for name in ("exact", "unchanged", "copied")),
        *(f"{figures[name]:.1f} ({figures[f'{name}_words']:.2f})" for name in ("dropped", "invented")),
        *(f"{figures[name]:.1f}" for name in ("changed_facts", "grade")),
    ]
