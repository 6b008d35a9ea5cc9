"""Which rows to ask a model for, so that few of them serve many.

The text without the words i … j, with a mask for the word before them, is the text without i − 1 … j − 1 with a mask
for the word after those, where both words have as many sub-words. So one row has a term of two neighbouring spans, and
little more than half as many rows as spans will do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

__all__ = ["serve_all"]


def serve_all(wanted: Sequence[Sequence[Hashable]]) -> list[list[int]]:
    """For each list of `wanted` the indices of what it gets: one at least, and all that any other one gets too.

    Few different things are chosen in all, though not always the fewest: in order, each list that has none yet gets
    what most of those that follow want too, of equals its first. An empty list gets nothing.
    """
    waiting = Counter(one for own in wanted for one in set(own))
    chosen: set[Hashable] = set()
    for own in wanted:
        if own and chosen.isdisjoint(own):
            chosen.add(max(own, key=lambda one: waiting[one]))
        waiting.subtract(set(own))
    return [[number for number, one in enumerate(own) if one in chosen] for own in wanted]
