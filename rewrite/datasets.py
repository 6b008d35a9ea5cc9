"""Reading data sets: Russian simplification corpora, STS-B and generic files of pairs.

No data set is shipped. Loaders read files the user has; `data_folder` says where they lie (`--data`, or the variable
`REWRITE_DATA`). Nothing here downloads: the corpora are published without checksums, so there is nothing a download
could be verified against.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from rerank.errors import BadInput
from rewrite.containers import recoding, refuse

DATA_VARIABLE = "REWRITE_DATA"
_MOST_ALIKE = 5.0
_OPENERS: Mapping[str, Callable[..., IO[Any]]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}


@dataclass(frozen=True, slots=True)
class Example:
    """A source with its references, at least one.

    `sentences` is how many the first reference has, 0 where the corpus does not mark where its sentences end.
    """

    source: str
    references: tuple[str, ...]
    sentences: int = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """A source and one target. `similarity` is the corpus's own mark where it has one."""

    source: str
    target: str
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class RatedPair:
    """Two sentences and how alike people found them, in [0, 5]."""

    first: str
    second: str
    score: float


def data_folder(given: str | Path | None = None) -> Path:
    """The folder with data sets: `given`, or what `REWRITE_DATA` says; `BadInput` where neither names a folder."""
    named = given or os.environ.get(DATA_VARIABLE)
    if not named:
        raise BadInput("No data folder is named.", hint=f"Give --data DIR or set {DATA_VARIABLE}.")
    folder = Path(named)
    if not folder.is_dir():
        raise BadInput(f"The data folder {str(folder)!r} does not exist.", hint=f"Check --data or {DATA_VARIABLE}.")
    return folder


