"""Whether triples belong to a sentence, and whether what was written for them says all that it says and no more."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from rerank.english.facts.words import DENYING
from rerank.guard import Violation
from rewrite.splitting.guard import FUNCTION_WORDS
from rewrite.splitting.triples.names import UNIT_WORDS, fold, mentions, own_name, words
from rewrite.splitting.triples.slots import entities
from rewrite.splitting.triples.triple import Triple, entity_name, property_name

__all__ = ["absent", "check_sentences", "strangers"]

_NAME = re.compile(r"[^\W_]+")
_ROOT = 4
"""Letters that two words of one name share at least: *Canada*, *Canadian*."""
_ALIKE = 0.8
_SHOWN = 4


def absent(sentence: str, triples: Sequence[Triple]) -> list[str]:
    """The names of the entities of which a sentence has nothing: no form of the name, no word of it, no number."""
    own = words(sentence)
    return [
        entity_name(entity)
        for entity in entities(triples)
        if not mentions(sentence, entity) and not any(_among(word, own) for word in words(entity_name(entity)))
    ]


def _among(word: str, others: Sequence[str]) -> bool:
    if word[:1].isdigit() or len(word) < _ROOT:
        return len(word) > 2 and word in others
    return any(other.startswith(word[:_ROOT]) or _alike(word, other) for other in others)


def _alike(word: str, other: str) -> bool:
    """Whether two words are one name, one of them misspelt."""
    if abs(len(word) - len(other)) > 1 or min(len(word), len(other)) <= _ROOT:
        return False
    return difflib.SequenceMatcher(None, word, other, autojunk=False).ratio() > _ALIKE


def strangers(sentence: str, triples: Sequence[Triple]) -> str:
    """Why triples do not belong to a sentence, which has fewer than half of their entities; empty where they do."""
    missing = absent(sentence, triples)
    if 2 * len(missing) <= len(entities(triples)):
        return ""
    names = ", ".join(repr(name) for name in missing[:_SHOWN])
    more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
    verb = "is" if len(missing) == 1 else "are"
    return f"The triples do not belong to the sentence: {names}{more} {verb} not in it."


def check_sentences(sentence: str, triples: Sequence[Triple], candidate: str) -> list[Violation]:
    """What sentences written for triples leave out of the sentence, or say beyond it and the triples; empty if nothing.

    All numbers and names of the sentence must be there. A number, a name, a unit or a denial may be there only if the
    sentence or the triples have it; other words are the templates'. Kinds: `number`, `name`, `negation`, `invented`.
    """
    entity_words = [word for entity in entities(triples) for word in words(entity_name(entity))]
    known = [*words(sentence), *entity_words, *(word for t in triples for word in words(property_name(t.property)))]
    said = words(candidate)
    own = [word for entity in entities(triples) for word in words(own_name(entity))]
    wanted = dict.fromkeys([*_numbers(sentence), *_names(sentence, own)])
    found = [
        Violation("number" if word[0].isdigit() else "name", word, f"drops {word!r}")
        for word in wanted
        if not (word in said or (len(word) >= _ROOT and not word[0].isdigit() and _among(word, said)))
    ]
    new = [word for word in dict.fromkeys(said) if word not in known]
    named = set(_names(candidate, ()))
    for word in new:
        if word[0].isdigit():
            found.append(Violation("number", word, f"adds {word!r}"))
        elif word in DENYING:
            found.append(Violation("negation", word, f"denies with {word!r}"))
        elif word in named and not _among(word, known):
            found.append(Violation("name", word, f"adds {word!r}"))
        elif word in UNIT_WORDS:
            found.append(Violation("invented", word, f"adds {word!r}"))
    return found


def _numbers(text: str) -> list[str]:
    return [word for word in words(text) if word[0].isdigit()]


def _names(text: str, also: Sequence[str]) -> list[str]:
    """Words with a capital, in lower case; those that open a sentence only if they are among `also`."""
    found = []
    for line in text.split("\n"):
        opens = True
        for match in _NAME.finditer(line):
            word = match.group()
            lower = fold(word).lower()
            inner = any(c.isupper() for c in word[1:])
            if word[0].isupper() and lower not in FUNCTION_WORDS and (not opens or inner or lower in also):
                found.append(lower)
            opens = line[match.end() : match.end() + 2] == ". " and len(word) > 3
    return found
