"""Sentences parsed, as the splitter sees them."""

from __future__ import annotations

from collections.abc import Sequence

from rerank.english import EnglishAnalyzer
from rewrite.splitting.words import Words, words_of

__all__ = ["Parser"]

_REMEMBERED = 4_000


class Parser:
    """Parses English sentences, each as one whatever the parser thinks of its stops."""

    def __init__(self, analyzer: EnglishAnalyzer | None = None) -> None:
        self._analyzer = analyzer or EnglishAnalyzer(cache_size=_REMEMBERED)

    @property
    def signature(self) -> str:
        return self._analyzer.signature

    def parse(self, sentences: Sequence[str]) -> list[Words]:
        """One `Words` per sentence, in order."""
        return [words_of(analysis) for analysis in self._analyzer.analyze(sentences)]
