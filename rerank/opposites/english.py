"""English words that stand against each other, in the form that they have."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from rerank.english.forms import ing, past, third_person
from rerank.wordlists import Side, sides_in

_BASE, _PAST, _PARTICIPLE, _WORD, _DEGREE = "base", "past", "participle", "word", "degree"
_FORMS = ("third person", _PAST, _PARTICIPLE, "-ing")
_NAMES = {"verb": (_BASE, *_FORMS), "adj": (_WORD, _DEGREE, _DEGREE), "word": (_WORD,)}
"""What the forms of an entry of each kind are, in their order."""
_BEFORE_BASE = frozenset("to will would can could may might must shall should not n't did do does".split())
_BEFORE_PARTICIPLE = frozenset("is are was were be been being has have had".split())
_BEFORE_NOUN = frozenset("the a an this that his her its their my our your of in on by for with no some any".split())


class _Form(NamedTuple):
    """An English word form: what form it is, the same form of an opposite, where it stands, if that is no ~ line."""

    kind: str
    other: str
    side: Side | None


def opposites_of(word: str, before: str = "") -> tuple[str, ...]:
    """Opposites of a word in the form that it has; the word before it tells whether it is a verb, and which form."""
    return tuple(dict.fromkeys(form.other for form in _fitting(word, before)))


def sides_of(word: str, before: str = "") -> frozenset[Side]:
    """Where a word in any of its forms stands against others; comparatives and superlatives nowhere."""
    return frozenset(form.side for form in _fitting(word, before) if form.side is not None)


def _fitting(word: str, before: str) -> list[_Form]:
    rows = _forms()
    forms = rows.get(word) or rows.get(word.lower(), ())
    previous = before.lower()
    kinds = {_BASE, _WORD, _DEGREE} if previous in _BEFORE_BASE else {_WORD, _DEGREE, *_FORMS}
    kinds -= {_PAST} if previous in _BEFORE_PARTICIPLE else {_PARTICIPLE}
    if previous in _BEFORE_NOUN:
        kinds = {_WORD, _DEGREE}
    return [form for form in forms if form.kind in kinds]


@lru_cache(maxsize=1)
def _forms() -> Mapping[str, tuple[_Form, ...]]:
    forms: dict[str, tuple[_Form, ...]] = {}
    for line, ((kind, *sides), relative) in enumerate(sides_in(Path(__file__).with_name("en.txt"))):
        for side, (entries, opposites) in enumerate(zip(sides, sides[::-1], strict=True)):
            for entry, opposite in product(entries.split(","), opposites.split(",")):
                place = None if relative else Side(line, side)
                for name, word, instead in zip(
                    _NAMES[kind], _inflected(kind, entry), _inflected(kind, opposite), strict=False
                ):
                    if word and instead:
                        forms[word] = (*forms.get(word, ()), _Form(name, instead, None if name == _DEGREE else place))
    return forms


def _inflected(kind: str, entry: str) -> tuple[str, ...]:
    """Forms of an entry in a fixed order; of an adjective that has no degrees its only one."""
    forms = entry.split("/")
    if kind != "verb":
        return tuple(forms)
    base, *pasts = forms if len(forms) == 3 else (entry, past(entry), past(entry))
    return base, third_person(base), *pasts, ing(base)
