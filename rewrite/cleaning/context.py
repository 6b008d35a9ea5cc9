"""What a rule of cleaning may know besides the text, and the few readings of a text that several rules share."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rerank.frequency import fold

# As a character class: whatever `str.splitlines` would cut at.
BREAKS = "\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029"
# As a character class: what may follow the mark that ends a sentence.
CLOSERS = r"\"'»”“’)\]"
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_CYRILLIC = re.compile(r"[\u0400-\u052f]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Context:
    """One sample's circumstances: the `source`, the `stop` strings, the prompt's own words (`markers`), and whether
    the model came to an end by itself (`finished`) or was cut off."""

    source: str
    stop: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    finished: bool = True


Rule = Callable[[str, Context], str]
"""A repair gives the text mended, or as it was."""
Filter = Callable[[str, Context], bool]
"""A filter says whether it objects to the text."""


def words(text: str) -> list[str]:
    """The words of `text` as they stand; a hyphen or apostrophe inside is part of a word."""
    return _WORD.findall(text)


def language(text: str) -> str:
    """`ru` where most letters are Cyrillic, `en` where most are Latin, an empty string where there are neither."""
    cyrillic, latin = len(_CYRILLIC.findall(text)), len(_LATIN.findall(text))
    return ("ru" if cyrillic >= latin else "en") if cyrillic or latin else ""


def begins_like(source: str, start: str) -> bool:
    """Whether `source` begins with `start`, whatever case and spacing: then it is no addition of the model."""
    return _spaced(source).startswith(_spaced(start))


def _spaced(text: str) -> str:
    return _SPACE.sub(" ", fold(text)).strip()
