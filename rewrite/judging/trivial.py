"""What knows nothing of quality, and what any metric must be compared with: length, copying, common words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from rewrite.judging.types import Judged, Row
from rewrite.judging.words import LANGUAGES, checked_language, lower_words, row_language

__all__ = ["Trivial"]


def _length(row: Row, language: str) -> float:
    return float(len(lower_words(row.text, language)))


def _brevity(row: Row, language: str) -> float:
    return 1 / (1 + len(lower_words(row.text, language)))


def _copied(row: Row, language: str) -> float:
    words = Counter(lower_words(row.text, language))
    common = words & Counter(lower_words(row.source, language))
    return common.total() / words.total() if words else 0.0


def _frequency(row: Row, language: str) -> float:
    from wordfreq import zipf_frequency

    words = [word for word in lower_words(row.text, language) if any(map(str.isalpha, word))]
    known = language if language in LANGUAGES else "en"
    return min((float(zipf_frequency(word, known)) for word in words), default=0.0)


_FIGURES: dict[str, tuple[Callable[[Row, str], float], tuple[float, float]]] = {
    "length": (_length, (0.0, math.inf)),
    "brevity": (_brevity, (0.0, 1.0)),
    "copied": (_copied, (0.0, 1.0)),
    "frequency": (_frequency, (0.0, 8.0)),
}


class Trivial:
    """One of four figures of a row, without parts.

    `length`: how many words the text has. `brevity`: 1 / (1 + that). `copied`: the share of the text's words that the
    source has too, each as often as there. `frequency`: how common the rarest word of the text is, on the Zipf scale of
    `wordfreq` from 0 (unknown) to 8; languages other than English and Russian count as English. The last two are 0 for
    a text without words.
    """

    needs_references = False

    def __init__(self, name: str, *, language: str | None = None) -> None:
        self.name = name
        self._figure, self.range = _FIGURES[name]
        self._language = checked_language(language)

    def signature(self) -> str:
        """Name and language."""
        return f"{self.name}:{self._language or 'guessed'}"

    def score(self, rows: Sequence[Row]) -> list[Judged]:
        """One for each row."""
        return [Judged(self._figure(row, row_language(row, self._language)), {}) for row in rows]
