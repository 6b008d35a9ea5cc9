"""What knows nothing of quality, and what any metric must be compared with: length, copying, common words."""

from __future__ import annotations

import math
from collections import Counter

from rewrite.judging.types import Judged, Metric, Row
from rewrite.judging.words import LANGUAGES, checked_language, lower_words, row_language

__all__ = ["Trivial"]

_RANGES = {"length": (0.0, math.inf), "brevity": (0.0, 1.0), "copied": (0.0, 1.0), "frequency": (0.0, 8.0)}


class Trivial(Metric):
    """One of four figures of a row, without parts.

    `length`: how many words the text has. `brevity`: 1 / (1 + that). `copied`: the share of the text's words that the
    source has too, each as often as there. `frequency`: how common the rarest word of the text is, on the Zipf scale of
    `wordfreq` from 0 (unknown) to 8; languages other than English and Russian count as English. The last two are 0 for
    a text without words.
    """

    needs_references = False

    def __init__(self, name: str, *, language: str | None = None) -> None:
        self.name = name
        self.range = _RANGES[name]
        self._language = checked_language(language)

    def signature(self) -> str:
        return f"{self.name}:{self._language or 'guessed'}"

    def judged(self, row: Row) -> Judged:
        language = row_language(row, self._language)
        return Judged(self._figure(lower_words(row.text, language), row, language), {})

    def _figure(self, words: list[str], row: Row, language: str) -> float:
        if self.name == "length":
            return float(len(words))
        if self.name == "brevity":
            return 1 / (1 + len(words))
        if self.name == "copied":
            common = Counter(words) & Counter(lower_words(row.source, language))
            return common.total() / len(words) if words else 0.0
        from wordfreq import zipf_frequency

        known = language if language in LANGUAGES else "en"
        lettered = (word for word in words if any(map(str.isalpha, word)))
        return min((float(zipf_frequency(word, known)) for word in lettered), default=0.0)
