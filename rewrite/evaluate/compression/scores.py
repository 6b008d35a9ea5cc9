"""From texts to figures: statistics of each source first, figures of their sums after.

F1 and ROUGE are means over sources, compression ratios are quotients of sums over the corpus: the NDD paper's figures
for the unedited Chinese set (F1 81.7 beside a ratio of 0.68) fit nothing else, since the mean of 2c / (1 + c) cannot
lie above its value at the mean of c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rerank.types import FloatArray
from rewrite.errors import BadInput
from rewrite.evaluate.compression.data import CompressionSet
from rewrite.evaluate.compression.overlap import BLEU_ORDERS, Bleu, Rouge, word_f1
from rewrite.evaluate.compression.words import split

__all__ = ["FIGURES", "References", "Scoring", "figures_of"]

References = Literal["mean", "best"]

_MEANS = ("f1", "rouge1", "rouge2", "rougeL", "rouge1_f", "rouge2_f", "rougeL_f")
_RATIOS = ("cr", "delta_c", "cr_characters", "delta_c_characters")
_BLEU = tuple(f"bleu{order}" for order in range(1, BLEU_ORDERS + 1))
FIGURES: tuple[str, ...] = (*_MEANS, *_RATIOS, *_BLEU)

# Columns of the statistics: 1, the means' summands, (output, source, gold) in words and in characters, BLEU counts.
_LENGTHS = slice(1 + len(_MEANS), 7 + len(_MEANS))
_COUNTS = slice(_LENGTHS.stop, None)


@dataclass(frozen=True, slots=True)
class _Gold:
    """Words of a source's references, and mean lengths: words and characters of the source, then of the references."""

    words: tuple[tuple[str, ...], ...]
    source: tuple[int, int]
    kept: tuple[float, float]


class Scoring:
    """A set prepared once, to score any number of outputs.

    With several references, F1 and ROUGE of a source are the `mean` over them, as if each annotator were a set of its
    own, or the `best` of them, each figure for itself. The gold length is their mean in both.
    """

    def __init__(
        self,
        data: CompressionSet,
        *,
        references: References = "mean",
        characters: bool = False,
        bleu: bool | None = None,
    ) -> None:
        self.data = data
        self.references = references
        self.splitters = data.splitters(characters=characters)
        self.rouge = Rouge(data.language)
        self.bleu = Bleu(data.language) if bleu or (bleu is None and data.language == "zh") else None
        self._gold = [self._prepared(number) for number in range(len(data.examples))]

    def _prepared(self, number: int) -> _Gold:
        example, splitter = self.data.examples[number], self.splitters[number]
        words = tuple(tuple(split(reference, splitter)) for reference in example.references)
        lengths = [_lengths(reference, len(own)) for reference, own in zip(example.references, words, strict=True)]
        source = _lengths(example.source, len(splitter.spans(example.source)))
        if not all(source) or not all(map(all, lengths)):
            raise BadInput(f"An example of {self.data.name} has no words: {example.source[:60]!r}.")
        mean_words, mean_characters = (float(value) for value in np.mean(lengths, axis=0))
        return _Gold(words, source, (mean_words, mean_characters))

    @property
    def source_words(self) -> list[int]:
        """Words in each source."""
        return [gold.source[0] for gold in self._gold]

    @property
    def gold_words(self) -> list[float]:
        """Words in the references of each source, their mean."""
        return [gold.kept[0] for gold in self._gold]

    def kept_words(self, outputs: Sequence[str]) -> list[int]:
        """Words in each output."""
        return [len(splitter.spans(output)) for splitter, output in zip(self.splitters, outputs, strict=True)]

    def statistics(self, outputs: Sequence[str]) -> FloatArray:
        """What `figures_of` needs of one output per source, a row each."""
        if len(outputs) != len(self._gold):
            raise BadInput(
                f"{len(outputs)} outputs for {len(self._gold)} sources.",
                hint="A system must return exactly one output for each source, in order.",
            )
        return np.array([self._row(number, output) for number, output in enumerate(outputs)])

    def _row(self, number: int, output: str) -> list[float]:
        example, gold, splitter = self.data.examples[number], self._gold[number], self.splitters[number]
        words = split(output, splitter)
        f1 = [word_f1(words, reference) for reference in gold.words]
        scores = np.column_stack([f1, self.rouge.scores(output, example.references, splitter)])
        means = scores.mean(axis=0) if self.references == "mean" else scores.max(axis=0)
        lengths = zip(_lengths(output, len(words)), gold.source, gold.kept, strict=True)
        counts = self.bleu.counts(output, example.references) if self.bleu else []
        return [1.0, *means.tolist(), *(value for triple in lengths for value in triple), *counts]

    def figures(self, totals: FloatArray) -> FloatArray:
        """`figures_of` with this set's BLEU."""
        return figures_of(totals, self.bleu)


def _lengths(text: str, words: int) -> tuple[int, int]:
    """Words, and characters without spaces: tokenised and plain text count alike."""
    return words, sum(not character.isspace() for character in text)


def figures_of(totals: FloatArray, bleu: Bleu | None = None) -> FloatArray:
    """Sums of statistics, shape `[n, columns]`, to the figures named in `FIGURES`, shape `[n, len(FIGURES)]`.

    F1, ROUGE and BLEU in [0, 100]; `cr` is output over source and `delta_c` that less gold over source, by words and
    by characters. BLEU is NaN where it was not counted.
    """
    means = 100 * totals[:, 1 : _LENGTHS.start] / totals[:, :1]
    output, source, gold = np.moveaxis(totals[:, _LENGTHS].reshape(-1, 2, 3), -1, 0)
    ratio = output / source
    ratios = np.stack([ratio, ratio - gold / source], axis=-1).reshape(-1, len(_RATIOS))
    if bleu is None:
        orders = np.full((len(totals), BLEU_ORDERS), np.nan)
    else:
        orders = np.array([bleu.scores(row.tolist()) for row in totals[:, _COUNTS]])
    figures: FloatArray = np.hstack([means, ratios, orders])
    return figures
