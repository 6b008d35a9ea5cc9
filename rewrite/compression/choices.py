"""Which spans go in a round: all under a threshold, or as many as bring a sentence to a ratio."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rewrite.compression.counting import WordCount
from rewrite.compression.options import Overlap
from rewrite.generators.choosing import Offer, disjoint
from rewrite.generators.deletion import Path
from rewrite.generators.spans import Span

__all__ = ["MOST_OVER", "ToRatio", "Under", "goal_of"]

MOST_OVER = 0.1
"""By how much the ratio of one sentence may exceed what was asked for, where its words may go."""
_CLOSE = 0.03
_A_LITTLE = 0.05


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A span on offer: its distance, at least that where it is not `exact`, and how many words go with it."""

    span: Span
    distance: float
    words: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Under:
    """All spans whose distance is at most `threshold`; `overlap` says which of two goes that share a word.

    `counts` gives the words of a source. At least one word always stays.
    """

    threshold: float
    overlap: Overlap
    counts: Callable[[Path], WordCount]

    @property
    def floor(self) -> float:
        return -self.threshold

    def __call__(self, path: Path, offers: Sequence[Offer]) -> Sequence[Span]:
        count = self.counts(path)
        inside = [one for one in _ranked(path, offers, count) if one.distance <= self.threshold]
        chosen: list[Span] = []
        for span in _resolved(inside, self.overlap):
            if count.left(path.removed.union(*(other.starts for other in chosen), span.starts)):
                chosen.append(span)
        return chosen


@dataclass(frozen=True, slots=True)
class ToRatio:
    """Spans under a threshold of this sentence's own, such that about `ratio` of its words stay in the end.

    What is too much is shared out over `iterations` rounds, so that most cuts are judged with earlier ones made. In a
    round the threshold is the lowest under which enough words go; spans that would take too many are left out.
    `last` says that no other search follows: then a sentence that is too long by more than `MOST_OVER` loses the
    shortest span there is, even if that is more than was asked for. Distances over `limit` are found out exactly only
    where the choice hangs on them.
    """

    ratio: float
    iterations: int
    overlap: Overlap
    last: bool
    counts: Callable[[Path], WordCount]
    limit: float = math.inf

    @property
    def floor(self) -> float:
        return -self.limit

    def __call__(self, path: Path, offers: Sequence[Offer]) -> Sequence[Span] | None:
        count = self.counts(path)
        left = count.left(path.removed)
        excess = left - goal_of(self.ratio, count.total)
        if excess <= 0:
            return ()
        ranked = [one for one in _ranked(path, offers, count) if 0 < one.words < left]
        fitting = [one for one in ranked if one.words <= excess]
        if not fitting:
            return self._nearest(ranked, excess, count, left)
        rounds = max(1, self.iterations - len(path.stages))
        quota = math.ceil(excess / rounds)
        return _enough(fitting, quota, excess, self.overlap)

    def close(self, path: Path) -> bool:
        """Whether the path is as short as it should be, to a few words in a hundred."""
        count = self.counts(path)
        return count.left(path.removed) <= max(
            goal_of(self.ratio, count.total), int((self.ratio + _CLOSE) * count.total)
        )

    def _nearest(self, ranked: Sequence[_Ranked], excess: int, count: WordCount, left: int) -> Sequence[Span] | None:
        """The span that ends nearest to the goal though beyond it, where that is nearer than now or must be."""
        must = self.last and left > _most(self.ratio, count.total)
        beyond = excess - 1 if self.last else min(excess - 1, int(_A_LITTLE * count.total))
        better = [one for one in ranked if must or one.words <= excess + beyond]
        if not better:
            return ()
        fewest = min(one.words for one in better)
        shortest = [one for one in better if one.words == fewest]
        return _enough(shortest, 1, fewest, self.overlap)


def goal_of(ratio: float, words: int) -> int:
    """How many of a sentence's words should stay: the nearest number to `ratio`, not above it by over `MOST_OVER`."""
    return max(1, min(math.floor(ratio * words + 0.5), _most(ratio, words)))


def _most(ratio: float, words: int) -> int:
    # Rounding must not turn 6 of 10 words into 5.
    return max(1, math.floor((ratio + MOST_OVER) * words + 1e-9))


def _ranked(path: Path, offers: Sequence[Offer], count: WordCount) -> list[_Ranked]:
    return [
        _Ranked(offer.span, -offer.value, count.lost(offer.span.starts, path.removed), offer.exact) for offer in offers
    ]


def _resolved(ranked: Sequence[_Ranked], overlap: Overlap) -> list[Span]:
    """Spans that do not overlap, first come those that `overlap` prefers."""
    if overlap == "higher":
        return disjoint(one.span for one in sorted(ranked, key=lambda one: (-one.distance, -one.words)))
    return disjoint(one.span for one in sorted(ranked, key=lambda one: _key(one, overlap)))


def _key(one: _Ranked, overlap: Overlap) -> tuple[float, float]:
    """By what spans are held against a threshold."""
    share = one.distance / max(1, one.words) if overlap == "share" else one.distance
    return share, -one.words


def _enough(ranked: Sequence[_Ranked], quota: int, most: int, overlap: Overlap) -> Sequence[Span] | None:
    """The spans under the lowest threshold under which `quota` words go, but no more than `most`.

    `None` where it hangs on distances that are not exact.
    """
    ordered = sorted(ranked, key=lambda one: _key(one, overlap))
    words = {one.span.starts: one.words for one in ordered}
    best: list[Span] = []
    for number, one in enumerate(ordered, start=1):
        if not one.exact:
            return None
        chosen, gone = [], 0
        for span in _resolved(ordered[:number], overlap):
            if gone + words[span.starts] <= most:
                chosen.append(span)
                gone += words[span.starts]
        best = chosen
        if gone >= quota:
            break
    return best
