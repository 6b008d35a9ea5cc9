"""Paragraphs of the sets and files that a recipe names, each a list of clean sentences."""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rerank.errors import BadInput
from rerank.segmentation import sentences
from training.lines import Lines, Unreadable
from training.masked.english import ENGLISH
from training.masked.sentences import split_english, suits_english
from training.ru_small import passages

__all__ = ["SETS", "held_back_texts", "own_paragraphs", "paired", "set_paragraphs"]

Paragraphs = Iterator[list[str]]


def _russian(data: Path) -> Paragraphs:
    for found in passages(data / "ru_mono", 0):
        yield [paired(text) for text in found if text[0] not in ")]},;" and "{" not in text]


def paired(text: str) -> str:
    """Without a «quote» mark at its start or end whose partner stands in another sentence."""
    more = text.count("«") - text.count("»")
    if more > 0:
        return text.removeprefix("«")
    return text.removesuffix("»") if more < 0 else text


SETS: Mapping[str, Callable[[Path], Paragraphs]] = {**ENGLISH, "ru_mono": _russian}
"""Readers by the name of the set; what a reader takes is the data folder."""


def set_paragraphs(name: str, data: Path, share: float, seed: int) -> Paragraphs:
    """Paragraphs of a set, `share` of them. Raises `BadInput` where its file is missing."""
    return _drawn(SETS[name](data), share, f"{seed} {name}")


def own_paragraphs(path: Path, language: str, share: float, seed: int) -> Paragraphs:
    """Paragraphs of a file, one a line; sentences that are no prose are left out. Raises `BadInput`."""
    return _drawn(_read(path, language), share, f"{seed} {path.name}")


def _drawn(paragraphs: Paragraphs, share: float, seed: str) -> Paragraphs:
    rng = random.Random(seed)
    return (found for found in paragraphs if rng.random() < share and found)


def _read(path: Path, language: str) -> Paragraphs:
    with Lines(path) as lines:
        for number, line in lines:
            if isinstance(line, Unreadable):
                raise BadInput(f"{path}, line {number}: {line.reason}.", hint="Save it as UTF-8, a paragraph a line.")
            if language == "en":
                yield [one for one in split_english(line.strip()) if suits_english(one)]
            else:
                yield [one for _, _, one in sentences(line) if len(one.split()) > 2]


def held_back_texts(path: Path) -> Iterator[str]:
    """All texts in a file: lines, the strings in JSON lines, the fields of a CSV file. Raises `BadInput`."""
    try:
        text = path.read_bytes().decode("utf-8")
        if path.suffix == ".csv":
            yield from itertools.chain.from_iterable(csv.reader(io.StringIO(text, newline="")))
        elif path.suffix == ".jsonl":
            yield from itertools.chain.from_iterable(_strings(json.loads(row)) for row in text.splitlines() if row)
        else:
            yield from text.splitlines()
    except (OSError, ValueError, csv.Error) as error:
        raise BadInput(f"Cannot read {str(path)!r}: {error}.", hint="Check masked.held_back.") from error


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)
