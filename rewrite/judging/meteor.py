"""METEOR (Banerjee & Lavie, 2005) by nltk, without synonyms."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from rewrite.errors import MissingExtra
from rewrite.judging.types import Judged, Row
from rewrite.judging.words import checked_language, lower_words, require_references, row_language, stemmer

__all__ = ["Meteor"]


class Meteor:
    """METEOR of each text against its best reference, in [0, 1]: words match as they are or by their stems.

    nltk's third stage, synonyms of WordNet, is left out, since its data are no part of the package: figures are lower
    than with it. `MissingExtra` where nltk is not installed.
    """

    name = "meteor"
    range = (0.0, 1.0)
    needs_references = True

    def __init__(self, *, language: str | None = None) -> None:
        try:
            from nltk.translate.meteor_score import meteor_score
        except ImportError:
            raise MissingExtra("METEOR needs nltk.", hint="Run: pip install 'rewrite-rerank[eval]'") from None
        self._meteor: Any = meteor_score
        self._language = checked_language(language)
        self._stemmers: dict[str, Any] = {}

    def signature(self) -> str:
        """Name, library and what matches."""
        return f"meteor:nltk-{version('nltk')}:exact,stems:{self._language or 'guessed'}"

    def score(self, rows: Sequence[Row]) -> list[Judged]:
        """One for each row; `BadInput` for a row without references."""
        require_references(rows, self.name)
        return [self._judged(row) for row in rows]

    def _judged(self, row: Row) -> Judged:
        language = row_language(row, self._language)
        if language not in self._stemmers:
            self._stemmers[language] = stemmer(language) or _Whole()
        references = [lower_words(reference, language) for reference in row.references]
        score = self._meteor(
            references, lower_words(row.text, language), stemmer=self._stemmers[language], wordnet=_NoSynonyms()
        )
        return Judged(float(score), {"F": float(score)})


class _NoSynonyms:
    """What nltk asks for synonyms, and gets none."""

    def synsets(self, word: str) -> list[Any]:
        return []


class _Whole:
    """For languages without stems: every word is its own."""

    def stem(self, word: str) -> str:
        return word
