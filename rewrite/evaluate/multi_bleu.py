"""BLEU with any number of references by sacrebleu: counts of each output once, their sums and means as often as needed.

What `References.statistics` gives for an output is added up over a corpus, and over bootstrap samples of it. Everything
here raises `MissingExtra` where sacrebleu is not installed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from rerank.errors import BadInput
from rerank.types import FloatArray
from rewrite.evaluate.metric import SumMetric
from rewrite.evaluate.sari import ORDERS, split_13a
from rewrite.judging.metric_words import library

COUNTS = 2 + 2 * ORDERS
"""How many numbers `References.statistics` gives."""
Smoothing = Literal["exp", "floor"]


def bleu_class() -> Any:
    """sacrebleu's own; `MissingExtra` without it."""
    return library("sacrebleu.metrics.bleu", "BLEU needs sacrebleu.").BLEU


def split_words(text: str) -> list[str]:
    """The words of `text` as sacrebleu's tokenizer 13a splits them."""
    # A hyphen before the last line break is no hyphenation, since sacrebleu takes that break off first.
    return split_13a(text.rstrip())


class References:
    """The references of one source, counted once; words as sacrebleu's `tokenizer` (`13a`, `zh`) splits them.

    Memory grows with the distinct n-grams, not with the references. `BadInput` where there is no reference.
    """

    __slots__ = ("_metric",)

    def __init__(self, references: Iterable[str], *, tokenizer: str = "13a") -> None:
        streams = [[reference] for reference in references]
        if not streams:
            raise BadInput("BLEU needs at least one reference of each source.", hint="Leave out sources without one.")
        self._metric = bleu_class()(tokenize=tokenizer, force=True, references=streams)

    def statistics(self, output: str) -> FloatArray:
        """For `output`, 2 + 4 + 4 numbers: its length, that of the reference nearest in length, the n-grams that are in
        a reference by order, clipped to the most often any has them, and all its n-grams by order.
        """
        score = self._metric.corpus_score([output], None)
        return np.array([score.sys_len, score.ref_len, *score.counts, *score.totals], dtype=np.float64)


def bleu(
    statistics: FloatArray, *, order: int = ORDERS, effective_order: bool = False, smoothing: Smoothing = "exp"
) -> float:
    """BLEU in [0, 100] of the numbers that `References.statistics` gives, or of their sum over a corpus (shape [10]).

    N-grams of up to `order` words count. Orders without a right n-gram are smoothed with 1/2, 1/4, … of one, as
    sacrebleu does by default (`exp`), or with a tenth of one (`floor`), as EASSE does for sentences; with
    `effective_order` those longer than the output do not count, which is the default of both for sentences.
    """
    length, nearest, *counts = np.rint(statistics).astype(int).tolist()
    settings = {"smooth_method": smoothing, "effective_order": effective_order, "max_ngram_order": order}
    right, written = counts[:order], counts[ORDERS : ORDERS + order]
    return float(bleu_class().compute_bleu(right, written, length, nearest, **settings).score)


class Bleu(SumMetric):
    """BLEU in [0, 100] of the statistics of `References`, with n-grams of up to each of the `orders`."""

    def __init__(self, *orders: int) -> None:
        self._orders = orders or (ORDERS,)
        self.FIGURES = tuple(f"bleu{order}" for order in orders) or ("bleu",)

    def signature(self) -> str:
        """In sacrebleu's form, without how many references there are and the version at its end."""
        return "case:mixed|eff:no|tok:13a|smooth:exp"

    def figures(self, totals: FloatArray) -> FloatArray:
        return np.array([[bleu(row, order=order) for order in self._orders] for row in totals])


BLEU = Bleu()


def mean_bleu(statistics: FloatArray) -> float:
    """The mean of the BLEU of each output, as Aharoni & Goldberg (2018) report it; shape [n_outputs, 10]."""
    rows = np.asarray(statistics)
    if not len(rows):
        raise BadInput("BLEU of no outputs.", hint="Give at least one.")
    return float(np.mean([bleu(row, effective_order=True) for row in rows]))


def signature(references: Iterable[int]) -> str:
    """The settings of `BLEU` in sacrebleu's form, given how many references each source has: `nrefs:1|case:…`.

    Without the `version:` at its end, which the report names among the others.
    """
    numbers = set(references)
    return f"nrefs:{numbers.pop() if len(numbers) == 1 else 'var'}|{BLEU.signature()}"
