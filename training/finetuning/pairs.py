"""Files of pairs, row by row: what cannot be read is counted and the first of it named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rerank.errors import BadInput

__all__ = ["RowCounts", "read_rows"]

_NAMED = 10
_SHOWN = 60
_JSON = (".jsonl", ".ndjson", ".json")


@dataclass
class RowCounts:
    """What became of the rows of all files."""

    read: int = 0
    malformed: int = 0
    first: list[str] = field(default_factory=list)

    def bad(self, place: str, reason: str) -> None:
        """Count a row that cannot be read."""
        self.malformed += 1
        if len(self.first) < _NAMED:
            self.first.append(f"{place}: {reason}")

    def check(self, most: float) -> None:
        """Raises `BadInput` where more than a share of `most` is malformed."""
        if self.malformed > most * self.read:
            listed = "".join(f"\n  {line}" for line in self.first)
            raise BadInput(
                f"{self.malformed:,} of {self.read:,} rows are malformed, more than {most:.1%}:{listed}\n",
                hint="Mend them, or raise bad_rows.",
            )


def read_rows(path: Path, counts: RowCounts) -> Iterator[tuple[str, str]]:
    """Source and target of each row: of JSON lines by the keys `source` and `target` (or `references`), else of TSV.

    A row with several targets is several pairs. Blank lines are nothing. Raises `BadInput` for a file that cannot be
    opened.
    """
    parse = _of_json if path.suffix.lower() in _JSON else _of_tsv
    try:
        file = path.open("rb")
    except OSError as error:
        raise BadInput(
            f"Cannot read the pairs in {str(path)!r}: {error.strerror or error}.",
            hint="Check the path, or run the step filter first.",
        ) from error
    with file:
        for number, raw in enumerate(file, 1):
            if not raw.strip():
                continue
            counts.read += 1
            try:
                source, targets = parse(raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n"))
            except ValueError as error:  # of JSON and of UTF-8 alike
                counts.bad(f"{path}, line {number}", str(error))
                continue
            for target in targets:
                yield source, target


def _of_tsv(line: str) -> tuple[str, list[str]]:
    source, *targets = (field.strip() for field in line.split("\t"))
    return _whole(source, targets, line)


def _of_json(line: str) -> tuple[str, list[str]]:
    row = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError(f"no JSON object: {line[:_SHOWN]!r}")
    source, found = row.get("source"), row.get("references", row.get("target"))
    targets = [found] if isinstance(found, str) else found
    if not isinstance(source, str) or not isinstance(targets, list) or not all(isinstance(t, str) for t in targets):
        raise ValueError(f"no texts `source` and `target`: {line[:_SHOWN]!r}")
    return _whole(source.strip(), [target.strip() for target in targets], line)


def _whole(source: str, targets: list[str], line: str) -> tuple[str, list[str]]:
    if not source or not targets or not all(targets):
        raise ValueError(f"no source, or no target: {line[:_SHOWN]!r}")
    return source, targets
