"""Word lists and small tables: text files beside the code that reads them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

_RELATIVE = "~"


class WordLists:
    """The lists of one file: `[name]` opens one, `#` begins a comment line, all other lines are its rows.

    Asking for a list that the file does not have raises `KeyError`.
    """

    def __init__(self, path: Path) -> None:
        self._rows: dict[str, list[str]] = {}
        rows: list[str] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                rows = self._rows[line.strip("[]")] = []
            elif line.strip() and not line.startswith("#"):
                rows.append(line.strip())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all lists, in order."""
        return tuple(self._rows)

    def rows(self, name: str) -> list[str]:
        """The lines of a list."""
        return self._rows[name]

    def sequence(self, name: str) -> tuple[str, ...]:
        """The words of all lines, in order."""
        return tuple(" ".join(self.rows(name)).split())

    def words(self, name: str) -> frozenset[str]:
        """The words of all lines."""
        return frozenset(self.sequence(name))

    def groups(self, name: str) -> dict[str, list[str]]:
        """Lines such as `class: word word`: each class with its words in order."""
        groups: dict[str, list[str]] = {}
        for row in self.rows(name):
            group, _, words = row.partition(": ")
            groups.setdefault(group, []).extend(words.split())
        return groups

    def classes(self, name: str) -> dict[str, str]:
        """Lines such as `class: word word`: each word with its class."""
        return {word: group for group, words in self.groups(name).items() for word in words}


class Side(NamedTuple):
    """A side (0 or 1) of a line of a list of opposites: what stands on the other side of that line is its opposite."""

    line: int
    side: int

    @property
    def other(self) -> Side:
        return Side(self.line, 1 - self.side)


def denials(language: str, *kinds: str) -> frozenset[str]:
    """Words that deny in Russian or English: all, or those of some kinds (`particle`, `absence`, `never` …)."""
    groups = WordLists(Path(__file__).with_name("negation.txt")).groups(language)
    return frozenset(word for kind in kinds or groups for word in groups[kind])


def sides_in(path: Path) -> list[tuple[list[str], bool]]:
    """Lines of a list of opposites by their columns, and whether they have ~."""
    lines = (line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    return [(line.lstrip(_RELATIVE).split(), line.startswith(_RELATIVE)) for line in lines]
