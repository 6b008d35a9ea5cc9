"""Russian words that stand against each other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from rerank.morphology import Morphology
from rerank.wordlists import Side, sides_in

_NOT_SHORT = "правый"
_DEGREES = frozenset({"COMP", "Supr"})


@lru_cache(maxsize=50_000)
def sides_of(word: str) -> frozenset[Side]:
    """Where a word in small letters, in any of its forms, stands against others."""
    sides = _sides()
    reading = None if word in sides else _reading(word, sides)
    if reading is not None and _DEGREES & set(reading.tag.grammemes):
        return frozenset()
    return frozenset(sides.get(reading.normal_form if reading else word, ()))


def _reading(word: str, known: Mapping[str, object]) -> Any:
    likeliest, *_ = parses = _morphology().analyzer.parse(word)
    kinds = {likeliest.tag.POS, *(("PRTS",) if likeliest.tag.POS == "ADJS" else ())}
    # *Надо* is hardly *над*, *прав* no *правый*: another reading counts only as the same part of speech.
    kinds -= set() if likeliest.normal_form != _NOT_SHORT else {"ADJS"}
    return next((parse for parse in parses if parse.normal_form in known and parse.tag.POS in kinds), None)


@lru_cache(maxsize=1)
def _morphology() -> Morphology:
    return Morphology()


@lru_cache(maxsize=1)
def _sides() -> Mapping[str, tuple[Side, ...]]:
    by_word: dict[str, tuple[Side, ...]] = {}
    for line, (sides, relative) in enumerate(sides_in(Path(__file__).with_name("ru.txt"))):
        for side, words in enumerate(sides if not relative else ()):
            for word in words.split(","):
                by_word[word] = (*by_word.get(word, ()), Side(line, side))
    return by_word
