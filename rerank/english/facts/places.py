"""Where a number stands, by the words before it: one of the source's own may be in another's place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rerank.english.facts.denials import FUNCTION
from rerank.english.facts.numbers import Value
from rerank.english.facts.words import Text

__all__ = ["Item", "exchanged"]

_LINKS = frozenset([*", ; and or & - -- / ( ) to of in the a near".split(), ""])
_NEAREST = 4


@dataclass(frozen=True, slots=True)
class Item:
    """A number by its values, with the places of its words, and the word behind it, none of a year."""

    keys: frozenset[Value]
    start: int
    stop: int
    text: str
    unit: str


def exchanged(source: Text, given: Iterable[Item], text: Text, said: Iterable[Item]) -> Iterator[tuple[Item, Item]]:
    """What a text says, with what stands in the source behind the same two words.

    Only where one of the two tells something, where the source has what is said too, but never behind the last word of
    the two, and where neither stands in a list or row with the other.
    """
    behind: dict[tuple[str, str], list[Item]] = {}
    items = list(given)
    for item in items:
        behind.setdefault(_before(source, item), []).append(item)
    for item in said:
        words = _before(text, item)
        there = [one for one in behind.get(words, ()) if one.unit == item.unit] if _tells(words) else []
        if not there or any(one.keys & item.keys for one in there):
            continue
        own = [one for one in items if one.keys & item.keys]
        if own and not any(_may_follow(source, one, words[1]) for one in own) and not _is_linked(source, own, there):
            yield item, there[0]


def _before(text: Text, item: Item) -> tuple[str, str]:
    return text.low(item.start - 2), text.low(item.start - 1)


def _tells(words: tuple[str, str]) -> bool:
    return any(len(word) > 2 and word.isalpha() and word not in FUNCTION for word in words)


def _may_follow(source: Text, item: Item, word: str) -> bool:
    """Whether a number stands behind the same word in the source too, for a year one that tells something."""
    return source.low(item.start - 1) == word and (bool(item.unit) or word not in FUNCTION)


def _is_linked(source: Text, own: Iterable[Item], there: Iterable[Item]) -> bool:
    """Whether two items of the source stand in a list or row: *in 3, 4 and 5*, *2 km (1 mile)*."""
    for one in own:
        for other in there:
            first, second = sorted((one, other), key=lambda item: item.start)
            between = range(first.stop, second.start)
            words = [source.low(at) for at in between]
            if len(words) <= _NEAREST and ("(" in words or _LINKS.issuperset(words)):
                return True
    return False
