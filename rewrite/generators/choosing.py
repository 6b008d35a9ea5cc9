"""Which of the deletions on offer a search makes: a rule, kept apart from where spans and their values come from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rewrite.generators.spans import Span

if TYPE_CHECKING:
    from rewrite.generators.deletion import Path

__all__ = ["Choice", "Gaining", "Offer", "Pending", "disjoint"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A span and the value of the text without it; where `exact` is false, the value is at most that."""

    span: Span
    value: float
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Pending:
    """What a choice hangs on: offers of these spans, which are not exact; values below `floor` still need not be."""

    spans: Sequence[Span]
    floor: float


class Choice(Protocol):
    """Which spans to cut, given what all of them lead to."""

    @property
    def floor(self) -> float:
        """Values below it need not be known exactly at first; −∞ where all do."""
        ...

    def __call__(self, path: Path, offers: Sequence[Offer]) -> Sequence[Span] | Pending:
        """Spans that do not overlap, none to end the search; or what has to be found out first.

        Where all offers are exact, the answer is never `Pending`.
        """
        ...


def disjoint(spans: Iterable[Span]) -> list[Span]:
    """The spans in their order without those that overlap one before them."""
    found: list[Span] = []
    taken: set[int] = set()
    for span in spans:
        if taken.isdisjoint(span.starts):
            found.append(span)
            taken |= span.starts
    return found


@dataclass(frozen=True, slots=True)
class Gaining:
    """Deletions that raise the value by more than `min_gain`: the best one, or with `together` all of them.

    Of two that overlap the one of higher value is made.
    """

    min_gain: float = 0.0
    together: bool = False

    @property
    def floor(self) -> float:
        return -math.inf

    def __call__(self, path: Path, offers: Sequence[Offer]) -> Sequence[Span]:
        gaining = [offer for offer in offers if offer.value - path.value > self.min_gain]
        ranked = disjoint(offer.span for offer in sorted(gaining, key=lambda offer: -offer.value))
        return ranked if self.together else ranked[:1]
