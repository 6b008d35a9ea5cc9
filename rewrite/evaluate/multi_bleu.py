"""BLEU-4 with any number of references, equal to sacrebleu's, and its mean over sentences.

All that BLEU needs of the references of one source is the greatest count of each n-gram in any of them, and their
lengths. `References` gathers both while references go by, so tens of thousands of them, as WebSplit has for one
sentence, are never held. What `References.statistics` gives for an output is added up over a corpus.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Literal

import numpy as np

from rerank.errors import BadInput
from rerank.types import FloatArray
from rewrite.evaluate.sari import ORDERS, ngrams, split_13a

__all__ = [
    "COUNTS",
    "ORDERS",
    "References",
    "Smoothing",
    "bleu",
    "corpus_bleu",
    "mean_bleu",
    "signature",
    "split_words",
]

COUNTS = 2 + 2 * ORDERS
"""How many numbers `References.statistics` gives."""
Smoothing = Literal["exp", "floor"]
_FLOOR = 0.1


def split_words(text: str) -> list[str]:
    """The words of `text` as sacrebleu's tokenizer 13a splits them."""
    # A hyphen before the last line break is no hyphenation, since sacrebleu takes that break off first.
    return split_13a(text.rstrip())


class References:
    """What BLEU needs of the references of one source, split into words by `split`.

    Memory grows with the distinct n-grams, not with the references. `BadInput` where there is no reference.
    """

    __slots__ = ("_lengths", "_most", "_split")

    def __init__(self, references: Iterable[str], *, split: Callable[[str], list[str]] = split_words) -> None:
        self._split = split
        self._most: dict[tuple[str, ...], int] = {}
        self._lengths: set[int] = set()
        for reference in references:
            self._add(split(reference))
        if not self._lengths:
            raise BadInput("BLEU needs at least one reference of each source.", hint="Leave out sources without one.")

    def _add(self, words: list[str]) -> None:
        self._lengths.add(len(words))
        most = self._most
        for order, counts in enumerate(ngrams(words), 1):
            # Nearly all n-grams are in a reference once and were in earlier ones: sets pass over them at once.
            most.update(dict.fromkeys(counts.keys() - most.keys(), 1))
            if len(counts) < len(words) + 1 - order:
                for ngram, count in counts.items():
                    if count > most[ngram]:
                        most[ngram] = count

    def statistics(self, output: str) -> FloatArray:
        """For `output`, 2 + 4 + 4 numbers: its length, that of the reference nearest in length, the n-grams that are in
        a reference by order, clipped to the most often any has them, and all its n-grams by order.

        Of two references equally near the shorter one counts.
        """
        words = self._split(output)
        nearest = min(self._lengths, key=lambda length: (abs(length - len(words)), length))
        counts = ngrams(words)
        most = self._most
        right = [sum(min(n, most.get(ngram, 0)) for ngram, n in order.items()) for order in counts]
        return np.array([len(words), nearest, *right, *(order.total() for order in counts)], dtype=np.float64)


def bleu(
    statistics: FloatArray, *, order: int = ORDERS, effective_order: bool = False, smoothing: Smoothing = "exp"
) -> float:
    """BLEU in [0, 100] of the numbers that `References.statistics` gives, or of their sum over a corpus (shape [10]).

    N-grams of up to `order` words count.

    Orders without a right n-gram are smoothed with 1/2, 1/4, … of one, as sacrebleu does by default (`exp`), or with
    a tenth of one (`floor`), as EASSE does for sentences; with `effective_order` those longer than the output do not
    count, which is the default of both for sentences.
    """
    length, nearest = statistics[:2]
    right, all_ = statistics[2 : 2 + order], statistics[2 + ORDERS : 2 + ORDERS + order]
    if not right.any():
        return 0.0
    logs: list[float] = []
    smooth = 1.0
    for correct, total in zip(right, all_, strict=True):
        if total == 0:
            break
        if correct == 0:
            smooth *= 2
        missed = 1 / smooth if smoothing == "exp" else _FLOOR
        logs.append(math.log((correct or missed) / total))
    if len(logs) < order and not effective_order:
        return 0.0
    penalty = 1.0 if length >= nearest else math.exp(1 - nearest / length)
    return float(100 * penalty * math.exp(sum(logs) / len(logs)))


def corpus_bleu(statistics: FloatArray) -> float:
    """Corpus BLEU in [0, 100] of the statistics of all outputs, shape [n_outputs, 10]."""
    return bleu(np.asarray(statistics).sum(axis=0))


def mean_bleu(statistics: FloatArray) -> float:
    """The mean of the BLEU of each output, as Aharoni & Goldberg (2018) report it; shape [n_outputs, 10]."""
    rows = np.asarray(statistics)
    if not len(rows):
        raise BadInput("BLEU of no outputs.", hint="Give at least one.")
    return float(np.mean([bleu(row, effective_order=True) for row in rows]))


def signature(references: Iterable[int]) -> str:
    """The settings of `corpus_bleu` in sacrebleu's form, given how many references each source has: `nrefs:1|case:…`.

    Without the `version:` at its end, since no sacrebleu has made the figure.
    """
    numbers = set(references)
    count = str(numbers.pop()) if len(numbers) == 1 else "var"
    return f"nrefs:{count}|case:mixed|eff:no|tok:13a|smooth:exp"
