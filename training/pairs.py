"""Files of pairs, the one way in which every step reads them: CSV, TSV and JSON lines, plain or packed.

docs/training.md, "Files of pairs", says what is accepted.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from rerank.errors import BadInput
from rewrite.datasets import Example, Pair, file_lines, group_pairs, json_object
from rewrite.declaration import Name, Section

BAD_ROWS = 0.05
"""The share of malformed rows that a step takes, if it is told no other."""
KNOWN_COLUMNS = (
    ("source", "references"),
    ("source", "target"),
    ("input:source", "output:output"),
    ("complex", "simple"),
    ("src", "dst"),
)
"""Names of source and target columns, or keys of JSON lines, that are recognised in any case."""

_NAMED = 10
_SHOWN = 200
# What an escape of JSON can name, and no file of text can hold.
_NO_TEXT = re.compile("[\0\ud800-\udfff]")

_Column = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]


class PairFile(Section):
    """A file of pairs. In a recipe a path alone stands for `{path: PATH}`."""

    path: Name = Field(description="Plain, or packed as .gz, .xz or .bz2.")
    format: Literal["auto", "csv", "tsv", "jsonl"] = Field(
        default="auto", description="`auto` goes by the name: .csv, .jsonl, .ndjson or .json; anything else is TSV."
    )
    source: _Column | None = Field(
        default=None,
        description="Column of the source: its name in the header, its number from 1, or its key in JSONL.",
    )
    target: _Column | None = Field(default=None, description="Column of the target, named or numbered as `source` is.")
    delimiter: str | None = Field(
        default=None, min_length=1, max_length=1, description="Between the fields of a table; not given: `,` or a tab."
    )

    @model_validator(mode="before")
    @classmethod
    def _path_alone(cls, value: Any) -> Any:
        return {"path": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _both_columns(self) -> PairFile:
        if (self.source is None) != (self.target is None):
            raise ValueError("give both source and target, or neither")
        if self.source is not None and self.source == self.target:
            raise ValueError(f"source and target are the same column, {self.source!r}")
        return self

    @property
    def kind(self) -> str:
        """The format, as told or by the name: `csv`, `tsv` or `jsonl`."""
        if self.format != "auto":
            return self.format
        name = Path(self.path.lower())
        suffix = Path(name.stem).suffix if name.suffix in {".gz", ".xz", ".bz2"} else name.suffix
        return {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}.get(suffix, "tsv")

    def places(self, names: Sequence[str]) -> tuple[int, int] | None:
        """Where the columns of source and target stand among `names`, from 0; `None` where they do not."""
        known = [name.strip().lower() for name in names]
        asked = ((self.source.lower(), str(self.target).lower()),) if self.source else KNOWN_COLUMNS
        return next(((known.index(s), known.index(t)) for s, t in asked if s in known and t in known), None)


@dataclass(frozen=True, slots=True)
class PlacedPair:
    """A source, a target and the controls that it fulfils (`rewrite.controls`); the line its row begins on, from 1."""

    source: str
    target: str
    controls: str
    line: int


@dataclass
class RowCount:
    """How many rows were read and are malformed, and what is wrong with the first ten of these, by file and line."""

    rows: int = 0
    malformed: int = 0
    first: list[str] = field(default_factory=list)

    def add_malformed(self, complaint: str) -> None:
        """Count a malformed row; the complaint names its place."""
        self.rows += 1
        self.malformed += 1
        if self.malformed <= _NAMED:
            self.first.append(complaint)

    def settle(self, most: float, say: Callable[[str], None]) -> None:
        """Tell by `say` of malformed rows; where they are more than the share `most`, raise `BadInput` that does."""
        more = [f"and {self.malformed - _NAMED:,} more"] if self.malformed > _NAMED else []
        head, complaints = f"{self.malformed:,} of {self.rows:,} rows are malformed", [*self.first, *more]
        if self.malformed > most * self.rows:
            raise BadInput(
                f"{head}, more than bad_rows = {most:g}: {'; '.join(complaints)}.",
                hint="Name the columns in the recipe, {path: …, source: NAME, target: NAME}, mend the rows, "
                "or raise bad_rows.",
            )
        if complaints:
            say("\n  ".join([f"{head}, left out:", *complaints]))


def read_pairs(path: Path, spec: PairFile, count: RowCount) -> Iterator[PlacedPair]:
    """The pairs of the file at `path`, in order; a row of several targets is as many. `count` is told of every row.

    Texts are stripped, blank lines and empty targets beside others passed over. Raises `BadInput` where the columns
    cannot be told, and as `file_lines`.
    """
    rows = _json_rows if spec.kind == "jsonl" else _table_rows
    for line, source, target, controls in rows(path, spec, count):
        targets = target if isinstance(target, list) else [target]
        if fault := _fault(source, targets, controls):
            count.add_malformed(f"{path}, line {line}: {fault}")
            continue
        count.rows += 1
        for text in filter(str.strip, targets):
            yield PlacedPair(source.strip(), text.strip(), controls, line)


def read_examples(path: Path, *, bad_rows: float = BAD_ROWS, say: Callable[[str], None] = print) -> list[Example]:
    """Sources with their references, rows of one source together, in the order they first came.

    `say` is told of malformed rows. Raises `BadInput` for more of them than the share `bad_rows`, for a file without a
    pair, and as `read_pairs`.
    """
    count = RowCount()
    pairs = [Pair(pair.source, pair.target) for pair in read_pairs(path, PairFile(path=str(path)), count)]
    count.settle(bad_rows, say)
    if not pairs:
        raise BadInput(f"{path} holds no rows that can be used.", hint="Is it the right file?")
    return group_pairs(pairs)


def _fault(source: Any, targets: Sequence[Any], controls: Any) -> str:
    """Why a row cannot be used; empty where it can."""
    for name, value in (("source", source), *(("target", text) for text in targets), ("controls", controls)):
        if not isinstance(value, str) or _NO_TEXT.search(value):
            return f"no text as {name}: {_shown(ascii(value))}"
    if not source.strip():
        return "the source is empty"
    return "" if any(map(str.strip, targets)) else "the target is empty"


_Row = tuple[int, Any, Any, Any]
"""A line from 1, and what stands there for source, target or a list of them, and controls."""


def _json_rows(path: Path, spec: PairFile, count: RowCount) -> Iterator[_Row]:
    for number, line in enumerate(map(str.strip, file_lines(path)), 1):
        if not line:
            continue
        place = f"{path}, line {number}"
        try:
            record = json_object(line, place)
        except BadInput as error:
            count.add_malformed(error.message.removesuffix("."))
            continue
        if (places := spec.places(list(record))) is None:
            wanted = f"{spec.source or 'source'!r} and {spec.target or 'target'!r}"
            count.add_malformed(f"{place}: no keys {wanted} among {_shown(repr(list(record)))}")
            continue
        values = list(record.values())
        yield number, values[places[0]], values[places[1]], record.get("controls", "")


def _table_rows(path: Path, spec: PairFile, count: RowCount) -> Iterator[_Row]:
    is_csv = spec.kind == "csv"
    reader = csv.reader(
        file_lines(path),
        delimiter=spec.delimiter or ("," if is_csv else "\t"),
        quoting=csv.QUOTE_MINIMAL if is_csv else csv.QUOTE_NONE,
        strict=True,
    )
    places, width = None, 0
    while True:
        line = reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            # A quote that is not closed may swallow many lines: each of them counts.
            reason = f"{error} (are the quotes closed from line {line} on?)" if is_csv else _shown(str(error))
            for lost in range(line, reader.line_num + 1):
                count.add_malformed(f"{path}, line {lost}: {reason}")
            continue
        if not "".join(fields).strip():
            continue
        if places is None:
            width = len(fields)
            if (places := spec.places(fields)) is not None:
                continue
            places = _numbered(fields, spec, f"{path}, line {line}")
        if len(fields) == width:
            yield line, fields[places[0]], fields[places[1]], ""
        else:
            count.add_malformed(f"{path}, line {line}: fields: {len(fields)}, expected {width}")


def _numbered(fields: Sequence[str], spec: PairFile, place: str) -> tuple[int, int]:
    """The columns of a table without a header; `BadInput` where neither numbers nor their number tell."""
    numbers = [str(number) for number in range(1, len(fields) + 1)]
    if spec.source is None and len(fields) == 2:
        return 0, 1
    if spec.source is not None and (places := spec.places(numbers)) is not None:
        return places
    raise BadInput(
        f"{place}: cannot tell source and target among the {len(fields)} columns {_shown(repr(fields))}.",
        hint="Name them source and target in the first row, or say in the recipe what they are: "
        "{path: …, source: NAME or NUMBER, target: NAME or NUMBER, delimiter: …}.",
    )


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
