"""razdel's tokens and sentences as plain spans, for whoever needs no analysis."""

from __future__ import annotations

from razdel import sentenize, tokenize

__all__ = ["Span", "sentences", "tokens"]

Span = tuple[int, int, str]
"""Start, stop and text."""


def tokens(text: str) -> list[Span]:
    """The tokens of a text."""
    return [(token.start, token.stop, token.text) for token in tokenize(text)]


def sentences(text: str) -> list[Span]:
    """The sentences of a text, without the spaces around them."""
    return [(sentence.start, sentence.stop, sentence.text) for sentence in sentenize(text)]
