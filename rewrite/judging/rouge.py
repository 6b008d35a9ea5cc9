"""ROUGE (Lin, 2004) by `rouge-score`, against references or, as a baseline without any, against the source."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from rewrite.errors import MissingExtra
from rewrite.judging.types import Judged, Row
from rewrite.judging.words import checked_language, lower_words, require_references, row_language, stemmer

__all__ = ["Rouge"]


class Rouge:
    """F1 of ROUGE-1, ROUGE-2 or ROUGE-L, in [0, 1], with its parts `P`, `R` and `F`; the best reference by F counts.

    English is split and stemmed by the library itself, runs of a–z and 0–9. Since it drops all other letters, other
    languages are split by our own words, Russian ones stemmed by Snowball. With `against_source` the source takes the
    place of the references. `MissingExtra` where the library is not installed.
    """

    range = (0.0, 1.0)

    def __init__(self, kind: str, against_source: bool = False, *, language: str | None = None) -> None:
        try:
            from rouge_score import rouge_scorer, tokenizers
        except ImportError:
            raise MissingExtra("ROUGE needs rouge-score.", hint="Run: pip install 'rewrite-rerank[eval]'") from None
        self.name = f"source-{kind}" if against_source else kind
        self.needs_references = not against_source
        self._kind = kind
        self._language = checked_language(language)
        self._library = rouge_scorer.RougeScorer
        self._english = tokenizers.DefaultTokenizer(use_stemmer=True)
        self._scorers: dict[str, Any] = {}

    def signature(self) -> str:
        """Name, library and language."""
        return f"{self.name}:rouge-score-{version('rouge-score')}:stems:{self._language or 'guessed'}"

    def score(self, rows: Sequence[Row]) -> list[Judged]:
        """One for each row; `BadInput` for a row without references where they are needed."""
        if self.needs_references:
            require_references(rows, self.name)
        return [self._judged(row) for row in rows]

    def _judged(self, row: Row) -> Judged:
        scorer = self._scorer(row_language(row, self._language))
        targets = row.references if self.needs_references else (row.source,)
        found = (scorer.score(target, row.text)[self._kind] for target in targets)
        best = max(found, key=lambda one: float(one.fmeasure))
        parts = {"P": float(best.precision), "R": float(best.recall), "F": float(best.fmeasure)}
        return Judged(parts["F"], parts)

    def _scorer(self, language: str) -> Any:
        if language not in self._scorers:
            tokenizer = self._english if language == "en" else _Words(language)
            self._scorers[language] = self._library([self._kind], tokenizer=tokenizer)
        return self._scorers[language]


class _Words:
    """What `rouge-score` calls a tokenizer, for scripts that its own one drops."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._stemmer = stemmer(language)

    def tokenize(self, text: str) -> list[str]:
        words = lower_words(text, self._language)
        return words if self._stemmer is None else [self._stemmer.stem(word) for word in words]
