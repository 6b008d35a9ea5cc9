"""The STS benchmark: pairs of sentences with people's scores of how alike they are."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from rewrite.datasets import data_folder, read_text
from rewrite.errors import BadInput

__all__ = ["PARTS", "RatedPair", "load_stsb", "sentences_of", "stsb_file"]

PARTS = ("train", "dev", "test")
_HIGHEST = 5.0


@dataclass(frozen=True, slots=True)
class RatedPair:
    """Two sentences and how alike people found them, in [0, 5]."""

    first: str
    second: str
    score: float


def stsb_file(data: str | None, part: str) -> Path:
    """The English file of `part`: `data` itself, or stsb-en-PART.csv in that folder or its folder stsb.

    Without `data` the folder is what REWRITE_DATA names. Raises `BadInput` where there is no such file.
    """
    if data is not None and Path(data).is_file():
        return Path(data)
    folder = data_folder(data)
    name = f"stsb-en-{part}.csv"
    for path in (folder / name, folder / "stsb" / name):
        if path.is_file():
            return path
    raise BadInput(f"There is no {name} in {str(folder)!r}.", hint="Give --data a folder that has it, or the file.")


def load_stsb(path: Path) -> list[RatedPair]:
    """The pairs of a CSV file `sentence,sentence,score` without a header. Raises `BadInput` with file and line."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    pairs = []
    line = 1
    try:
        for row in reader:
            if row:
                pairs.append(_pair(row, path, line))
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(f"{path}, line {reader.line_num}: {error}.", hint="Is this a CSV file?") from error
    if not pairs:
        raise BadInput(f"{path}: no pairs in it.", hint="A row is two sentences and a score.")
    return pairs


def _pair(row: list[str], path: Path, line: int) -> RatedPair:
    if len(row) != 3:
        raise BadInput(f"{path}, line {line}: {len(row)} fields.", hint="A row is two sentences and a score.")
    first, second, shown = (field.strip() for field in row)
    if not first or not second:
        raise BadInput(f"{path}, line {line}: an empty sentence.", hint="A row is two sentences and a score.")
    try:
        score = float(shown)
    except ValueError:
        score = -1.0
    if not 0 <= score <= _HIGHEST:
        raise BadInput(f"{path}, line {line}: the score is {shown[:40]!r}.", hint="Scores are numbers from 0 to 5.")
    return RatedPair(first, second, score)


def sentences_of(pairs: list[RatedPair]) -> list[str]:
    """All different sentences, in their order."""
    return list(dict.fromkeys(text for pair in pairs for text in (pair.first, pair.second)))
