"""The rule for denials: a word that one text denies and the other asserts."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.english.facts.denials import Denial, Denials
from rerank.english.facts.extract import Facts
from rerank.facts.violation import Violation

__all__ = ["flipped_negation"]


def flipped_negation(source: Facts, text: Facts) -> Iterator[Violation]:
    """What a text denies though the source asserts it, and the reverse.

    Fires only where the other side denies nothing in the sentence, in whatever words: what says the same without *not*
    is not told from what does not.
    """
    given, said = source.denials, text.denials
    for denial in said.denials:
        if _is_new(denial, given, said.count > given.count):
            yield Violation("negation", denial.text, "the source asserts what the candidate denies")
    for denial in given.denials:
        first = denial.governed[0] if denial.governed else ""
        if first in said.plain and first not in given.outside:
            yield Violation("negation", first, f"the source denies it: {denial.text}")


def _is_new(denial: Denial, given: Denials, has_more: bool) -> bool:
    """Whether the source says what a text denies: anything near, or of a source that denies, the next word itself."""
    if given.is_plain:
        return any(stem in given.plain for stem in (*denial.governed, *denial.before))
    return has_more and denial.governed[:1] != () and denial.governed[0] in given.clear - given.denied
