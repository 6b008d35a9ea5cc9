"""From texts to figures: statistics of each source first, figures of their sums after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from rerank.analysis import Analysis
from rerank.english import EnglishAnalyzer
from rerank.types import FloatArray
from rewrite.errors import BadInput
from rewrite.evaluate.sari import SariScore, SariSource
from rewrite.evaluate.splitting.bleu import COUNTS, Bleu, BleuReferences
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
class _Gold:
    """References of one source, ready for any number of outputs."""

    bleu: BleuReferences
    sari: SariSource
    tokens: frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Source:
    """What is asked of one source, whatever the output; `gold` is the references', `others` without the first."""

    tokens: tuple[str, ...]
    named: Named
    content: ContentWords
    gold: _Gold
    others: _Gold


class Scoring:
    """A set prepared once, to score any number of outputs.

    References are taken in one by one, so that tens of thousands for one source only cost the time to read them.
    """

    def __init__(self, data: SplitSet, *, analyzer: EnglishAnalyzer | None = None) -> None:
        self.data = data
        self.bleu = Bleu()
        self.analyzer = analyzer or EnglishAnalyzer()
        analyses = self.analyzer.analyze([example.source for example in data.examples])
        self._sources = [self._prepared(*pair) for pair in zip(data.examples, analyses, strict=True)]

    def _prepared(self, example: SplitExample, analysis: Analysis) -> _Source:
        gold = self._gold(example.source, example.references)
        others = self._gold(example.source, example.references[1:]) if len(example.references) > 1 else gold
        tokens = tuple(self.bleu.tokens(example.source))
        return _Source(tokens, names_and_numbers(analysis), content_words(analysis), gold, others)

    def _gold(self, source: str, references: Sequence[str]) -> _Gold:
        tokens = frozenset(tuple(self.bleu.tokens(reference)) for reference in references)
        return _Gold(self.bleu.references(references), SariSource(source, references), tokens)

    def first_references(self) -> FloatArray:
        """`statistics` of the first reference of each source, against its others; alone, it is its own reference."""
        outputs = [example.references[0] for example in self.data.examples]
        sentences = [example.sentences for example in self.data.examples]
        return self._statistics(outputs, sentences, [source.others for source in self._sources])

    def statistics(self, outputs: Sequence[str]) -> FloatArray:
        """What `figures` needs of one output for each source, a row each."""
        if len(outputs) != len(self._sources):
            raise BadInput(
                f"{len(outputs)} outputs for {len(self._sources)} sources.",
                hint="A system must return exactly one output for each source, in order.",
            )
        golds = [source.gold for source in self._sources]
        return self._statistics(list(map(without_marks, outputs)), list(map(marked_sentences, outputs)), golds)

    def _statistics(self, texts: Sequence[str], sentences: Iterable[int], golds: Iterable[_Gold]) -> FloatArray:
        analyses = self.analyzer.analyze(texts)
        rows = zip(texts, analyses, sentences, self._sources, golds, strict=True)
        return np.array([self._row(*row) for row in rows])

    def _row(self, text: str, analysis: Analysis, sentences: int, source: _Source, gold: _Gold) -> FloatArray:
        tokens = tuple(self.bleu.tokens(text))
        counts = self.bleu.counts(text, gold.bleu)
        content = content_words(analysis)
        dropped, invented = len(missing(source.content, content)), len(missing(content, source.content))
        shares = (
            self.bleu.sentence(counts) / 100,
            tokens in gold.tokens,
            tokens == source.tokens,
            copied(source.named, text),
            dropped > 0,
            invented > 0,
        )
        sizes = (sentences or count_sentences(analysis), len(tokens))
        head = [1.0, *map(float, shares), dropped, invented, *sizes, *counts]
        row: FloatArray = np.concatenate([head, gold.sari.statistics(text).ravel()])
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
        bleu = np.array([[self.bleu.corpus(row.tolist())] for row in totals[:, _BLEU]])
        sari = [SariScore.of(row.reshape(1, *_SARI_SHAPE)) for row in totals[:, _BLEU.stop :]]
        parts = np.array([[one.sari, one.add, one.keep, one.delete] for one in sari])
        figures: FloatArray = np.hstack([bleu, parts, shares, words, sizes])
        return figures
