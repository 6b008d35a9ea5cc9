"""ROUGE (Lin, 2004) by `rouge-score`, against references or, as a baseline without any, against the source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

from rewrite.judging.types import Judged, Metric, Row
from rewrite.judging.words import checked_language, library, lower_words, row_language, stemmer

__all__ = ["Rouge", "rouge_scorer"]


class _Tokenizer:
    """What `rouge-score` calls a tokenizer."""

    def __init__(self, words: Callable[[str], list[str]]) -> None:
        self.tokenize = words


def rouge_scorer(
    kinds: Sequence[str], words: Callable[[str], list[str]] | None = None, *, use_stemmer: bool = False
) -> Any:
    """The library's scorer of `kinds`, with its English words (runs of a–z and 0–9) or those that `words` splits.

    Its own words drop all other letters. `MissingExtra` where the library is not installed.
    """
    library("rouge_score", "ROUGE needs rouge-score.")
    from rouge_score.rouge_scorer import RougeScorer
    from rouge_score.tokenizers import DefaultTokenizer

    return RougeScorer(list(kinds), tokenizer=_Tokenizer(words) if words else DefaultTokenizer(use_stemmer))


class Rouge(Metric):
    """F1 of ROUGE-1, ROUGE-2 or ROUGE-L, in [0, 1], with its parts `P`, `R` and `F`; the best reference by F counts.

    English is split and stemmed by the library itself, other languages by our own words, Russian ones stemmed by
    Snowball. Of a name that begins with `source-` the source takes the place of the references.
    """

    def __init__(self, name: str, *, language: str | None = None) -> None:
        self.name = name
        self.needs_references = not name.startswith("source-")
        self._kind = name.removeprefix("source-")
        self._language = checked_language(language)
        self._scorers: dict[str, Any] = {"en": rouge_scorer([self._kind], use_stemmer=True)}

    def signature(self) -> str:
        return f"{self.name}:rouge-score-{version('rouge-score')}:stems:{self._language or 'guessed'}"

    def judged(self, row: Row) -> Judged:
        scorer = self._scorer(row_language(row, self._language))
        targets = row.references if self.needs_references else (row.source,)
        scores = (scorer.score(target, row.text)[self._kind] for target in targets)
        best = max(scores, key=lambda score: float(score.fmeasure))
        parts = {"P": float(best.precision), "R": float(best.recall), "F": float(best.fmeasure)}
        return Judged(parts["F"], parts)

    def _scorer(self, language: str) -> Any:
        if language not in self._scorers:
            stems = stemmer(language)

            def words(text: str) -> list[str]:
                found = lower_words(text, language)
                return found if stems is None else [stems.stem(word) for word in found]

            self._scorers[language] = rouge_scorer([self._kind], words)
        return self._scorers[language]
