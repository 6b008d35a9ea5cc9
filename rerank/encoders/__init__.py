"""Sentence encoders by name; the embedded ones need nothing beyond the core installation, the others an extra."""

from __future__ import annotations

from rerank.analysis import Analyzer
from rerank.errors import UnknownName
from rerank.similarity import SentenceEncoder


def embedded_encoder(language: str) -> SentenceEncoder:
    """The encoder that texts in a language have where none is named; nothing is loaded before the first text."""
    if language != "en":
        return create_encoder()
    # What English needs is loaded for it alone.
    from rerank.english import EnglishAnalyzer

    return create_encoder(analyzer=EnglishAnalyzer())


def create_encoder(spec: str = "navec", *, analyzer: Analyzer | None = None) -> SentenceEncoder:
    """The encoder named by `spec`; nothing is loaded before the first text.

    `navec` (embedded; shares `analyzer`'s vectors and tokens, and for an English one has vectors of its own),
    or `laser:PATH` (a folder with a LASER or LASER2 checkpoint). `UnknownName` for anything else.
    """
    kind, _, argument = spec.partition(":")
    if spec == "navec" and analyzer is not None and analyzer.language == "en":
        from rerank.encoders.word_vectors import PieceEncoder

        return PieceEncoder(analyzer)
    if spec == "navec":
        from rerank.encoders.word_vectors import NavecEncoder

        return NavecEncoder(analyzer=analyzer)
    if kind == "laser" and argument:
        from rerank.encoders.laser import LaserEncoder

        return LaserEncoder(argument)
    raise UnknownName(f"Unknown sentence encoder {spec!r}.", hint="Known: navec, laser:PATH.")
