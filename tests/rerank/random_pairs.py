"""Texts and edited ones, drawn by chance: for tests of distances between them."""

from __future__ import annotations

import random
from functools import cache

from rerank.masked.base import Word
from tests.rerank.tiny_masked import WORDS

__all__ = ["alignments", "random_pairs"]

Words = list[Word]
Alignment = tuple[tuple[int, int], ...]
_MOST_ALIGNMENTS = 12


def random_pairs(count: int, *, seed: int = 5) -> list[tuple[Words, Words]]:
    """Texts of up to ten words, some of which repeat, each with another one that one to three edits make of it.

    An edit deletes up to three words side by side, replaces them, adds words or moves some; no two texts are equal, and
    few have a great number of longest common subsequences.
    """
    chance = random.Random(seed)
    pairs: list[tuple[Words, Words]] = []
    while len(pairs) < count:
        kinds = chance.sample(WORDS, 9)
        source = [chance.choice(kinds) for _ in range(chance.randint(1, 10))]
        target = list(source)
        for _ in range(chance.randint(1, 3)):
            _edit(target, chance)
        found = alignments(source, target)
        if source != target and 0 < len(found) <= _MOST_ALIGNMENTS:
            pairs.append(([Word(word) for word in source], [Word(word) for word in target]))
    return pairs


def _edit(target: list[str], chance: random.Random) -> None:
    place = chance.randint(0, len(target))
    cut = target[place : place + chance.randint(0, 3)]
    fresh = [chance.choice(WORDS) for _ in range(chance.randint(0, 2))]
    target[place : place + len(cut)] = fresh
    if cut and chance.random() < 0.3:
        again = chance.randint(0, len(target))
        target[again:again] = cut


def alignments(source: list[str], target: list[str]) -> list[Alignment]:
    """All longest common subsequences, as pairs of places: every way is walked, so for short texts alone."""

    @cache
    def ways(i: int, j: int) -> frozenset[Alignment]:
        if i == len(source) or j == len(target):
            return frozenset({()})
        found = set(ways(i + 1, j)) | set(ways(i, j + 1))
        if source[i] == target[j]:
            found |= {((i, j), *rest) for rest in ways(i + 1, j + 1)}
        longest = max(map(len, found))
        return frozenset(one for one in found if len(one) == longest)

    return sorted(ways(0, 0))
