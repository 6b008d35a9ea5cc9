"""Texts as words with their places, and what makes two words the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rerank.errors import MissingExtra, UnknownName
from rerank.frequency import fold
from rerank.masked.words import split
from rerank.morphology import Morphology
from rerank.paraeval.types import Phrase

__all__ = ["IDENTITIES", "Keys", "Text", "create_keys", "lemma_keys", "read"]

Keys = Callable[[Sequence[str]], list[str]]
"""A key for each of some words: words with equal keys count as the same."""

IDENTITIES = ("form", "lemma", "stem")
"""What may make two words the same: their form, their Russian lemma, their English stem by Porter."""


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
    """The words of `text`, by the rules of `language` (see `rerank.masked.words.split`); guessed without it."""
    words, places, stretches = [], [], []
    stretch = last = 0
    for token in split(text, language):
        if not any(character.isalnum() for character in token.word.text):
            stretch += 1
            continue
        if "\n" in text[last : token.start]:
            stretch += 1
        words.append(fold(token.word.text))
        places.append((token.start, token.stop))
        stretches.append(stretch)
        last = token.stop
    return Text(text, tuple(words), tuple(places), tuple(stretches))


def create_keys(identity: str, language: str) -> Keys:
    """Keys by `identity`, one of `IDENTITIES`, for words in `language`.

    Raises `UnknownName` for another identity, or one that the language has not: lemmas are for `ru`, stems for `en`;
    `MissingExtra` for stems where nltk is not installed.
    """
    if identity == "form":
        return list
    if identity == "lemma" and language == "ru":
        return lemma_keys(Morphology())
    if identity == "stem" and language == "en":
        return _Stems()
    raise UnknownName(
        f"Words cannot be the same by {identity!r} in {language!r}.",
        hint="Known: form (any language), lemma (ru), stem (en).",
    )


def lemma_keys(morphology: Morphology) -> Keys:
    """The lemma of each word's likeliest reading."""
    return lambda words: [fold(morphology.lemma(word)) for word in words]


class _Stems:
    """Porter stems of words with more than three letters, as rouge-score takes them."""

    _SHORT = 3

    def __init__(self) -> None:
        self._stem = lru_cache(maxsize=50_000)(self._look_up)

    @cached_property
    def _stemmer(self) -> Callable[[str], str]:
        try:
            from nltk.stem.porter import PorterStemmer
        except ImportError:
            raise MissingExtra("Stems need nltk.", hint="Run: pip install 'rewrite-rerank[eval]'") from None
        stem: Callable[[str], str] = PorterStemmer().stem
        return stem

    def _look_up(self, word: str) -> str:
        return self._stemmer(word) if len(word) > self._SHORT else word

    def __call__(self, words: Sequence[str]) -> list[str]:
        return [self._stem(word) for word in words]
