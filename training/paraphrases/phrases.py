"""Phrase pairs that agree with an alignment (Och and Ney, 2004)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from training.paraphrases.symmetry import Link
from training.paraphrases.words import is_word

__all__ = ["phrase_pairs", "phrase_spans"]

Phrase = tuple[str, ...]
Span = tuple[int, int]


def phrase_pairs(
    source: Sequence[str], target: Sequence[str], links: Collection[Link], *, longest: int
) -> Iterator[tuple[Phrase, Phrase]]:
    """The words of `phrase_spans`."""
    for (start, stop), (first, end) in phrase_spans(source, target, links, longest=longest):
        yield tuple(source[start:stop]), tuple(target[first:end])


def phrase_spans(
    source: Sequence[str], target: Sequence[str], links: Collection[Link], *, longest: int
) -> Iterator[tuple[Span, Span]]:
    """Every pair of stretches of `source` and `target`, of up to `longest` words, that agrees with the links.

    It agrees if at least one link is within it and none leads from a word of one stretch to a word outside the other.
    Words without links around the stretch of `target` may belong to it or not, so there is a pair for each way. No
    stretch has a mark in it.
    """
    by_source: list[list[int]] = [[] for _ in source]
    by_target: list[list[int]] = [[] for _ in target]
    for i, j in links:
        by_source[i].append(j)
        by_target[j].append(i)
    for start in range(len(source)):
        first, last = len(target), -1
        for stop in range(start + 1, min(start + longest, len(source)) + 1):
            if not is_word(source[stop - 1]):
                break
            linked = by_source[stop - 1]
            first, last = min([first, *linked]), max([last, *linked])
            if last < 0:
                continue
            if last - first >= longest:
                break
            if all(start <= i < stop for j in range(first, last + 1) for i in by_target[j]):
                for a, b in _widened(first, last + 1, target, by_target, longest):
                    yield (start, stop), (a, b)


def _widened(
    first: int, stop: int, target: Sequence[str], linked: Sequence[Sequence[int]], longest: int
) -> Iterator[tuple[int, int]]:
    """The stretch from `first` to `stop`, and with free words before or after it; none where there is a mark in it."""
    if not all(map(is_word, target[first:stop])):
        return
    starts, stops = [first], [stop]
    while (before := starts[-1] - 1) >= 0 and not linked[before] and is_word(target[before]):
        starts.append(before)
    while (after := stops[-1]) < len(target) and not linked[after] and is_word(target[after]):
        stops.append(after + 1)
    yield from ((a, b) for a, b in product(starts, stops) if b - a <= longest)
