"""Filters of texts that are no rewrite of the source at all."""

from __future__ import annotations

import re

from rerank.frequency import fold
from rewrite.cleaning.context import CLOSERS, Context, words
from rewrite.cleaning.tokens import LOST, SPECIAL

__all__ = ["copy_of_the_source", "empty", "lost_characters", "much_longer", "no_letters", "prompt_leakage"]

_FINAL = re.compile(rf"[\s.!?…{CLOSERS}«„‘]+$")
_SPACE = re.compile(r"\s+")
_SAME = str.maketrans("«»„“”‘’'–—−", '""""""""---')


def empty(text: str, context: Context) -> str:
    """Rejects a text of which nothing is left."""
    return "" if text.strip() else "empty"


def no_letters(text: str, context: Context) -> str:
    """Rejects a text without a letter."""
    return "" if any(map(str.isalpha, text)) else "no letters"


def lost_characters(text: str, context: Context) -> str:
    """Rejects a text in which the tokenizer lost a letter, so that a word is broken."""
    return "lost characters" if LOST.search(text) else ""


def prompt_leakage(text: str, context: Context) -> str:
    """Rejects a text with a piece of the prompt or a special token in it, more often than in the source."""
    for piece in (*SPECIAL.findall(text), *filter(_telling, context.markers)):
        if text.count(piece) > context.source.count(piece):
            return f"prompt leakage: {piece.strip()}"
    return ""


def copy_of_the_source(text: str, context: Context) -> str:
    """Rejects the source itself, up to case, spacing, ё or е, the shape of quotes and dashes and the final mark."""
    return "copy of the source" if _bare(text) == _bare(context.source) else ""


def much_longer(text: str, context: Context) -> str:
    """Rejects a text of more than twice the words of the source and five."""
    length, own = len(words(text)), len(words(context.source))
    return f"much longer: {length} words, the source has {own}" if length > 2 * own + 5 else ""


def _telling(marker: str) -> bool:
    """Whether a piece of a prompt is more than punctuation that any text may have."""
    piece = marker.strip()
    return any(map(str.isalpha, piece)) or len(piece) >= 3


def _bare(text: str) -> str:
    return _SPACE.sub(" ", _FINAL.sub("", fold(text)).translate(_SAME)).strip()
