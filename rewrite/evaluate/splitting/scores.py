"""From texts to figures: statistics of each source first, figures of their sums after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rerank.analysis import Analysis
from rerank.english import EnglishAnalyzer
from rerank.types import FloatArray
from rewrite.errors import BadInput
from rewrite.evaluate.multi_bleu import COUNTS, References, bleu, split_words
from rewrite.evaluate.sari import SariScore, SariSource
from rewrite.evaluate.splitting.content import ContentWords, content_words, missing
from rewrite.evaluate.splitting.data import SplitExample, SplitSet
from rewrite.evaluate.splitting.facts import Named, copied, names_and_numbers
from rewrite.evaluate.splitting.sentences import count_sentences, marked_sentences, without_marks

__all__ = ["FIGURES", "Scoring"]

_SHARES = ("sentence_bleu", "exact", "unchanged", "copied", "dropped", "invented")
_PER_OUTPUT = ("dropped_words", "invented_words")
_SARI = ("sari", "sari_add", "sari_keep", "sari_delete")
_LENGTHS = ("sentences", "tokens")
FIGURES: tuple[str, ...] = ("bleu", *_SARI, *_SHARES, *_PER_OUTPUT, *_LENGTHS)

# Columns of the statistics: 1, the summands of the means, (sentences, tokens), BLEU counts, SARI counts.
_MEANS = len(_SHARES) + len(_PER_OUTPUT)
_SIZES = slice(1 + _MEANS, 3 + _MEANS)
_BLEU = slice(_SIZES.stop, _SIZES.stop + COUNTS)
_SARI_SHAPE = (3, 4, 3)


@dataclass(frozen=True, slots=True)
class _Overlap:
    """How far an output and references agree: counts of BLEU and of SARI, and whether it is one of them."""

    bleu: FloatArray
    sari: FloatArray
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
        return _Overlap(self._bleu.statistics(output), self._sari.statistics(output), exact)


@dataclass(frozen=True, slots=True)
class _Source:
    """What is asked of one source, whatever the output; `control` is its first reference against the others."""

    tokens: list[str]
    named: Named
    content: ContentWords
    gold: _Gold
    control: _Overlap


class Scoring:
    """A set prepared once, to score any number of outputs.

    References are counted once, so that tens of thousands for one source only cost the time to read them.
    """

    def __init__(self, data: SplitSet, *, analyzer: EnglishAnalyzer | None = None) -> None:
        self.data = data
        self.analyzer = analyzer or EnglishAnalyzer()
        analyses = self.analyzer.analyze([example.source for example in data.examples])
        self._sources = [self._prepared(*pair) for pair in zip(data.examples, analyses, strict=True)]

    def _prepared(self, example: SplitExample, analysis: Analysis) -> _Source:
        first, *others = example.references
        # Scored here and now: the counts of all references but one need as much room as those of all.
        control = _Gold(example.source, others or [first]).overlap(first)
        return _Source(
            split_words(example.source),
            names_and_numbers(analysis),
            content_words(analysis),
            _Gold(example.source, example.references),
            control,
        )

    def first_references(self) -> FloatArray:
        """`statistics` of the first reference of each source, against its others; alone, it is its own reference."""
        texts = [example.references[0] for example in self.data.examples]
        sentences = [example.sentences for example in self.data.examples]
        return self._statistics(texts, sentences, [source.control for source in self._sources])

    def statistics(self, outputs: Sequence[str]) -> FloatArray:
        """What `figures` needs of one output for each source, a row each."""
        if len(outputs) != len(self._sources):
            raise BadInput(
                f"{len(outputs)} outputs for {len(self._sources)} sources.",
                hint="A system must return exactly one output for each source, in order.",
            )
        texts = list(map(without_marks, outputs))
        overlaps = [source.gold.overlap(text) for source, text in zip(self._sources, texts, strict=True)]
        return self._statistics(texts, list(map(marked_sentences, outputs)), overlaps)

    def _statistics(self, texts: Sequence[str], sentences: Sequence[int], overlaps: Sequence[_Overlap]) -> FloatArray:
        rows = zip(texts, self.analyzer.analyze(texts), sentences, self._sources, overlaps, strict=True)
        return np.array([self._row(*row) for row in rows])

    def _row(self, text: str, analysis: Analysis, sentences: int, source: _Source, overlap: _Overlap) -> FloatArray:
        tokens = split_words(text)
        content = content_words(analysis)
        dropped, invented = len(missing(source.content, content)), len(missing(content, source.content))
        shares = (
            bleu(overlap.bleu, effective_order=True, smoothing="floor") / 100,
            overlap.exact,
            tokens == source.tokens,
            copied(source.named, text),
            dropped > 0,
            invented > 0,
        )
        sizes = (sentences or count_sentences(analysis), len(tokens))
        head = [1.0, *map(float, shares), dropped, invented, *sizes, *overlap.bleu]
        row: FloatArray = np.concatenate([head, overlap.sari.ravel()])
        return row

    def figures(self, totals: FloatArray) -> FloatArray:
        """Sums of statistics, shape `[n, columns]`, to the figures named in `FIGURES`, shape `[n, len(FIGURES)]`.

        BLEU, SARI and shares of outputs in [0, 100]; `dropped_words` and `invented_words` per output, `sentences` per
        source, `tokens` per sentence.
        """
        outputs = totals[:, :1]
        shares = 100 * totals[:, 1 : 1 + len(_SHARES)] / outputs
        words = totals[:, 1 + len(_SHARES) : _SIZES.start] / outputs
        sentences, tokens = totals[:, _SIZES].T
        sizes = np.column_stack([sentences / outputs[:, 0], tokens / np.maximum(sentences, 1)])
        overlaps = np.array([[bleu(row)] for row in totals[:, _BLEU]])
        sari = [SariScore.of(row.reshape(1, *_SARI_SHAPE)) for row in totals[:, _BLEU.stop :]]
        parts = np.array([[one.sari, one.add, one.keep, one.delete] for one in sari])
        figures: FloatArray = np.hstack([overlaps, parts, shares, words, sizes])
        return figures
