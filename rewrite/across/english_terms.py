"""A preferred English term in the form of the one that it replaces, and *a* or *an* before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from rerank.analysis import Analysis
from rerank.english.analyzer import EnglishToken
from rerank.english.forms import ing, is_plural, participle, past, plural, third_person
from rewrite.across.terms import Place
from rewrite.across.writing import Unsafe, cased, is_quoted

_LINKS = frozenset("of for in on to with at by from and".split())
_VOWEL = re.compile(r"[aeio]|u(?!ni|se|s[aiu]|r[aio]|t[aei]|k)|hour|hon(?:est|ou?r)|heir", re.IGNORECASE)
_CONSONANT = re.compile(r"eu|one\b|once\b|ewe", re.IGNORECASE)
_SPELT = re.compile(r"[AEFHILMNORSX](?:[A-Z\d]|\b)")


class EnglishWriter:
    """Puts terms into English sentences, by the rules of spelling and the forms that no rule makes."""

    def changes(self, analysis: Analysis, place: Place, new: str, following: str) -> list[tuple[int, int, str]]:
        """See `Writer.changes`."""
        tokens = cast("list[EnglishToken]", analysis.tokens)
        numbers = [n for n, t in enumerate(tokens) if place.start <= t.start and t.stop <= place.stop]
        said = analysis.text[place.start : place.stop]
        if not numbers:
            raise Unsafe("it is cut otherwise into words here")
        if is_quoted(analysis.text, place.start):
            raise Unsafe("it stands in quotation marks")
        starts = any(sentence.start == place.start for sentence in analysis.sentences)
        if said[:1].isupper() and not said.isupper() and place.term[:1].islower() and not starts:
            raise Unsafe("it is part of a name")
        text = cased(_inflected([tokens[n] for n in numbers], place.term, new), said, place.term, starts=starts)
        before = tokens[numbers[0] - 1] if numbers[0] else None
        if before is not None and before.lower in ("a", "an"):
            article = _article(text)
            if article != before.lower:
                fitting = article.capitalize() if before.text[0].isupper() else article
                return [(before.start, before.stop, fitting), (place.start, place.stop, text)]
        return [(place.start, place.stop, text)]


def _inflected(tokens: Sequence[EnglishToken], term: str, new: str) -> str:
    words, listed = new.split(), term.split()
    verb = tokens[0] if tokens[0].pos in ("VERB", "AUX") else None
    if verb is not None:
        return " ".join((_verb(verb, words[0]), *words[1:]))
    noun = tokens[min(_head(listed), len(tokens) - 1)]
    if noun.pos in ("NOUN", "PROPN"):
        head = _head(words)
        is_many = noun.feature("Number") == "Plur" and noun.lower != listed[_head(listed)].lower()
        if is_many and not is_plural(words[head].lower()):
            words[head] = plural(words[head])
        return " ".join(words)
    if "".join(token.lower for token in tokens) != "".join(listed).lower():
        raise Unsafe("it stands in another form than in the list")
    return new


def _head(words: Sequence[str]) -> int:
    """The noun of a phrase: its last word, or the one before a preposition."""
    return next((n - 1 for n, word in enumerate(words) if n and word.lower() in _LINKS), len(words) - 1)


def _verb(token: EnglishToken, verb: str) -> str:
    kind, tense = token.feature("VerbForm"), token.feature("Tense")
    if token.lower.endswith("ing") and (kind in ("Ger", "Part") or tense == "Pres"):
        return ing(verb)
    if kind == "Part":
        return participle(verb)
    if tense == "Past":
        return past(verb)
    is_third = tense == "Pres" and token.feature("Person") == "3" and token.feature("Number") == "Sing"
    return third_person(verb) if is_third and token.lower.endswith("s") else verb


def _article(text: str) -> str:
    if text[:2].isupper() and len(text.split()[0]) > 1:
        return "an" if _SPELT.match(text) else "a"
    return "an" if _VOWEL.match(text) and not _CONSONANT.match(text) else "a"
