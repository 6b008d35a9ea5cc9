"""Words that several rules of splitting know."""

from __future__ import annotations

from rewrite.splitting.openers import PHRASE_SLOTS, VERB_SLOTS, phrase_slot
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = [
    "AUXILIARIES",
    "BE",
    "BRINGS",
    "ENCLITICS",
    "MODALS",
    "NOMINATIVES",
    "PERSONAL",
    "PLURAL",
    "POSSESSIVE",
    "QUOTES",
    "RELATIVES",
    "SINGULAR",
    "SUBJECT_PRONOUNS",
    "above",
    "brings_verb",
    "is_quantified",
    "opens_with_subject",
]

SUBJECT_PRONOUNS = frozenset("he she it they this these that those we i you there one some".split())
PERSONAL = frozenset("he she it they we i you".split())
SINGULAR = frozenset("he she it this that".split())
PLURAL = frozenset("they these those we".split())
POSSESSIVE = frozenset("his her its their".split())
AUXILIARIES = frozenset("is was are were has had have does do did been be".split())
MODALS = frozenset("will would can could may might must should".split())
BE = frozenset({"is", "was", "are", "were", "'s"})
BRINGS = AUXILIARIES | MODALS | VERB_SLOTS | {"'s"}
_QUANTIFIERS = frozenset(
    "no every each any few most only nobody none nothing everyone everybody anyone anybody neither either".split()
)
# Pronouns that are subjects and nothing else; *I* is left out, since it is a numeral as well.
NOMINATIVES = frozenset({"he", "she", "we", "they"})
# What is written to the word before it, possessive marks included.
ENCLITICS = frozenset({"'s", "’s", "n't", "n’t", "'"})
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


def brings_verb(split: Split) -> bool:
    """Whether the opener of a split brings a verb."""
    return bool(set(split.opener) & BRINGS)


def opens_with_subject(split: Split) -> bool:
    """Whether the opener of a split brings a subject: *he*, *in 1909 it*; not *after this,*."""
    if split.opener[-1:] == (",",) and not phrase_slot(split.opener):
        return False
    if split.opener in (("in", "that"), ("at", "that"), ("during", "that")):
        # *in that case*
        return False
    if split.opener[-2:] == ("of", "them"):
        return True
    return any(part in SUBJECT_PRONOUNS or part in PHRASE_SLOTS for part in split.opener)