def file_lines(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file, plain or packed (.gz, .xz, .bz2), one after another, each with the LF that ends it.

    A byte order mark is left out. `BadInput` names the file, the line of a byte that is not UTF-8, and the last line of
    a packed file that breaks off.
    """
    number = 0
    try:
        with _OPENERS.get(path.suffix.lower(), open)(path, "rb") as file:
            for number, line in enumerate(file, 1):
                if number == 1:
                    refuse(line, str(path))
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{path}, line {number}: byte {error.start + 1}, {error.object[error.start]:#04x}, is not UTF-8.",
            hint=recoding(error.object, whole=number == 1),
        ) from error
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        place = f" after line {number}" if number else ""
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(f"Cannot read {str(path)!r}{place}: {reason}.", hint="Check the path; is it whole?") from error


def read_text(path: Path) -> str:
    """The text of a file; read, and errors, as of `file_lines`."""
    return "".join(file_lines(path))


def text_lines(path: Path) -> list[str]:
    """The lines of a file without their ends, LF or CRLF; read, and errors, as of `file_lines`."""
    # Not splitlines(): it would also cut at U+2028 and its like, which occur inside sentences.
    return [line.removesuffix("\n").removesuffix("\r") for line in file_lines(path)]


def placed_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Each of `text_lines` after its place, which errors begin with: file and line."""
    yield from ((f"{path}, line {number}", line) for number, line in enumerate(text_lines(path), 1))


def csv_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Line number and stripped fields of each row of a CSV file, which may hold newlines; `BadInput` names the line."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    line = 1
    try:
        for row in reader:
            if row:
                yield line, [field.strip() for field in row]
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(f"{path}, line {reader.line_num}: {error}.", hint="Is this a CSV file?") from error


def csv_records(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Line number and the values of `columns` for each of `csv_rows` below the header.

    `BadInput` names file and line, and a column that is not there.
    """
    rows = csv_rows(path)
    _, header = next(rows, (1, []))
    if missing := [column for column in columns if column not in header]:
        raise BadInput(
            f"{path}, line 1: no column {missing[0]!r}, found {', '.join(map(repr, header))[:200] or 'nothing'}.",
            hint=f"Expected a CSV file with columns {', '.join(columns)}.",
        )
    for line, row in rows:
        if len(row) != len(header):
            raise BadInput(f"{path}, line {line}: {len(row)} fields, the header has {len(header)}.")
        yield line, [row[header.index(column)] for column in columns]


def csv_number(text: str, path: Path, line: int) -> float:
    """`text` as a number; `BadInput` that names file and line where it is none."""
    try:
        return float(text)
    except ValueError:
        raise BadInput(f"{path}, line {line}: {text[:40]!r} is not a number.") from None


def group_pairs(pairs: Iterable[Pair]) -> list[Example]:
    """Pairs of the same source together, sources and targets in the order they first came."""
    groups: dict[str, list[str]] = {}
    for pair in pairs:
        groups.setdefault(pair.source, []).append(pair.target)
    return [Example(source, tuple(targets)) for source, targets in groups.items()]


def load_rsse(path: str | Path) -> list[Example]:
    """RuSimpleSentEval (dev or public test): rows grouped by their stripped source, in file order.

    The file is CSV with columns `INPUT:source` and `OUTPUT:output`; fields may hold newlines. Texts are stripped and
    otherwise untouched. `BadInput` names file and line.
    """
    path = Path(path)
    pairs = []
    for line, (source, output) in csv_records(path, ("INPUT:source", "OUTPUT:output")):
        if not source:
            raise BadInput(f"{path}, line {line}: the source is empty.")
        pairs.append(Pair(source, output))
    return group_pairs(pairs)


def load_ruadapt(path: str | Path) -> list[Pair]:
    """RuAdapt sentence pairs: CSV with columns `source`, `cos_sim` and `target`, or a folder of such files.

    Pairs whose two sides are equal once stripped teach nothing and are left out. A target may be several sentences, and
    the automatic alignment is noisy: `similarity` (its cosine) is there to filter by.
    """
    path = Path(path)
    files = sorted(path.glob("*_sent.csv")) if path.is_dir() else [path]
    if not files:
        raise BadInput(f"{str(path)!r} holds no file named *_sent.csv.", hint="Give RuAdapt's folder or one file.")
    pairs = []
    for file in files:
        for line, (source, cosine, target) in csv_records(file, ("source", "cos_sim", "target")):
            if source and target and source != target:
                pairs.append(Pair(source, target, csv_number(cosine, file, line)))
    return pairs


def load_lines(source: str | Path, references: Sequence[str | Path]) -> list[Example]:
    """Files aligned line by line, as ASSET and TurkCorpus have them: one of sources, one for each reference."""
    if not references:
        raise BadInput("No reference file is given.", hint="Give one or more files aligned with the source.")
    columns = [text_lines(Path(file)) for file in (source, *references)]
    for file, column in zip(references, columns[1:], strict=True):
        if len(column) != len(columns[0]):
            raise BadInput(f"{file} has {len(column)} lines, {source} has {len(columns[0])}.")
    return [Example(row[0], row[1:]) for row in zip(*columns, strict=True)]


def load_stsb(path: Path) -> list[RatedPair]:
    """STS-B: the pairs of a CSV file `sentence,sentence,score` without a header; `BadInput` names file and line."""
    pairs = []
    for line, row in csv_rows(path):
        match row:
            case [first, second, score] if first and second and _is_score(score):
                pairs.append(RatedPair(first, second, float(score)))
            case _:
                reason = f"{','.join(row)[:60]!r} is no two sentences and a score from 0 to 5"
                raise BadInput(f"{path}, line {line}: {reason}.", hint="Is this STS-B?")
    if not pairs:
        raise BadInput(f"{path}: no pairs in it.", hint="A row is two sentences and a score.")
    return pairs


def _is_score(text: str) -> bool:
    try:
        return 0 <= float(text) <= _MOST_ALIKE
    except ValueError:
        return False


def json_object(line: str, place: str, hint: str = "Expected an object a line.") -> dict[str, object]:
    """The JSON object that a line holds; `BadInput` that begins with `place`, with `hint`, where it holds none."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadInput(f"{place}, column {error.colno}: not JSON: {error.msg}.", hint=hint) from None
    except RecursionError:
        raise BadInput(f"{place}: lists or objects within one another without end.", hint=hint) from None
    except ValueError:
        raise BadInput(f"{place}: a number with too many digits.", hint=hint) from None
    if not isinstance(row, dict):
        raise BadInput(f"{place}: {line.strip()[:60]!r} is not a JSON object.", hint=hint)
    return row
