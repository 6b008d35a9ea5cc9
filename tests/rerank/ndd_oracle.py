"""NDD as its equations read, one row at a time and in float64: the oracle of the tests, and of no other use."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import torch
import transformers

from rerank.masked.base import MaskedModel, Word

__all__ = ["Oracle"]

Places = Sequence[tuple[int, int]]


class Oracle:
    def __init__(self, folder: Path, model: MaskedModel) -> None:
        self._words = model
        self._model = transformers.AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float64).eval()
        # What is expected at a place is asked for once in each way in which two texts can be aligned.
        self._softmax_at = cache(self._read)

    def mlm(self, words: Sequence[Word], place: int, masking: str, *, hidden: int | None = None) -> list[torch.Tensor]:
        """MLM(W, i): a distribution for each sub-word of the word there; −1 and len(words) are the tokens around.

        With `hidden`, a single mask stands for the word there.
        """
        groups = [list(self._words.prefix), *(list(self._words.tokens(w)) for w in words), list(self._words.suffix)]
        if hidden is not None:
            groups[hidden + 1] = [self._words.mask]
        group = groups[place + 1]
        before = sum(len(other) for other in groups[: place + 1])
        mask = self._words.mask
        if masking == "word":
            groups[place + 1] = [mask] * len(group)
            return [self._softmax(groups, before + k) for k in range(len(group))]
        if masking == "one":
            groups[place + 1] = [mask]
            return [self._softmax(groups, before)]
        found = []
        for k in range(len(group)):
            groups[place + 1] = [*group[:k], mask, *group[k + 1 :]]
            found.append(self._softmax(groups, before + k))
        return found

    def _softmax(self, groups: list[list[int]], position: int) -> torch.Tensor:
        return self._softmax_at(tuple(token for group in groups for token in group), position)

    def _read(self, row: tuple[int, ...], position: int) -> torch.Tensor:
        with torch.no_grad():
            return self._model(input_ids=torch.tensor([row])).logits[0, position].softmax(-1)

    def ndd(
        self,
        source: Sequence[Word],
        candidate: Sequence[Word],
        common: Places,
        *,
        divergence: str,
        attention: str,
        masking: str,
        mu: float = 0.9,
        nu: float = 1.0,
    ) -> float:
        """The distance of two texts that differ, whose `common` words stand at these places."""
        pairs: Places
        if common:
            pairs = common
            sizes = len(source), len(candidate)
            weights = [nu**i * _attention(pairs, k, *sizes, attention, mu) for k, (i, _) in enumerate(pairs)]
        else:
            pairs = [(-1, -1), (len(source), len(candidate))]
            beside = {"mean": 0.5, "exponential": mu, "balanced": mu * (1 + mu), "adjacent": mu * (1 + mu)}[attention]
            weights = [beside * nu**0, beside * nu ** (len(source) + 1)]
        return sum(
            weight * self.between(source, i, candidate, j, divergence=divergence, masking=masking)
            for weight, (i, j) in zip(weights, pairs, strict=True)
        )

    def masked(self, source: Sequence[Word], place: int, *, divergence: str, masking: str) -> float:
        """The mean distance of a text and the same with a single mask for the word at `place`."""
        others = [k for k in range(len(source)) if k != place]
        total = 0.0
        for k in others:
            edited = self.mlm(source, k, masking, hidden=place)
            total += _mean(self.mlm(source, k, masking), edited, divergence)
        return total / len(others)

    def between(
        self, source: Sequence[Word], i: int, candidate: Sequence[Word], j: int, *, divergence: str, masking: str
    ) -> float:
        """The divergence of what is expected at place i of one text and at j of the other."""
        return _mean(self.mlm(source, i, masking), self.mlm(candidate, j, masking), divergence)


def _mean(q: Sequence[torch.Tensor], edited: Sequence[torch.Tensor], divergence: str) -> float:
    terms = [_divergence(a, b, divergence) for a, b in zip(q, edited, strict=True)]
    return sum(terms) / len(terms)


def _divergence(q: torch.Tensor, edited: torch.Tensor, kind: str) -> float:
    if kind == "hellinger":
        return math.sqrt(float(((q.sqrt() - edited.sqrt()) ** 2).sum())) / math.sqrt(2)
    if kind == "kl":
        return float((edited * (edited / q).log()).sum())
    return float((q * (q / edited).log()).sum())


def _attention(pairs: Places, k: int, n: int, m: int, kind: str, mu: float) -> float:
    if kind == "mean":
        return 1 / len(pairs)
    removed = sorted(set(range(n)) - {i for i, _ in pairs})
    inserted = sorted(set(range(m)) - {j for _, j in pairs})
    i, j = pairs[k]
    distance = min([abs(i - r) for r in removed] + [abs(j - r) for r in inserted])
    if kind == "exponential":
        return mu**distance
    if kind == "adjacent" and distance > 1:
        return 0.0
    across = []
    for place, places, side in ((i, removed, 0), (j, inserted, 1)):
        nearest = [r for r in places if abs(place - r) == distance]
        across += [sum((pair[side] > r) != (place > r) for pair in pairs) for r in nearest]
    return mu**distance + mu ** (distance + min(across))
