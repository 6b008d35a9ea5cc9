"""What counts as one word when compressions are compared.

A word never depends on the words around it: deleting its neighbours must not change how it is split, or a deletion
would seem to change what was kept. Text that is tokenised already comes out the same but for abbreviations, whose stop
stands alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rewrite.evaluate.sets import EvaluationSet

__all__ = ["CHARACTERS", "WORDS", "SegmentedSplitter", "Splitter", "kept_text", "split", "splitters_of"]

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
class PatternSplitter:
    """Words are the matches of `pattern`; `gap` is what parts two words whose neighbours were dropped."""

    pattern: re.Pattern[str]
    gap: str

    def spans(self, text: str) -> list[Span]:
        """Start and end of each word, in order, in characters."""
        return [match.span() for match in self.pattern.finditer(text)]


WORDS = PatternSplitter(_WORD, " ")
CHARACTERS = PatternSplitter(_CHARACTER, "")


@dataclass(frozen=True, slots=True)
class SegmentedSplitter:
    """Words are those of one source, as people segmented it; its compressions are split as deletions of whole words.

    Of all ways to read a text as some of `words` in order, the one that covers the most characters is taken; what is
    not covered, as in a text that keeps half a word, is split by `CHARACTERS`.
    """

    words: tuple[str, ...]
    gap: str = ""

    def spans(self, text: str) -> list[Span]:
        """As of `PatternSplitter`."""
        whole = self._whole_words(text)
        spans: list[Span] = []
        end = 0
        for start, stop in [*whole, (len(text), len(text))]:
            spans += [(end + a, end + b) for a, b in CHARACTERS.spans(text[end:start])]
            if stop > start:
                spans.append((start, stop))
            end = stop
        return spans

    def _whole_words(self, text: str) -> list[Span]:
        """The spans of the words that cover most of `text`; among equals, earlier words."""
        covered = [[0] * (len(text) + 1) for _ in range(len(self.words) + 1)]
        for i in range(len(self.words) - 1, -1, -1):
            word = self.words[i]
            for j in range(len(text) - 1, -1, -1):
                best = max(covered[i + 1][j], covered[i][j + 1])
                if text.startswith(word, j):
                    best = max(best, len(word) + covered[i + 1][j + len(word)])
                covered[i][j] = best
        spans: list[Span] = []
        i = j = 0
        while i < len(self.words) and j < len(text):
            word = self.words[i]
            if text.startswith(word, j) and covered[i][j] == len(word) + covered[i + 1][j + len(word)]:
                spans.append((j, j + len(word)))
                i, j = i + 1, j + len(word)
            elif covered[i][j] == covered[i + 1][j]:
                i += 1
            else:
                j += 1
        return spans


Splitter = PatternSplitter | SegmentedSplitter


def splitters_of(data: EvaluationSet, *, characters: bool = False) -> list[Splitter]:
    """How each example of a set and its compressions are split into words, or into characters.

    Words are the corpus's own where it has them, characters in Chinese without such, and otherwise `WORDS`.
    """
    plain = CHARACTERS if characters or data.language == "zh" else WORDS
    return [SegmentedSplitter(one.words) if one.words and not characters else plain for one in data.examples]


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
