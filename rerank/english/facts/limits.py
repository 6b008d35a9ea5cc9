"""Words that bound or weaken a statement, and the rule that they stay with what they speak of: *may*, *only*, *up to*.

The list `limits` of `en.txt` has a line for each class: `NAME: phrases | kin | added`. The phrases may not be lost
while the next word that says something stays; any of `kin` may take their place. Those of `added` may not come in
either, unless the source has one of the class. `#` in a phrase is a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rerank.english.facts.words import FUNCTION, LISTS, Text
from rerank.guard import Facts, Violation

_NEXT = 4
"""Words behind a limit among which the word is that it speaks of."""
_ENDS = frozenset(". ? ! , ; : ( )".split())
_NUMBER = "#"
_NUMBER_WORDS = frozenset(word for name in ("units", "tens", "scales") for word in LISTS.classes(name)) - {"k", "m"}
_IDIOMS = tuple(tuple(row.split()) for row in LISTS.rows("no limits"))
_CONDITION = "condition"
"""May never be lost: what holds under a condition alone misleads without it."""
_MODAL = frozenset({"possible", "necessary", _CONDITION})

Phrase = tuple[str, ...]


def _by_first() -> dict[str, list[tuple[str, str, Phrase]]]:
    """By first word all phrases: the class, and whether they are `cues`, `kept` for them, or not to be `added`."""
    found: dict[str, list[tuple[str, str, Phrase]]] = {}
    for row in LISTS.rows("limits"):
        name, _, rest = row.partition(": ")
        cues, kin, added = ([tuple(phrase.split()) for phrase in part.split(",")] for part in rest.split("|"))
        for kind, phrases in (("cues", cues), ("kept", [*cues, *kin]), ("added", added)):
            for phrase in filter(None, phrases):
                found.setdefault(phrase[0], []).append((name, kind, phrase))
    return found


_BY_FIRST = _by_first()


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit: its class, its words in the text, and the stem of what it speaks of, empty where nothing follows."""

    name: str
    text: str
    stem: str


@dataclass(frozen=True, slots=True)
class Limits:
    """Those that may not be lost, those that may not come in, and what a text has to be compared with."""

    cues: tuple[Limit, ...]
    added: tuple[Limit, ...]
    stems: frozenset[str]
    kept: frozenset[str]


def limits_of(text: Text) -> Limits:
    """The limits of a text."""
    found: dict[str, list[Limit]] = {"cues": [], "added": []}
    kept: set[str] = set()
    for at, word in enumerate(text.words):
        longest: dict[tuple[str, str], int] = {}
        for name, kind, phrase in _BY_FIRST.get(word.low, ()):
            if all(_stands(text, at + n, other) for n, other in enumerate(phrase)):
                length = len(phrase) - (phrase[-1] == _NUMBER)
                longest[name, kind] = max(length, longest.get((name, kind), 0))
        for (name, kind), length in longest.items():
            if kind == "kept":
                kept.add(name)
            elif not _bounds_nothing(text, at, length):
                said = " ".join(other.text for other in text.words[at : at + length])
                found[kind].append(Limit(name, said, _spoken_of(text, at + length)))
    stems = frozenset(word.stem for word in text.words if word.kind != "mark")
    return Limits(tuple(found["cues"]), tuple(found["added"]), stems, frozenset(kept))


def _stands(text: Text, at: int, word: str) -> bool:
    if word != _NUMBER:
        return text.low(at) == word
    return text.low(at) in _NUMBER_WORDS or (at < len(text.words) and text.words[at].kind == "number")


def _bounds_nothing(text: Text, at: int, length: int) -> bool:
    """Whether a phrase only looks like a limit: a month (*May*), or a part of an idiom (*not only*, *above all*)."""
    idioms = (
        (idiom, at - shift)
        for idiom in _IDIOMS
        for shift, word in enumerate(idiom)
        if word == text.low(at) and length == 1
    )
    is_idiom = any(all(text.low(start + n) == word for n, word in enumerate(idiom)) for idiom, start in idioms)
    return is_idiom or (text.words[at].cap and not text.first[at])


def _spoken_of(text: Text, at: int) -> str:
    for word in text.words[at : at + _NEXT]:
        if word.low in _ENDS:
            return ""
        if word.kind == "number" or (word.kind == "word" and word.low not in FUNCTION):
            return word.stem
    return ""


def changed_limits(source: Facts[Text], text: Facts[Text]) -> Iterator[Violation]:
    """Limits of the source that its candidate has lost though it says what they spoke of, and those that came in."""
    given, said = source.of(limits_of), text.of(limits_of)
    for limit in given.cues:
        spoken_of = limit.name == _CONDITION or limit.stem in said.stems - {""}
        if limit.name not in said.kept and spoken_of:
            yield Violation(_kind(limit), limit.text, f"{limit.text!r} is gone")
    for limit in said.added:
        if limit.name not in given.kept:
            yield Violation(_kind(limit), limit.text, f"the source does not say {limit.text!r}")


def _kind(limit: Limit) -> str:
    return "modality" if limit.name in _MODAL else "quantity"
