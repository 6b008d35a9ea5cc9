"""The rule for names: one that nothing in the source supports."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rerank.english.facts.extract import Facts
from rerank.english.facts.gazetteer import GENERIC, PEOPLES
from rerank.english.facts.names import Names, deed_at
from rerank.english.facts.numbers import Value
from rerank.english.facts.numerals import roman
from rerank.english.facts.words import Word
from rerank.facts.violation import Violation

__all__ = ["changed_names"]

_OF_PEOPLES = ("ian", "ean", "ese", "ish")
_LINKS = frozenset([",", "and", "or", "&", "-", "--", "of", "in"])


def changed_names(source: Facts, text: Facts) -> Iterator[Violation]:
    """Names of a text that its source does not have in any form."""
    given, said = source.names, text.names
    for at, word in said.names:
        if given.supports(word.low, word.upper):
            continue
        if roman(word.text) and Value(roman(word.text)) in source.values:
            continue
        if word.low in GENERIC and _is_beside_name(at, text, given):
            continue
        if (given.acronyms and _is_spelt_out(at, text, given)) or given.misspells(word.low):
            continue
        if text.low(at + 1) == "." and given.shortens(word.low):
            continue
        yield Violation("entity", word.text, f"the source does not name {word.text}")
    for at, word in said.openers:
        if not given.supports(word.low, word.upper) and deed_at(text.text, at + 1) in given.deeds:
            yield Violation("entity", word.text, f"the source does not name {word.text}")
    for who, deed, whom in sorted(said.acts - given.acts):
        if (whom, deed, who) in given.acts:
            written = {word.low: word.text for word in text.text.words}
            told = f"{written[who]} … {written[whom]}"
            yield Violation("entity", told, "the source has the two names the other way round")
    for (at, one), (behind, other) in pairwise(said.names):
        doubled = behind == at + 2 and one.low == other.low and text.low(at + 1) in _LINKS
        if (behind == at + 1 or doubled) and not _is_pair(one, other, given):
            yield Violation("entity", f"{one.text} {other.text}", f"the source has no {one.text} {other.text}")


def _is_beside_name(at: int, text: Facts, given: Names) -> bool:
    beside = (text.text.words[place] for place in range(max(0, at - 2), min(at + 3, len(text.text.words))))
    return any(word.cap and word.low in given.capitals for word in beside)


def _is_pair(one: Word, other: Word, given: Names) -> bool:
    """Whether two names in a row may be one: together in the source too, or not each there as it is."""
    exact = all(word.low in given.capitals and not _is_general(word.low) for word in (one, other))
    return (one.low != other.low and not exact) or (one.low, other.low) in given.together


def _is_general(low: str) -> bool:
    return low in GENERIC or low in PEOPLES or low.endswith(_OF_PEOPLES)


def _is_spelt_out(at: int, text: Facts, given: Names) -> bool:
    """Whether a name and those around it have the initials of an acronym of the source."""
    words = [word for word in text.text.words[max(0, at - 8) : at + 8] if word.cap]
    return given.spells("".join(word.low[:1] for word in words))
