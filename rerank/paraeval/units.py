"""What is counted: words, bigrams, or skip-bigrams with words, as ROUGE-1, ROUGE-2 and ROUGE-SU4 have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from rerank.errors import UnknownName

__all__ = ["UNITS", "count", "overlap"]

_Unit = tuple[str, ...]
_GAP = 4


def _words(keys: Sequence[str]) -> Iterator[_Unit]:
    return ((key,) for key in keys)


def _bigrams(keys: Sequence[str]) -> Iterator[_Unit]:
    return pairwise(keys)


def _skip_bigrams(keys: Sequence[str]) -> Iterator[_Unit]:
    """Pairs in order with at most four words between them, and the words themselves."""
    yield from _words(keys)
    for i, key in enumerate(keys):
        for other in keys[i + 1 : i + _GAP + 2]:
            yield key, other


UNITS: Mapping[str, Callable[[Sequence[str]], Iterator[_Unit]]] = MappingProxyType(
    {"words": _words, "bigrams": _bigrams, "skip-bigrams": _skip_bigrams}
)
"""What may be counted, by name."""


def count(unit: str, keys: Sequence[str]) -> Counter[_Unit]:
    """How often each unit stands in a text of `keys`. Raises `UnknownName` for a unit that is not in `UNITS`."""
    if unit not in UNITS:
        raise UnknownName(f"Unknown unit {unit!r}.", hint=f"Known: {', '.join(UNITS)}.")
    return Counter(UNITS[unit](keys))


def overlap(one: Counter[_Unit], other: Counter[_Unit]) -> float:
    """Share of the units of `one` that `other` has, each as often as it has it, in [0, 1]; 0 where `one` has none."""
    total = sum(one.values())
    return sum((one & other).values()) / total if total else 0.0
