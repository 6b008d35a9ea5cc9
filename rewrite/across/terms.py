"""Terms found in texts in whatever form they stand there: as quick for ten thousand of them as for ten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rerank.frequency import fold
from rerank.masked.words import split
from rewrite.datasets import placed_lines
from rewrite.errors import BadInput

if TYPE_CHECKING:
    from rerank.morphology import Morphology

_Keys = frozenset[str]


class Place(NamedTuple):
    """Characters of a text where a term stands."""

    start: int
    stop: int
    term: str


@cache
def morphology() -> Morphology:
    """The dictionary that all lists share."""
    from rerank.morphology import Morphology

    return Morphology()


@lru_cache(maxsize=50_000)
def keys_of(word: str, language: str) -> _Keys:
    """What the forms of a word have in common: in Russian what they may be forms of, in English the stem."""
    folded = word.casefold()
    if language == "ru" and folded.isalpha() and not folded.isascii():
        return frozenset(map(fold, morphology().lemmas(folded)))
    if language == "en":
        from rerank.english.forms import stem

        return frozenset({stem(folded)})
    return frozenset({folded})


@lru_cache(maxsize=4_000)
def keys_in(text: str, language: str) -> frozenset[str]:
    """What the words of a text have in common with their other forms."""
    return frozenset().union(*(keys_of(token.word.text, language) for token in split(text, language)))


@lru_cache(maxsize=50_000)
def _key_of_term(word: str, language: str) -> _Keys:
    """As `keys_of`, of a word of a list: one in its dictionary form is that word alone, not what else it may be."""
    keys = keys_of(word, language)
    return frozenset({fold(word)}) if fold(word) in keys else keys


class Terms:
    """Words and phrases of a list, and where a text has them.

    In Russian a term is found in all its forms, in English with the endings of nouns and verbs, elsewhere as it is
    written; the case of letters does not count.
    """

    def __init__(self, terms: Iterable[str], language: str) -> None:
        self._language = language
        self._by_first: dict[str, list[tuple[Sequence[_Keys], str]]] = {}
        for term in terms:
            keys = [_key_of_term(token.word.text, language) for token in split(term, language)]
            for key in keys[0] if keys else ():
                self._by_first.setdefault(key, []).append((keys, term))
        for listed in self._by_first.values():
            # Of two terms that begin alike the longer one is meant.
            listed.sort(key=lambda pair: -len(pair[0]))

    def places(self, text: str) -> list[Place]:
        """Where terms stand, in order; of those that overlap the first, and of two at one place the longer one."""
        tokens = split(text, self._language) if self._by_first else []
        words = [keys_of(token.word.text, self._language) for token in tokens]
        places: list[Place] = []
        number = 0
        while number < len(tokens):
            length, term = self._at(words, number)
            if length:
                places.append(Place(tokens[number].start, tokens[number + length - 1].stop, term))
            number += max(length, 1)
        return places

    def _at(self, words: Sequence[_Keys], number: int) -> tuple[int, str]:
        """The longest term that begins at a word, with its length in words."""
        best = (0, "")
        for key in sorted(words[number]):
            for keys, term in self._by_first.get(key, ()):
                if len(keys) <= best[0]:
                    break
                here = words[number : number + len(keys)]
                if len(here) == len(keys) and all(map(_meet, keys, here)):
                    best = (len(keys), term)
                    break
        return best

    def losses(self, source: str, texts: Sequence[str]) -> list[str]:
        """For each text which term it has less often than `source`, in words; empty where it is none."""
        there = self.count(source)
        if not there:
            return [""] * len(texts)
        lost = (next((term for term in there - self.count(text)), "") for text in texts)
        return [f"drops {term!r}, which is to be kept" if term else "" for term in lost]

    def count(self, text: str) -> Counter[str]:
        """How often each term stands in a text."""
        return Counter(place.term for place in self.places(text))


def _meet(one: _Keys, other: _Keys) -> bool:
    return not one.isdisjoint(other)


def read_terms(path: str) -> tuple[str, ...]:
    """The terms of a glossary, one on each line; blank lines and those that begin with # are none.

    Raises `BadInput` for a file that is not there, is not UTF-8, or has a line with a tab.
    """
    terms: list[str] = []
    for place, line in placed_lines(Path(path)):
        term = line.strip()
        if "\t" in term:
            raise BadInput(f"{place}: {term!r} has a tab.", hint="A glossary of --keep has one term on each line.")
        if term and not term.startswith("#"):
            terms.append(term)
    return tuple(dict.fromkeys(terms))
