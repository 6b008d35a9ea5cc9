"""Russian words that stand against each other, in the form that they have."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Any

from rerank.morphology import Morphology
from rerank.opposites import Side, lines_of

__all__ = ["opposites_of", "sides_of"]

_GENDERS = frozenset({"masc", "femn", "neut"})
_CASES = frozenset({"nomn", "gent", "datv", "accs", "ablt", "loct"})
_KEPT = frozenset(
    {"sing", "plur", "past", "pres", "futr", "1per", "2per", "3per", "COMP", "Supr", "impr", "actv", "pssv"}
    | {"ADJF", "ADJS", "PRTF", "PRTS", "GRND", "INFN", "VERB"}
    | _GENDERS
    | _CASES
)
"""What of a word's form its opposite takes over."""
_OF_VERBS = frozenset({"VERB", "INFN", "PRTF", "PRTS", "GRND"})
_NOT_SHORT = "правый"
_DEGREES = frozenset({"COMP", "Supr"})


@lru_cache(maxsize=50_000)
def opposites_of(word: str) -> tuple[str, ...]:
    """Opposites of a word in small letters, in the form that it has."""
    pairs = _pairs()
    if word in pairs:
        return pairs[word]
    found = _reading(word, pairs)
    if found is None:
        return ()
    asked = _KEPT & found.tag.grammemes
    kind, made = _dictionary_pos(found.tag.POS), []
    for other in pairs[found.normal_form]:
        like = next((one for one in _readings(other) if kind == one.tag.POS), None)
        # A noun has its own gender, which words around it agree with: elsewhere the gender is part of the form.
        own = asked - (_GENDERS if found.tag.POS == "NOUN" else frozenset())
        form = like.inflect(own) if like else None
        if form:
            made.append(form.word)
    return tuple(made)


@lru_cache(maxsize=50_000)
def sides_of(word: str) -> frozenset[Side]:
    """Where a word in small letters, in any of its forms, stands against others."""
    sides = _sides()
    found = None if word in sides else _reading(word, sides, short=True)
    if found is not None and _DEGREES & set(found.tag.grammemes):
        return frozenset()
    return frozenset(sides.get(found.normal_form if found else word, ()))


def _reading(word: str, known: Mapping[str, object], *, short: bool = False) -> Any:
    likeliest, *_ = all_readings = _readings(word)
    kinds = {likeliest.tag.POS, *(("PRTS",) if likeliest.tag.POS == "ADJS" else ())}
    # *Надо* is hardly *над*, *прав* no *правый*: another reading counts only as the same part of speech.
    kinds -= set() if short and likeliest.normal_form != _NOT_SHORT else {"ADJS"}
    return next((one for one in all_readings if one.normal_form in known and one.tag.POS in kinds), None)


def _readings(word: str) -> list[Any]:
    found: list[Any] = _morphology().analyzer.parse(word)
    return found


@lru_cache(maxsize=1)
def _morphology() -> Morphology:
    return Morphology()


def _dictionary_pos(pos: str) -> str:
    if pos in _OF_VERBS:
        return "INFN"
    return "ADJF" if pos in ("ADJS", "COMP") else pos


@lru_cache(maxsize=1)
def _pairs() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for sides, _ in lines_of("ru"):
        for own, others in (sides, sides[::-1]):
            for word, other in product(own.split(","), others.split(",")):
                found.setdefault(word, {})[other] = None
    return {word: tuple(others) for word, others in found.items()}


@lru_cache(maxsize=1)
def _sides() -> Mapping[str, tuple[Side, ...]]:
    found: dict[str, tuple[Side, ...]] = {}
    for line, (sides, relative) in enumerate(lines_of("ru")):
        for side, words in enumerate(sides if not relative else ()):
            for word in words.split(","):
                found[word] = (*found.get(word, ()), Side(line, side))
    return found
