"""Texts as words with their places, and what makes two words the same."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from rerank.errors import MissingExtra, UnknownName
from rerank.frequency import fold
from rerank.masked.words import guess_language, split
from rerank.morphology import Morphology

Phrase = tuple[str, ...]
"""Words next to one another: lower-case, ё as е, none of them a mark."""
Keys = Callable[[Sequence[str]], list[str]]
"""A key for each of some words: words with equal keys count as the same."""

IDENTITIES = ("usual", "form", "lemma", "stem")
"""What may make two words the same: their form, their Russian lemma, their English stem by Porter; or what is usual for
the language: stems, lemmas, and the form for all others.
"""
_USUAL = MappingProxyType({"en": "stem", "ru": "lemma"})
_RUN = re.compile(r"[^\W_]+")
_SHORT = 3
"""Letters of a word that has no stem but itself, at most."""


@dataclass(frozen=True)
class Text:
    """The words of a text: folded, with their places in it and the number of the stretch that each stands in.

    What has neither letter nor digit is no word; it ends a stretch, and so does the end of a line. Phrases lie within
    one stretch, so none reaches beyond a comma or a sentence.
    """

    text: str
    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    stretches: tuple[int, ...]

    def said(self, start: int, stop: int) -> str:
        """Words `start` to `stop` as they are written."""
        return self.text[self.places[start][0] : self.places[stop - 1][1]] if start < stop else ""

    def phrases(self, longest: int) -> Iterator[tuple[int, int, Phrase]]:
        """First word, end and words of every phrase with at most `longest` words."""
        for start, stretch in enumerate(self.stretches):
            for stop in range(start + 1, min(start + longest, len(self.words)) + 1):
                if self.stretches[stop - 1] != stretch:
                    break
                yield start, stop, self.words[start:stop]


def read(text: str, language: str | None = None) -> Text:
    """The words of `text`, by the rules of `language`; guessed without it.

    In English every run of letters and digits is a word, as rouge-score has it: `long`, `term`; `don`, `t`; `1`, `000`.
    Other languages have the words of `rerank.masked.words.split`. What that takes for a mark ends a stretch in English
    too: a hyphen between words does, and those of `long-term` and the points of `U.S.` do not.
    """
    chosen = guess_language(text) if language is None else language
    tokens = split(text, chosen)
    whole = [(token.start, token.stop) for token in tokens if _has_word(token.word.text)]
    places = [match.span() for match in _RUN.finditer(text)] if chosen == "en" else whole
    ends = [token.start for token in tokens if not _has_word(token.word.text)]
    ends += [at for at, character in enumerate(text) if character == "\n"] if "\n" in text else []
    ends.sort()
    return Text(
        text,
        tuple(fold(text[start:stop]) for start, stop in places),
        tuple(places),
        tuple(bisect_left(ends, start) for start, _ in places),
    )


def _has_word(token: str) -> bool:
    return any(character.isalnum() for character in token)


def create_keys(identity: str, language: str) -> Keys:
    """Keys by `identity`, one of `IDENTITIES`, for words in `language`.

    Raises `UnknownName` for another identity, or one that the language has not: lemmas are for `ru`, stems for `en`.
    """
    chosen = _USUAL.get(language, "form") if identity == "usual" else identity
    if chosen == "form":
        return list
    if chosen == "lemma" and language == "ru":
        morphology = Morphology()
        return lambda words: [fold(morphology.lemma(word)) for word in words]
    if chosen == "stem" and language == "en":
        return _stem_keys
    raise UnknownName(
        f"Words cannot be the same by {identity!r} in {language!r}.",
        hint="Known: usual, form (any language), lemma (ru), stem (en).",
    )


def _stem_keys(words: Sequence[str]) -> list[str]:
    """Stems of words with more than three letters, and the others as they are: rouge-score does so.

    Raises `MissingExtra` where nltk, whose stems these are, is not installed.
    """
    return [_stem(word) if len(word) > _SHORT else word for word in words]


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return str(stemmer("porter").stem(word))


@lru_cache(maxsize=3)
def stemmer(name: str) -> Any:
    """What cuts the endings of words, with a method `stem`: `porter`, or the Snowball stemmer of a language.

    Raises `MissingExtra` where nltk, whose they are, is not installed.
    """
    try:
        from nltk.stem import SnowballStemmer
    except ImportError:
        raise MissingExtra("Stems need nltk.", hint="Run: pip install 'rewrite-rerank[eval]'") from None
    return SnowballStemmer(name)
