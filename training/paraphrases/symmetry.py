"""One alignment of two: from source to target, and from target to source, as phrase-based translation joins them."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Link", "grow_diag_final_and"]

Link = tuple[int, int]
"""The number of a word of one sentence and that of a word of the other, from 0."""
_AROUND = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def grow_diag_final_and(forward: Iterable[Link], backward: Iterable[Link]) -> frozenset[Link]:
    """The links of both, grown by neighbours from either, and by links of which both words are free yet.

    Koehn, Och and Marcu (2003) in the form of Moses: beginning with the intersection, links of the union are added that
    stand beside one in the alignment, diagonally too, and have a word that is free; at the end those of `forward` and
    then of `backward` both words of which are free.
    """
    one, other = frozenset(forward), frozenset(backward)
    links = _grown(one & other, one | other)
    for rest in (one, other):
        for i, j in sorted(rest):
            if all(i != a and j != b for a, b in links):
                links.add((i, j))
    return frozenset(links)


def _grown(links: frozenset[Link], union: frozenset[Link]) -> set[Link]:
    found = set(links)
    sources, targets = {i for i, _ in found}, {j for _, j in found}
    queue = sorted(found)
    # Every new link is looked around itself, so nothing is left that could be added.
    for i, j in queue:
        for near in ((i + di, j + dj) for di, dj in _AROUND):
            if near in union and near not in found and (near[0] not in sources or near[1] not in targets):
                found.add(near)
                sources.add(near[0])
                targets.add(near[1])
                queue.append(near)
    return found
