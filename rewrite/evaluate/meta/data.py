"""What a set of rated texts is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rewrite.judging.types import Row

__all__ = ["LARGEST", "Loaded", "Rated", "RatedSet"]

LARGEST = 1e100
"""Scores and ratings that are larger, or less than its negative, are refused: their squares are no numbers."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A text that `system` made of `document`, and the mean of people's ratings by aspect; more is better.

    An aspect in which nobody rated it is left out.
    """

    document: str
    system: str
    row: Row
    ratings: Mapping[str, float]


class Loaded(NamedTuple):
    """What a file holds: rated texts, notes on what was left out, and the aspects that it names, rated or not."""

    items: list[Rated]
    notes: list[str]
    aspects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RatedSet:
    """Texts in the order of the file, at most one of each document by each system.

    In some of `aspects` nobody may have rated any text. `notes` say what of the file was left out. `binary`: the
    ratings are 0 and 1, and the area under the curve is what is usually told. `language` of the texts, `None` where it
    may differ.
    """

    name: str
    aspects: tuple[str, ...]
    items: tuple[Rated, ...]
    notes: tuple[str, ...] = ()
    language: str | None = None
    binary: bool = False

    @property
    def documents(self) -> tuple[str, ...]:
        """Names of the documents, each once, in their order."""
        return tuple(dict.fromkeys(item.document for item in self.items))

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, each once, in their order."""
        return tuple(dict.fromkeys(item.system for item in self.items))

    @property
    def rows(self) -> tuple[Row, ...]:
        """What a metric is given."""
        return tuple(item.row for item in self.items)

    @property
    def has_references(self) -> bool:
        """Whether every text has at least one reference."""
        return all(item.row.references for item in self.items)
