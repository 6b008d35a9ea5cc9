"""Rows and words that this repository holds, lines of the data folder, and a draw from a list."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from rerank.wordlists import WordLists
from rewrite.datasets import text_lines

WORDS = WordLists(Path(__file__).with_name("words.txt"))
"""Words that examples and tables are made with."""
_Item = TypeVar("_Item")


def drawn(items: Sequence[_Item], count: int | None, seed: int) -> list[_Item]:
    """So many of the items, drawn by the seed, in their order; all where there are no more, or `count` is `None`."""
    if count is None or count >= len(items):
        return list(items)
    return [items[place] for place in sorted(random.Random(seed).sample(range(len(items)), count))]


def packed_rows(path: Path) -> list[dict[str, Any]]:
    """All rows of a gzipped file of JSON lines that this repository holds, so that nothing in it is malformed."""
    return [json.loads(line) for line in text_lines(path)]


def read_paragraphs(folder: Path, name: str) -> list[str]:
    """The paragraphs of one file of ru_mono in the data folder. Raises `BadInput`."""
    return [line.strip() for line in text_lines(folder / f"{name}.txt.xz")]
