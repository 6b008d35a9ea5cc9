"""What is counted while pairs are filtered, and the examples that are kept of it. Plain data, stored as JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from training.records import NAMED

__all__ = ["KEPT", "Example", "FileCount", "FirstMalformed", "Tally", "example_key"]

KEPT = "kept"


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Example(_Data):
    """A pair with its place, and what the rule found in it. `key` orders the pairs at random, the same in every run."""

    key: str
    file: str
    line: int
    source: str
    target: str
    value: str | float | None = None


class FirstMalformed(_Data):
    """A row that is no pair: its place, the reason, how it begins."""

    file: str
    line: int
    reason: str
    text: str


class FileCount(_Data):
    """Rows, pairs and malformed rows of a file."""

    rows: int = 0
    pairs: int = 0
    malformed: int = 0


class Tally(_Data):
    """Counts of a run: by file, in order of reading, and by rule; examples of each rule; the first malformed rows."""

    files: dict[str, FileCount] = Field(default_factory=dict)
    first_malformed: list[FirstMalformed] = Field(default_factory=list)
    dropped: dict[str, int] = Field(default_factory=dict)
    kept: int = 0
    examples: dict[str, list[Example]] = Field(default_factory=dict)

    @property
    def pairs(self) -> int:
        return sum(count.pairs for count in self.files.values())

    @property
    def malformed(self) -> int:
        return sum(count.malformed for count in self.files.values())

    @property
    def rows(self) -> int:
        return sum(count.rows for count in self.files.values())

    def add_read(self, file: str, *, rows: int, pairs: int, malformed: Sequence[FirstMalformed]) -> None:
        """More of a file: so many good `rows`, the `pairs` in them (a row may hold several), and malformed ones."""
        count = self.files.setdefault(file, FileCount())
        count.rows += rows + len(malformed)
        count.pairs += pairs
        count.malformed += len(malformed)
        self.first_malformed += malformed[: NAMED - len(self.first_malformed)]

    def add_verdict(self, rule: str, example: Example, most: int) -> None:
        """One pair that `rule` dropped, or that is kept (`KEPT`); it may become one of `most` examples."""
        if rule == KEPT:
            self.kept += 1
        else:
            self.dropped[rule] = self.dropped.get(rule, 0) + 1
        found = self.examples.setdefault(rule, [])
        if len(found) < most or (most and example.key < found[-1].key):
            found.append(example)
            found.sort(key=lambda one: one.key)
            del found[most:]

    def stored(self) -> dict[str, Any]:
        """All of it as JSON's types."""
        return self.model_dump()


def example_key(seed: int, source: str, target: str) -> str:
    """A number, as hexadecimal digits, that is as good as drawn at random for each pair."""
    return hashlib.blake2b(f"{seed}\0{source}\0{target}".encode(), digest_size=8).hexdigest()
