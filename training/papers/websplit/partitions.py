"""All partitions of a set of triples into sets that WebNLG has texts for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from training.papers.websplit.triples import Triple

__all__ = ["covers", "partitions"]


def covers(blocks: Sequence[int], full: int) -> Iterator[tuple[int, ...]]:
    """The sets of disjoint `blocks` whose union is `full`, all of them bit masks, each set by lowest bits."""
    by_lowest: dict[int, list[int]] = {}
    for block in blocks:
        by_lowest.setdefault(block & -block, []).append(block)

    def fill(rest: int) -> Iterator[tuple[int, ...]]:
        if not rest:
            yield ()
        # Who holds the lowest triple left is the next block, so nothing is found twice.
        for block in by_lowest.get(rest & -rest, ()):
            if block & rest == block:
                for others in fill(rest ^ block):
                    yield (block, *others)

    yield from fill(full)


def partitions(triples: Sequence[Triple], known: Mapping[frozenset[Triple], int]) -> Iterator[tuple[int, ...]]:
    """Each partition of `triples` into sets of `known`, as the values of these, in the order of their first triples.

    With `triples` in depth-first order that is the order of the texts in section 3.2. The partition into one set is
    among them. At most 7 triples make at most 877 partitions.
    """
    full = (1 << len(triples)) - 1
    values: dict[int, int] = {}
    for mask in range(1, full + 1):
        value = known.get(frozenset(triple for place, triple in enumerate(triples) if mask >> place & 1))
        if value is not None:
            values[mask] = value
    for blocks in covers(list(values), full):
        yield tuple(values[block] for block in blocks)
