"""The benchmark's files: JSON lines, factored. docs/websplit.md tells the format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from rerank.errors import BadInput, CannotWrite
from rewrite.datasets import text_lines
from training.papers.websplit.benchmark import ComplexSentence, Part, Reading, WebSplit
from training.papers.websplit.triples import Triple

__all__ = ["PARTS", "load_benchmark", "load_sentences", "write_json", "write_parts", "write_sentences"]

PARTS = "parts.jsonl"
_BUILD = "Build it again: python -m training.papers.websplit build"
_Row = TypeVar("_Row")


def write_parts(folder: Path, benchmark: WebSplit) -> None:
    """Write the parts, one a line; a line's number, from 0, is the part's."""
    _write_lines(
        folder / PARTS,
        (
            {
                "category": part.category,
                "triples": [[triple.subject, triple.property, triple.object] for triple in part.triples],
                "texts": part.texts,
            }
            for part in benchmark.parts
        ),
    )


def write_sentences(file: Path, sentences: Iterable[ComplexSentence]) -> None:
    """Write complex sentences, one a line, their partitions as numbers of parts."""
    _write_lines(
        file,
        (
            {
                "id": sentence.id,
                "text": sentence.text,
                "readings": [{"meaning": r.meaning, "partitions": r.partitions} for r in sentence.readings],
            }
            for sentence in sentences
        ),
    )


def _write_lines(file: Path, rows: Iterable[dict[str, Any]]) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8", newline="\n") as out:
            for row in rows:
                out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    except OSError as error:
        raise CannotWrite(f"Cannot write {str(file)!r}: {error.strerror or error}.", hint="Check --out.") from error


def write_json(file: Path, value: object) -> None:
    """Write one JSON value, for people to read. Raises `CannotWrite`."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise CannotWrite(f"Cannot write {str(file)!r}: {error.strerror or error}.", hint="Check --out.") from error


def load_benchmark(folder: Path) -> WebSplit:
    """The parts of a folder that `build` has written. Raises `BadInput` that names file and line."""
    return WebSplit(tuple(_rows(folder / PARTS, _part)))


def load_sentences(folder: Path, protocol: str, side: str, benchmark: WebSplit) -> list[ComplexSentence]:
    """The complex sentences of one side of a split. Raises `BadInput` that names file and line."""
    size = len(benchmark.parts)
    return list(_rows(folder / protocol / f"{side}.jsonl", lambda row: _sentence(row, size)))


def _rows(file: Path, make: Callable[[dict[str, Any]], _Row]) -> Iterator[_Row]:
    return (_row(line, make, f"{file}, line {number}") for number, line in enumerate(text_lines(file), 1))


def _row(line: str, make: Callable[[dict[str, Any]], _Row], place: str) -> _Row:
    try:
        return make(json.loads(line))
    except json.JSONDecodeError as error:
        raise BadInput(f"{place}: no JSON: {error.msg}.", hint=_BUILD) from error
    except KeyError as error:
        raise BadInput(f"{place}: no key {error}.", hint=_BUILD) from error
    except (TypeError, ValueError) as error:
        raise BadInput(f"{place}: {error}.", hint=_BUILD) from error


def _part(row: dict[str, Any]) -> Part:
    triples = tuple(Triple(*map(_text, triple)) for triple in row["triples"])
    texts = tuple(tuple(map(_text, text)) for text in row["texts"])
    if not triples or not all(texts):
        raise ValueError("a part without triples, or a text without sentences")
    return Part(_text(row["category"]), triples, texts)


def _sentence(row: dict[str, Any], size: int) -> ComplexSentence:
    readings = tuple(
        Reading(_number(r["meaning"], size), tuple(tuple(_number(n, size) for n in p) for p in r["partitions"]))
        for r in row["readings"]
    )
    if not readings or not all(partition for reading in readings for partition in reading.partitions):
        raise ValueError("a sentence without readings, or an empty partition")
    return ComplexSentence(_text(row["id"]), _text(row["text"]), readings)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _number(value: Any, size: int) -> int:
    if not isinstance(value, int) or not 0 <= value < size:
        raise ValueError(f"{value!r} is no number of a part, which go to {size - 1}")
    return value
