"""How much a choice of links can still gain: an upper bound, so that what cannot win is left early."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import floor, inf

from rerank.paraeval.types import Link

__all__ = ["Bound"]

_STEP, _SLOWER = 0.5, 0.93
_ROUNDING = 1e-6


class Bound:
    """An upper bound by Lagrangian relaxation: words of the peer may be taken twice, but each has a price.

    At any prices ≥ 0, no choice is worth more than the prices of the free words of the peer together with the best
    that the links are worth beyond the prices of their words, the reference's words being taken once. The prices are
    found by `rounds` of subgradient descent; without a round all are 0.
    """

    def __init__(self, group: Sequence[tuple[Link, int]], rounds: int) -> None:
        self._group = group
        self._end = max(link.stop for link, _ in group)
        prices = [0.0] * max(link.peer_stop for link, _ in group)
        step, lowest = _STEP, inf
        for _ in range(rounds + 1):
            still, choices = self._beyond(prices)
            if still[0] + sum(prices) < lowest:
                lowest = still[0] + sum(prices)
                self._still, self._prices = still, prices
            taken = self._taken(choices, len(prices))
            prices = [max(0.0, price + step * (count - 1)) for price, count in zip(prices, taken, strict=True)]
            step *= _SLOWER
        self._sums: dict[int, float] = {}

    def rest(self, start: int, free: int) -> int:
        """What links that begin at `start` or later and take words of the mask `free` are worth at most."""
        if free not in self._sums:
            self._sums[free] = sum(price for j, price in enumerate(self._prices) if free >> j & 1)
        return floor(self._still[start] + self._sums[free] + _ROUNDING)

    def _beyond(self, prices: Sequence[float]) -> tuple[list[float], list[Link | None]]:
        """For each word of the reference the best that links from there on are worth beyond prices, and the first."""
        starting: dict[int, list[tuple[float, Link]]] = defaultdict(list)
        for link, value in self._group:
            starting[link.start].append((value - sum(prices[link.peer_start : link.peer_stop]), link))
        still = [0.0] * (self._end + 1)
        choices: list[Link | None] = [None] * (self._end + 1)
        for start in range(self._end - 1, -1, -1):
            still[start] = still[start + 1]
            for gain, link in starting.get(start, ()):
                if gain + still[link.stop] > still[start]:
                    still[start], choices[start] = gain + still[link.stop], link
        return still, choices

    def _taken(self, choices: Sequence[Link | None], words: int) -> list[int]:
        """How often the best links at these prices take each word of the peer."""
        taken, at = [0] * words, 0
        while at < self._end:
            link = choices[at]
            if link is None:
                at += 1
                continue
            for j in range(link.peer_start, link.peer_stop):
                taken[j] += 1
            at = link.stop
        return taken
