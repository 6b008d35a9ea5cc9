"""A text cut into the sentences to rewrite and everything between them, which is kept as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from razdel import sentenize

SHORTEST = 4
LONGEST = 200
# A sentence has at most LONGEST words, so the word pattern need not walk through a line of 100 kB first.
_LONGEST_CHARACTERS = 3_000
_WORD = re.compile(r"[^\W\d_]+")
# Braces, a tag, a call without arguments or at the end of a statement: a language model would cut it to pieces.
_CODE = re.compile(r"[{}]|</?\w+>|\w\(\)|\w\([^()\s]*\);\s*$")
_CYRILLIC = re.compile(r"[а-яёА-ЯЁ]")
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
"""What keeps a sentence from being rewritten: it is passed through as it is."""
_BREAKS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class Layout:
    """Sentences of one text, and the spacing around them: `gaps` is one longer than `sentences`."""

    sentences: tuple[str, ...]
    gaps: tuple[str, ...]

    @classmethod
    def cut(cls, text: str, places: Iterable[tuple[int, int]]) -> Layout:
        """The layout of `text` with sentences at these places; joining them again gives `text`."""
        sentences, gaps, position = [], [], 0
        for start, stop in places:
            sentences.append(text[start:stop])
            gaps.append(text[position:start])
            position = stop
        return cls(tuple(sentences), (*gaps, text[position:]))

    def join(self, sentences: tuple[str, ...]) -> str:
        """The text with other `sentences` (one per original) in the original spacing."""
        parts = [self.gaps[0]]
        for sentence, gap in zip(sentences, self.gaps[1:], strict=True):
            parts += (sentence, gap)
        return "".join(parts)


def split(text: str) -> Layout:
    """Cut `text` into sentences with razdel; joining them again gives `text`."""
    return Layout.cut(text, [(span.start, span.stop) for span in sentenize(text)] if text.strip() else ())


def skip_reason(sentence: str, language: str = "ru") -> str:
    """Why `sentence` is passed through unchanged, or an empty string where it may be rewritten."""
    if CONTROL.search(sentence):
        return "control characters"
    if language == "ru" and not _CYRILLIC.search(sentence):
        return "no Cyrillic letters"
    if language == "en" and _CODE.search(sentence):
        return "code"
    if len(sentence) > _LONGEST_CHARACTERS:
        return f"more than {_LONGEST_CHARACTERS} characters"
    words = len(_WORD.findall(sentence))
    if words < SHORTEST:
        return f"fewer than {SHORTEST} words"
    return f"more than {LONGEST} words" if words > LONGEST else ""


def length_fault(text: str, *, sentences: int | None, max_words: int | None) -> str:
    """What keeps `text` from having so many `sentences`, or at most `max_words` in each; empty where nothing does."""
    parts = split(text).sentences if sentences is not None or max_words is not None else ()
    if sentences is not None and len(parts) != sentences:
        return f"{len(parts)} sentence{'s' if len(parts) != 1 else ''}, not {sentences}"
    if max_words is not None and (longest := max(map(count_words, parts), default=0)) > max_words:
        return f"a sentence of {longest} words, more than {max_words}"
    return ""


def count_words(text: str) -> int:
    """Words between spaces that have a letter or a digit: *какой-нибудь* is one, so is *2020*."""
    return sum(any(character.isalnum() for character in word) for word in text.split())


def one_line(text: str) -> str:
    """`text` without surrounding space, its line breaks and control characters replaced by a space each run."""
    return _BREAKS.sub(" ", text).strip()
