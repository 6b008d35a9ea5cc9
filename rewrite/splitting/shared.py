"""Words that several parts of splitting know."""

from __future__ import annotations

from rewrite.splitting.words import Words

__all__ = ["BE", "MODALS", "PERSONAL", "QUOTES", "RELATIVES", "above", "is_quantified"]

PERSONAL = frozenset("he she it they we i you".split())
MODALS = frozenset("will would can could may might must should".split())
BE = frozenset({"is", "was", "are", "were", "'s"})
_QUANTIFIERS = frozenset(
    "no every each any few most only nobody none nothing everyone everybody anyone anybody neither either".split()
)
RELATIVES = frozenset({"who", "which", "that"})
QUOTES = frozenset({'"', "''", "``", "“", "”"})


def above(words: Words, number: int) -> list[int]:
    """The clauses that a clause is a part of."""
    found: list[int] = []
    while words[number].rel in ("ccomp", "xcomp", "csubj", "advcl", "acl", "conj") and words[number].head >= 0:
        number = words[number].head
        found.append(number)
    return found


def is_quantified(words: Words, noun: int) -> bool:
    """Whether a noun stands for none, all or some of its kind: *every man*, *most people*, *nobody*."""
    near = {words[n].lower for n in (noun, *words.children[noun])}
    return bool(near & _QUANTIFIERS)
