"""Russian dictionary morphology (pymorphy3) behind one small, bounded cache."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, NamedTuple


class Parse(NamedTuple):
    """A reading of a word: OpenCorpora part of speech (or empty), all grammemes, lemma, probability in [0, 1]."""

    pos: str
    grammemes: frozenset[str]
    lemma: str
    score: float


class Morphology:
    """pymorphy3 with the last `cache_size` distinct words remembered; share one instance, its dictionary takes 15 MB.

    The dictionary is read at the first word, not before.
    """

    def __init__(self, *, cache_size: int = 50_000) -> None:
        self._parse = lru_cache(maxsize=cache_size)(self._parse_uncached)

    @cached_property
    def analyzer(self) -> Any:
        """The `pymorphy3.MorphAnalyzer` itself, for inflection."""
        from pymorphy3 import MorphAnalyzer

        return MorphAnalyzer(lang="ru")

    def parse(self, word: str) -> tuple[Parse, ...]:
        """All readings of `word`, likeliest first; never empty."""
        return self._parse(word.lower())

    def lemma(self, word: str) -> str:
        """Lemma of the likeliest reading, in lower case."""
        return self.parse(word)[0].lemma

    def lemmas(self, word: str) -> frozenset[str]:
        """Lemmas of all readings."""
        return frozenset(parse.lemma for parse in self.parse(word))

    def known(self, word: str) -> bool:
        """Whether the dictionary holds this form (otherwise its readings are guessed from prefix and ending)."""
        return bool(self.analyzer.word_is_known(word.lower()))

    def _parse_uncached(self, word: str) -> tuple[Parse, ...]:
        parses = self.analyzer.parse(word)
        return tuple(Parse(p.tag.POS or "", frozenset(p.tag.grammemes), p.normal_form, p.score) for p in parses) or (
            Parse("", frozenset(), word, 1.0),
        )
