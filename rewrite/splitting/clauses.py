"""What the grammar says of the two halves of a split: whose subject is where, and which half has a finite verb."""

from __future__ import annotations

from collections.abc import Iterable

from rewrite.splitting.words import Words

__all__ = ["crossing", "finite", "has_subject", "is_subordinate", "top", "tops"]

_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_CLAUSES = frozenset({"root", "conj", "parataxis", "advcl", "acl", "acl:relcl", "ccomp", "appos", "list", "dep"})


def tops(words: Words, numbers: Iterable[int]) -> list[int]:
    """The words of a span that hang on a word outside of it, marks and conjunctions aside."""
    inside = set(numbers)
    return [
        n
        for n in sorted(inside)
        if words[n].head not in inside and words[n].rel not in ("punct", "cc", "mark", "case", "discourse")
    ]


def top(words: Words, numbers: Iterable[int]) -> int:
    """The head of a span: of several, the first that can head a clause; −1 for a span of marks alone."""
    found = tops(words, numbers)
    clauses = [
        n
        for n in found
        if words[n].rel in _CLAUSES and words[n].pos in ("VERB", "AUX", "ADJ", "NOUN", "PROPN", "ADV", "NUM", "PRON")
    ]
    verbs = [n for n in clauses if words[n].pos in ("VERB", "AUX") or finite(words, n)]
    return next(iter(verbs or clauses or found), -1)


def finite(words: Words, number: int, inside: Iterable[int] | None = None) -> bool:
    """Whether a word is a finite verb, or has a finite auxiliary or copula, among the words `inside` where given."""
    near = [number, *(c for c in words.children[number] if words[c].rel in ("aux", "cop", "aux:pass"))]
    there = None if inside is None else set(inside)
    return any(_is_finite(words, n) for n in near if there is None or n in there) or (
        len(near) == 1 and _is_past(words, number)
    )


def crossing(words: Words, numbers: Iterable[int], gone: Iterable[int]) -> int:
    """How many words hang across the ends of a span: marks, conjunctions, prepositions and those `gone` aside."""
    inside, left_out = set(numbers), set(gone)
    return sum(
        word.head >= 0
        and (n in inside) != (word.head in inside)
        and not {n, word.head} & left_out
        and word.rel not in ("punct", "cc", "mark", "case")
        for n, word in enumerate(words.words)
    )


def _is_finite(words: Words, number: int) -> bool:
    word = words[number]
    return word.pos in ("VERB", "AUX") and word.feature("VerbForm") == "Fin"


def _is_past(words: Words, number: int) -> bool:
    """Whether a verb that was tagged as a participle is a past: *The company denied charges*."""
    word = words[number]
    if word.pos != "VERB" or word.feature("VerbForm") != "Part" or word.lower.endswith("ing"):
        return False
    return any(words[c].rel == "nsubj" and c < number for c in words.children[number])


def has_subject(words: Words, number: int, inside: Iterable[int]) -> bool:
    """Whether the head of a clause has a subject among the words `inside`."""
    there = set(inside)
    return any(child in there and words[child].rel.split(":")[0] in _SUBJECTS for child in words.children[number])


def is_subordinate(words: Words, number: int) -> bool:
    """Whether a word such as *because* or *when* hangs on the head of a clause."""
    return any(words[c].rel == "mark" or words[c].lower in ("when", "where") for c in words.children[number])
