"""Parsers of Russian and English, where the task at hand has none."""

from __future__ import annotations

from functools import lru_cache

from rerank.analysis import LAYERS, Analyzer

PARSED = ("ru", "en")


def parser_of(language: str, given: Analyzer) -> Analyzer:
    """The given analyser where it parses, else one that all share."""
    return given if given.language == language and set(LAYERS) <= set(given.layers) else _shared(language)


@lru_cache(maxsize=2)
def _shared(language: str) -> Analyzer:
    if language == "ru":
        return Analyzer(cache_size=2_000)
    from rerank.english import EnglishAnalyzer

    return EnglishAnalyzer(cache_size=2_000)
