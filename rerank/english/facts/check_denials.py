"""The rule for denials: a word that one text denies and the other asserts."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.english.facts.denials import Denial, Denials
from rerank.english.facts.extract import Facts
from rerank.english.facts.stems import stem
from rerank.facts.violation import Violation
from rerank.opposites.lexicon import opposites_of

__all__ = ["flipped_negation"]


def flipped_negation(source: Facts, text: Facts) -> Iterator[Violation]:
    """What a text denies though the source asserts it, and the reverse.

    Fires only where the other side denies nothing in the sentence, in whatever words: what says the same without *not*
    is not told from what does not.
    """
    given, said = source.denials, text.denials
    for denial in said.denials:
        if _is_new(denial, given, said.count > given.count) and not _denies_opposite(denial, given, said):
            yield Violation("negation", denial.text, "the source asserts what the candidate denies")
    for denial in given.denials:
        first = denial.governed[0] if denial.governed else ""
        if first in said.plain and first not in given.outside:
            yield Violation("negation", said.written[first], f"the source denies it: {denial.text}")


def _denies_opposite(denial: Denial, given: Denials, said: Denials) -> bool:
    """Whether a text denies the opposite of a word of its source: *not open* for *closed*, *don't forget*."""
    words = (said.written[one] for one in denial.governed if one in said.written)
    others = (other for word in words for before in ("", "not") for other in opposites_of(word.lower(), before))
    return any(stem(other) in given.written for other in others)


def _is_new(denial: Denial, given: Denials, has_more: bool) -> bool:
    """Whether the source says what a text denies: anything near, or of a source that denies, the next word itself."""
    if given.is_plain:
        return any(one in given.plain for one in (*denial.governed, *denial.before))
    return has_more and denial.governed[:1] != () and denial.governed[0] in given.clear - given.denied
