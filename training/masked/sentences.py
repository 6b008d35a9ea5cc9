"""Ordinary English text of what corpora have in tokens, in sentences, and which of these are fit to learn from."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rerank.english.detokenising import detokenised

_HYPHEN = "\N{SOFT HYPHEN}"
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])")
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof rev gen col sen rep gov lt sgt capt st mt no vs jr sr inc ltd co corp dept fig figs eq eqs "
    "approx jan feb mar apr jun jul aug sep sept oct nov dec al etc cf pp vol hon messrs "
    "e.g i.e u.s u.k a.m p.m".split()
)
_LAST_WORD = re.compile(r"([A-Za-z][A-Za-z.]*)\.[\"'”’)\]]*$")
_STRANGE = re.compile(r"[<>|@\\{}=_*~^]|https?:|www\.|\.com\b")
_WORDS = (4, 70)
_LETTERS = 0.7
_CLOSED = re.compile(r"[.!?…][\"'”’)\]]*$")


def untagged(tokens: Iterable[str], mark: str = "_") -> str:
    """The text of tokens as `word_TAG`, or with another `mark`, ordinary again.

    A hyphen that is tagged as one joins its neighbours.
    """
    pieces = []
    for token in tokens:
        word, _, tag = token.rpartition(mark)
        pieces.append(_HYPHEN if (word, tag) == ("-", "-") else word)
    return detokenised(" ".join(pieces).replace(f" {_HYPHEN} ", "-").replace(_HYPHEN, "-"))


def split_english(text: str) -> list[str]:
    """The sentences of a paragraph. A stop after an initial or a usual abbreviation ends none."""
    sentences, start = [], 0
    for match in _END.finditer(text):
        if not _goes_on(text[start : match.start()]):
            sentences.append(text[start : match.end()].strip())
            start = match.end()
    return [*sentences, text[start:].strip()] if text[start:].strip() else sentences


def _goes_on(text: str) -> bool:
    match = _LAST_WORD.search(text)
    return match is not None and (len(match[1]) == 1 or match[1].lower() in _ABBREVIATIONS)


def suits_english(text: str, *, lower: bool = False) -> bool:
    """Whether it is a whole sentence of 4 to 70 words, of letters for the most part.

    `lower` says that the corpus has no capitals. Left out are headings (no mark at their end), addresses, markup, and
    what is in capitals throughout.
    """
    count = len(text.split())
    letters = sum(c.isascii() and c.isalpha() for c in text)
    begins = lower or not text[:1].islower()
    return (
        begins
        and _WORDS[0] <= count <= _WORDS[1]
        and letters >= _LETTERS * len(text)
        and _CLOSED.search(text) is not None
        and _STRANGE.search(text) is None
        and text != text.upper()
    )


def whole_quotes(text: str) -> str:
    """Without a quote at its start or end whose partner stands in another sentence."""
    if text.count('"') != 1:
        return text
    return text.removeprefix('"').removesuffix('"').strip()
