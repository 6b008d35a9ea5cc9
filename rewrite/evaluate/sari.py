"""SARI (Xu et al., 2016) as EASSE computes it (Alva-Manchego et al., 2019), equal to it to rounding.

The protocol: texts lowercased and split by mteval's 13a rules, n-grams of orders 1 to 4, F1 for all three operations
(deletion too), counts summed over the corpus before F1 is taken, plain means over orders and operations. Sources may
have different numbers of references.

Everything that looks at text happens in `SariSource.statistics`; what follows are sums of small arrays, so a corpus
score, a bootstrap interval or the score with one output exchanged never tokenises anything again.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from rerank.errors import BadInput
from rerank.types import FloatArray
from rewrite.evaluate.metric import SumMetric

ORDERS = 4
_SHAPE = (3, ORDERS, 3)
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_RULES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"([{-~\[-` -&(-+:-@/])", r" \1 "),
        (r"([^0-9])([.,])", r"\1 \2 "),
        (r"([.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    )
)


def tokenize_13a(text: str) -> list[str]:
    """Tokens of `text` by the rules of mteval-v13a, lowercased.

    The ASCII punctuation marks stand alone, stops and commas unless between digits; «, » and — stay attached, as in
    EASSE.
    """
    return split_13a(text.lower())


def split_13a(text: str) -> list[str]:
    """Tokens of `text` by the rules of mteval-v13a, letters as they are."""
    line = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in _ENTITIES:
        line = line.replace(entity, character)
    line = f" {line} "
    for pattern, replacement in _RULES:
        line = pattern.sub(replacement, line)
    return line.split()


def ngrams(words: Sequence[str]) -> list[Counter[tuple[str, ...]]]:
    """How often each n-gram is in `words`, for the orders 1 to 4."""
    return [Counter(zip(*(words[i:] for i in range(n)), strict=False)) for n in range(1, ORDERS + 1)]


class SariSource:
    """A source with its references, counted once; `statistics(output)` is then cheap for any number of outputs."""

    __slots__ = ("_counts", "_references")

    def __init__(self, source: str, references: Sequence[str]) -> None:
        if not references:
            raise BadInput(
                f"SARI needs at least one reference, this source has none: {source[:80]!r}.",
                hint="Leave the source out or give it a reference.",
            )
        self._references = len(references)
        # Added up in place: a source of WebSplit has tens of thousands of references.
        wanted = [Counter[tuple[str, ...]]() for _ in range(ORDERS)]
        for reference in references:
            for total, grams in zip(wanted, ngrams(tokenize_13a(reference)), strict=True):
                total.update(grams)
        self._counts = list(zip(ngrams(tokenize_13a(source)), wanted, strict=True))

    def statistics(self, output: str) -> FloatArray:
        """Counts of one output, shape `[3, 4, 3]`: operation (add, keep, delete) × n-gram order × (right, done, due).

        `right` n-grams were added, kept or deleted by the output and by references, `done` by the output, `due` by
        references. Kept and deleted n-grams are weighted by the number of references, as in EASSE.
        """
        statistics = np.zeros(_SHAPE)
        for order, grams in enumerate(ngrams(tokenize_13a(output))):
            statistics[:, order] = self._order(grams, *self._counts[order])
        return statistics

    def sentence_score(self, output: str) -> float:
        """SARI of one output in [0, 1] as the metric `wiki_split` of the library `evaluate` has it.

        The published models of WikiSplit are measured with its mean over sentences. Deletion is its precision alone,
        and where there is nothing to keep, add or delete the score is 1: a copied source is well paid.
        """
        scores = []
        for after, (before, due) in zip(ngrams(tokenize_13a(output)), self._counts, strict=True):
            source, written = (_times(self._references, grams) for grams in (before, after))
            kept, deleted = source & written, source - written
            to_keep = source & due
            added, to_add = after.keys() - before.keys(), due.keys() - before.keys()
            right = len(added & to_add)
            scores += [
                _f1(_mean_share(kept & due, kept), _ratio((kept & due).total(), to_keep.total())),
                _mean_share(deleted - due, deleted),
                _f1(_ratio(right, len(added)), _ratio(right, len(to_add))),
            ]
        return sum(scores) / len(scores)

    def _order(
        self, output: Counter[tuple[str, ...]], source: Counter[tuple[str, ...]], wanted: Counter[tuple[str, ...]]
    ) -> tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]:
        weight = self._references
        added = output.keys() - source.keys()
        add = (len(added & wanted.keys()), len(added), len(wanted.keys() - source.keys()))
        keep, delete = [0, 0, 0], [0, 0, 0]
        for gram, count in source.items():
            had = weight * count
            kept_here = weight * min(count, output.get(gram, 0))
            kept_there = min(had, wanted.get(gram, 0))
            for cell, value in enumerate((min(kept_here, kept_there), kept_here, kept_there)):
                keep[cell] += value
            deletions = had - kept_here, had - kept_there
            for cell, value in enumerate((min(deletions), *deletions)):
                delete[cell] += value
        return add, (keep[0], keep[1], keep[2]), (delete[0], delete[1], delete[2])


def _times(number: int, grams: Counter[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    return Counter({gram: number * count for gram, count in grams.items()})


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 1.0


def _mean_share(part: Counter[tuple[str, ...]], whole: Counter[tuple[str, ...]]) -> float:
    """The mean over the n-grams of `whole` of how much of each is in `part`."""
    return _ratio(sum(count / whole[gram] for gram, count in part.items()), len(whole))


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def operations_of_totals(totals: FloatArray) -> FloatArray:
    """F1 of add, keep and delete in [0, 100], shape `[..., 3]`, from totals of shape `[..., 3, 4, 3]`."""
    # 2·P·R / (P + R) with P = right/done and R = right/due is 2·right / (done + due).
    right, extent = totals[..., 0], totals[..., 1] + totals[..., 2]
    f1 = np.divide(2 * right, extent, out=np.zeros_like(right), where=extent > 0)
    operations: FloatArray = 100 * f1.mean(axis=-1)
    return operations


def sari_of_totals(totals: FloatArray) -> FloatArray:
    """SARI of summed statistics, vectorised: `[..., 3, 4, 3]` to `[...]`, in [0, 100].

    Of the statistics of segments it is each segment's own: an operation that neither output nor references perform
    counts 0, so the mean of these is not the corpus score.

    For tuning: `sari_of_totals(totals - statistics[i] + alternatives)` is the corpus SARI with output i exchanged
    for each of its alternatives (shape `[n, 3, 4, 3]`).
    """
    scores: FloatArray = operations_of_totals(totals).mean(axis=-1)
    return scores


class Sari(SumMetric):
    """SARI and the F1 of its three operations, each in [0, 100], of the statistics of `SariSource`."""

    FIGURES = ("sari", "sari_add", "sari_keep", "sari_delete")
    COLUMNS = math.prod(_SHAPE)

    def signature(self) -> str:
        return "easse,13a,lowercase"

    def figures(self, totals: FloatArray) -> FloatArray:
        operations = operations_of_totals(totals.reshape(-1, *_SHAPE))
        return np.column_stack([operations.mean(axis=-1), operations])


SARI = Sari()
