"""Paragraphs of the sets and files that a recipe names, each a list of clean sentences; what must not be learnt."""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rerank.analysis import sentences
from rerank.errors import BadInput
from rewrite.datasets import file_lines
from training.masked.english import ENGLISH, split_english, suits_english
from training.records import read_paragraphs

Paragraphs = Iterator[list[str]]
_GRAM = 8
_WORD = re.compile(r"\w+")
# Share of each file's paragraphs: the old prose of the fiction is much, and not what people ask to be made simpler.
_RUSSIAN = {
    "wikineural_wiki_sents": 1.0,
    "nerel_wikinews": 1.0,
    "news_russia_today": 1.0,
    "news_ng": 1.0,
    "news_lenta_sample": 1.0,
    "factrueval_news": 1.0,
    "rusentrel_analytics": 1.0,
    "rurebus_econ_docs": 0.3,
    "fiction_classics": 0.15,
}


def _russian(data: Path) -> Paragraphs:
    """The sentences of each paragraph that have 4 to 45 words, paragraphs of all files in random order."""
    rng = random.Random(0)
    paragraphs: list[str] = []
    for name, share in _RUSSIAN.items():
        paragraphs += [text for text in read_paragraphs(data / "ru_mono", name) if rng.random() < share]
    rng.shuffle(paragraphs)
    for paragraph in paragraphs:
        suited = [text for _, _, text in sentences(paragraph) if _suits(text)]
        if suited:
            yield [paired(text) for text in suited if text[0] not in ")]},;" and "{" not in text]


def _suits(text: str) -> bool:
    letters = sum("а" <= c <= "я" or c == "ё" for c in text.lower())
    # A dash at the start is a line of dialogue.
    begins = not text[0].islower() and text[0] not in "-–—"
    return begins and text[-1] in ".!?…»" and 3 <= text.count(" ") <= 44 and letters > 0.6 * len(text)


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
    rng = random.Random(f"{seed} {name}")
    return (paragraph for paragraph in SETS[name](data) if rng.random() < share and paragraph)


def own_paragraphs(path: Path, language: str) -> Paragraphs:
    """Paragraphs of a file, one a line; English sentences that are no prose are left out. Raises `BadInput`."""
    for line in file_lines(path):
        if language == "en":
            suited = [sentence for sentence in split_english(line.strip()) if suits_english(sentence)]
        else:
            suited = [sentence for _, _, sentence in sentences(line) if len(sentence.split()) > 2]
        if suited:
            yield suited


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


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("ё", "е"))


def _grams(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[i : i + _GRAM]) for i in range(len(words) - _GRAM + 1))


class HeldBack:
    """Texts that training must not see. `in` tells whether a text equals one, or has eight words in a row with one.

    Case, punctuation and the dots of «ё» make no difference.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        split = [_words(text) for text in texts]
        self._whole = {tuple(words) for words in split}
        self._grams = {gram for words in split for gram in _grams(words)}

    def __contains__(self, text: str) -> bool:
        words = _words(text)
        return tuple(words) in self._whole or any(gram in self._grams for gram in _grams(words))
