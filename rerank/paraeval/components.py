"""Links in groups that share no word, and what in such a group can be exchanged for one another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rerank.paraeval.types import Link

__all__ = ["Blocks", "connected", "find_blocks"]


def connected(links: Sequence[Link]) -> list[list[int]]:
    """The numbers of `links`, in groups: links of different groups share no word of either text."""
    parent = list(range(len(links)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    owners: dict[tuple[bool, int], int] = {}
    for number, link in enumerate(links):
        words = [(True, i) for i in range(link.start, link.stop)]
        words += [(False, j) for j in range(link.peer_start, link.peer_stop)]
        for word in words:
            parent[root(owners.setdefault(word, number))] = root(number)
    groups: dict[int, list[int]] = {}
    for number in range(len(links)):
        groups.setdefault(root(number), []).append(number)
    return list(groups.values())


@dataclass(frozen=True)
class Blocks:
    """The peer's words of one group of links, as blocks: no link reaches over the edge of one.

    `twins` are sets of blocks, by their first words, that the same phrases of the reference are linked to in the same
    way, so that they can be exchanged for one another; `sizes` are their words, and `of` the block and the twins of
    each word that is in such a block.
    """

    twins: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    of: dict[int, tuple[int, int]]

    def canonical(self, mask: int) -> object:
        """One value for all `mask`s of taken words that differ only in which of the twins is which."""
        if not self.twins:
            return mask
        rest, taken = mask, []
        for blocks, size in zip(self.twins, self.sizes, strict=True):
            ones = (1 << size) - 1
            taken.append(tuple(sorted(mask >> block & ones for block in blocks)))
            for block in blocks:
                rest &= ~(ones << block)
        return rest, tuple(taken)

    def has_earlier_twin(self, word: int, mask: int) -> bool:
        """Whether a twin before the block of `word` has the same words taken, so that it may as well be used."""
        if word not in self.of:
            return False
        block, kind = self.of[word]
        ones = (1 << self.sizes[kind]) - 1
        own = mask >> block & ones
        return any(mask >> twin & ones == own for twin in self.twins[kind] if twin < block)


def find_blocks(links: Iterable[tuple[Link, int]]) -> Blocks:
    """The blocks of links, each with what it is worth."""
    shapes: dict[tuple[object, ...], list[int]] = {}
    sizes: dict[tuple[object, ...], int] = {}
    start = stop = -1
    inside: list[tuple[Link, int]] = []

    def close() -> None:
        shape = tuple(sorted((a, b, c - start, d - start, p, value) for (a, b, c, d, p), value in inside))
        shapes.setdefault(shape, []).append(start)
        sizes[shape] = stop - start

    for link, value in sorted(links, key=lambda pair: (pair[0].peer_start, pair[0].peer_stop)):
        if link.peer_start >= stop:
            if inside:
                close()
            start, inside = link.peer_start, []
        inside.append((link, value))
        stop = max(stop, link.peer_stop)
    close()
    shared = [(tuple(blocks), sizes[shape]) for shape, blocks in shapes.items() if len(blocks) > 1]
    of = {
        block + offset: (block, kind)
        for kind, (blocks, size) in enumerate(shared)
        for block in blocks
        for offset in range(size)
    }
    return Blocks(tuple(blocks for blocks, _ in shared), tuple(size for _, size in shared), of)
