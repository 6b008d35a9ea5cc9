"""Which English pronouns a noun or name may be spoken of with: he, she, they."""

from __future__ import annotations

from collections.abc import Iterable

from rerank.analysis import Entity, Token
from rewrite.splitting.pronouns import FEMALE, MALE, given_name, is_person, is_thing_noun


def kinds_of(token: Token, entities: Iterable[Entity]) -> frozenset[str]:
    """The pronouns of one noun; of nouns that are in no list all that fit its number."""
    word = token.text.lower()
    if token.feats.get("Number") == "Plur":
        return frozenset({"they"})
    for kind, nouns in (("he", MALE), ("she", FEMALE)):
        if word in nouns:
            return frozenset({kind})
    if token.pos == "PROPN":
        entity = next((e.type for e in entities if e.start <= token.start < e.stop), "")
        known = given_name(word)
        people = frozenset({known} if known else {"he", "she"})
        return people if entity == "PER" or known else frozenset({"they"} if entity else {"he", "she"})
    if is_person(word):
        return frozenset({"he", "she"})
    return frozenset() if is_thing_noun(word) else frozenset({"they"})
