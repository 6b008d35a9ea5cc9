"""Words that stand against each other, from two lists by hand: which opposites a word has, in the form that it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

from rerank.morphology import Morphology

__all__ = ["Side", "opposites_of", "sides_of"]

_HERE = Path(__file__).parent
_RELATIVE = "~"
_VOWELS = frozenset("aeiou")
_DOUBLED = frozenset("win begin sit forget forbid shut stop permit admit ban drop acquit".split())
"""Verbs whose last letter is doubled before -ing."""
_BASE, _PAST, _PARTICIPLE, _WORD, _DEGREE = "base", "past", "participle", "word", "degree"
_FORMS = ("third person", _PAST, _PARTICIPLE, "-ing")
_NAMES = {"verb": (_BASE, *_FORMS), "adj": (_WORD, _DEGREE, _DEGREE), "word": (_WORD,)}
"""What the forms of an entry of each kind are, in their order."""
_BEFORE_BASE = frozenset("to will would can could may might must shall should not n't did do does".split())
_BEFORE_PARTICIPLE = frozenset("is are was were be been being has have had".split())
_BEFORE_NOUN = frozenset("the a an this that his her its their my our your of in on by for with no some any".split())
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


class Side(NamedTuple):
    """A side (0 or 1) of a line of the list: what stands on the other side of that line is the opposite of this."""

    line: int
    side: int

    @property
    def other(self) -> Side:
        return Side(self.line, 1 - self.side)


class _Form(NamedTuple):
    """An English word form: what form it is, the same form of an opposite, where it stands, if that is no ~ line."""

    kind: str
    other: str
    side: Side | None


def opposites_of(word: str, before: str = "") -> tuple[str, ...]:
    """Opposites of an English or Russian word in the form that it has, in small letters but for English names.

    `before`, the word before it, tells of English words whether they are verbs, and of these the past and participle.
    """
    if _is_russian(word):
        return _russian(word.lower())
    return tuple(dict.fromkeys(form.other for form in _fitting(word, before)))


def sides_of(word: str, before: str = "") -> frozenset[Side]:
    """Where a word in any of its forms stands against others in any text; comparatives and superlatives nowhere.

    *The north is colder* says what *the south is warmer* says; so such pairs, and lines of the list with ~, are left
    out.
    """
    if _is_russian(word):
        return _russian_sides(word.lower())
    return frozenset(form.side for form in _fitting(word, before) if form.side is not None)


def _is_russian(word: str) -> bool:
    return "а" <= word[:1].lower() <= "ё"


def _fitting(word: str, before: str) -> list[_Form]:
    rows = _english()
    found = rows.get(word) or rows.get(word.lower(), ())
    previous = before.lower()
    kinds = {_BASE, _WORD, _DEGREE} if previous in _BEFORE_BASE else {_WORD, _DEGREE, *_FORMS}
    kinds -= {_PAST} if previous in _BEFORE_PARTICIPLE else {_PARTICIPLE}
    if previous in _BEFORE_NOUN:
        kinds = {_WORD, _DEGREE}
    return [form for form in found if form.kind in kinds]


@lru_cache(maxsize=50_000)
def _russian(word: str) -> tuple[str, ...]:
    pairs = _russian_pairs()
    if word in pairs:
        return pairs[word]
    found = _reading(word, pairs)
    if found is None:
        return ()
    asked = {grammeme for grammeme in found.tag.grammemes if grammeme in _KEPT}
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
def _russian_sides(word: str) -> frozenset[Side]:
    sides = _russian_lines()
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
def _russian_pairs() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for (one, other), _ in _lines("ru"):
        for word, instead in _both_ways(one, other):
            found.setdefault(word, {})[instead] = None
    return {word: tuple(others) for word, others in found.items()}


@lru_cache(maxsize=1)
def _russian_lines() -> Mapping[str, tuple[Side, ...]]:
    found: dict[str, tuple[Side, ...]] = {}
    for line, (sides, relative) in enumerate(_lines("ru")):
        for side, words in enumerate(sides if not relative else ()):
            for word in words.split(","):
                found[word] = (*found.get(word, ()), Side(line, side))
    return found


@lru_cache(maxsize=1)
def _english() -> Mapping[str, tuple[_Form, ...]]:
    found: dict[str, tuple[_Form, ...]] = {}
    for line, ((kind, *sides), relative) in enumerate(_lines("en")):
        for side, (own, others) in enumerate(zip(sides, sides[::-1], strict=True)):
            for one, other in _each(own, others):
                place = None if relative else Side(line, side)
                for name, word, instead in zip(
                    _NAMES[kind], _inflected(kind, one), _inflected(kind, other), strict=False
                ):
                    if word and instead:
                        found[word] = (*found.get(word, ()), _Form(name, instead, None if name == _DEGREE else place))
    return found


def _inflected(kind: str, entry: str) -> tuple[str, ...]:
    """Forms of an entry in a fixed order; of an adjective that has no degrees its only one."""
    forms = entry.split("/")
    if kind != "verb":
        return tuple(forms)
    base, past, participle = forms if len(forms) == 3 else (*forms, _past(forms[0]), "")[:3]
    return base, _third_person(base), past, participle or past, _ing(base)


def _ing(base: str) -> str:
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    silent = base.endswith("e") and not base.endswith("ee")
    return f"{base[:-1] if silent else base + base[-1] * (base in _DOUBLED)}ing"


def _past(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return f"{base[:-1]}ied"
    return base + base[-1] * (base in _DOUBLED) + "ed"


def _third_person(base: str) -> str:
    if base.endswith("y") and base[-2] not in _VOWELS:
        return f"{base[:-1]}ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "o")) else "s")


def _each(own: str, others: str) -> Iterator[tuple[str, str]]:
    return product(own.split(","), others.split(","))


def _both_ways(one: str, other: str) -> Iterator[tuple[str, str]]:
    return chain(_each(one, other), _each(other, one))


def _lines(language: str) -> list[tuple[list[str], bool]]:
    """Lines of a list by their columns, and whether they have ~."""
    text = (_HERE / f"{language}.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return [(line.lstrip(_RELATIVE).split(), line.startswith(_RELATIVE)) for line in lines]
