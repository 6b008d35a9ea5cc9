"""What counts as one word when compressions are compared.

A word never depends on the words around it: deleting its neighbours must not change how it is split, or a deletion
would seem to change what was kept. Text that is tokenised already comes out the same but for abbreviations, whose stop
stands alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

Span = tuple[int, int]

_LETTERS = r"[\w\u0300-\u036f]"
_CLITIC = r"['’](?:s|m|d|re|ve|ll)(?!\w)"
# In order: 've and n't, U.S. and a.m., the do of don't, words with - ' . , and the like inside, marks (--, ...).
_WORD = re.compile(
    rf"{_CLITIC}|n['’]t(?!\w)|(?:[^\W\d_]\.){{2,}}|{_LETTERS}+?(?=n['’]t(?!\w))"
    rf"|{_LETTERS}+(?:(?!{_CLITIC})[-'’.,:/&@_+]{_LETTERS}+)*|([^\w\s])\1*",
    re.IGNORECASE,
)
# Runs of Latin letters and digits are one, everything else a character each.
_CHARACTER = re.compile(r"[A-Za-z0-9]+(?:[-.,:/][A-Za-z0-9]+)*|\S")


@dataclass(frozen=True, slots=True)
class Splitter:
    """Words are the matches of `pattern`; `gap` is what parts two words whose neighbours were dropped."""

    pattern: re.Pattern[str]
    gap: str

    def spans(self, text: str) -> list[Span]:
        """Start and end of each word, in order, in characters."""
        return [match.span() for match in self.pattern.finditer(text)]


WORDS = Splitter(_WORD, " ")
CHARACTERS = Splitter(_CHARACTER, "")


def split(text: str, splitter: Splitter) -> list[str]:
    """The words of `text`, their case folded: a capital put at the start of a compression changes no word."""
    return [text[start:end].casefold() for start, end in splitter.spans(text)]


def kept_text(text: str, kept: list[Span], gap: str) -> str:
    """The words at `kept` (in order) as a text: neighbours stand as they stood, `gap` fills where words are missing."""
    parts: list[str] = []
    last = None
    for start, end in kept:
        if last is not None:
            between = text[last:start]
            parts.append(gap if between.strip() else between)
        parts.append(text[start:end])
        last = end
    return "".join(parts)
