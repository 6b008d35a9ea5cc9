"""What of a file is left out: how much of each kind, and where the first of it stands."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice

from rerank.plural import counted

__all__ = ["Kind", "LeftOut", "first_few"]

Kind = tuple[str, str]
"""What one thing that is left out is called, and what several are."""

_FEW = 3
_LONGEST = 40


class LeftOut:
    """Counts by kind, with the names of the first places of each."""

    def __init__(self) -> None:
        self._counts: Counter[Kind] = Counter()
        # A dict, since of one document several things may be left out.
        self._places: defaultdict[Kind, dict[str, None]] = defaultdict(dict)

    def add(self, what: Kind, document: str, system: str | None = None, *, count: int = 1) -> None:
        """`count` more of `what`, in a document or in what a system made of it; none is no word."""
        if count:
            self._counts[what] += count
            if len(self._places[what]) <= _FEW:
                place = f"document {_short(document)}"
                self._places[what][place if system is None else f"{place}, system {_short(system)}"] = None

    def notes(self) -> list[str]:
        """A line for each kind, in the order in which they were met: how much of it, and at most three places."""
        return [
            f"left out: {counted(count, *what)} ({first_few(self._places[what])})"
            for what, count in self._counts.items()
        ]


def first_few(names: Iterable[str], *, between: str = "; ") -> str:
    """At most three of `names`, and whether there are more."""
    found: Sequence[str] = list(islice(names, _FEW + 1))
    return between.join([*found[:_FEW], *("…" for _ in found[_FEW:])])


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
