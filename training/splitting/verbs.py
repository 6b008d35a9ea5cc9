"""Openers whose verb is a dropped one in another form: `, making` became `this makes`."""

from __future__ import annotations

from collections.abc import Sequence

from rewrite.splitting.forms import base, past, third_person
from rewrite.splitting.openers import PAST, PRESENT
from rewrite.splitting.words import Words

__all__ = ["with_verb_slot"]


def with_verb_slot(words: Words, opener: Sequence[str], start: int, kept: int) -> tuple[str, ...]:
    """`opener` with its last word as a slot, where that is a finite form of the last dropped word."""
    if not opener or kept == start:
        return tuple(opener)
    verb = words[kept - 1]
    if verb.pos != "VERB" or verb.lower == opener[-1]:
        return tuple(opener)
    lemma = base(verb.lower, verb.lemma.lower())
    for slot, form in ((PAST, past), (PRESENT, third_person)):
        if opener[-1] == form(lemma):
            return (*opener[:-1], slot)
    return tuple(opener)
