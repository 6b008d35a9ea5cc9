"""Ordinary English text of what corpora have in tokens, in sentences, and which of these are fit to learn from."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DOUBLE = re.compile(r"``|''|[“”„]")
# WikiText's marks of what its tokeniser took apart inside a word.
_INSIDE = re.compile(r" @([-.,])@ ")
_RANGE = re.compile(r"(?<=\d) - (?=\d)")
_CLITIC = re.compile(r" (?=(?:'(?:s|m|d|ll|re|ve|t)|n't)\b)", re.IGNORECASE)
_LEFT = re.compile(r"\s+(?=[,.;:!?%)\]}…](?:[^\w]|$))")
_RIGHT = re.compile(r"(?<=[(\[{$£€#])\s+")
_PLURAL = re.compile(r"(?<=s) '(?= )")
_SLASH = re.compile(r"(?<=\w) / (?=\w)")
_QUOTE = re.compile(r'\s*"\s*')
_DASH = re.compile(r"\s+--+\s+|(?<=\w)--+(?=\w)")
_HYPHEN = "\N{SOFT HYPHEN}"
_SPACES = re.compile(r"\s+")
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


def detokenised(text: str) -> str:
    """Ordinary text of a sentence whose tokens stand apart: `He said , `` I ca n't . ''` as `He said, "I can't."`."""
    text = _DASH.sub(" — ", _INSIDE.sub(r"\1", _DOUBLE.sub('"', text)))
    for pattern, put in ((_RANGE, "-"), (_CLITIC, ""), (_PLURAL, "'"), (_SLASH, "/")):
        text = pattern.sub(put, text)
    text = _RIGHT.sub("", _LEFT.sub("", f"{text} "))
    return _SPACES.sub(" ", _quoted(text)).strip()


def _quoted(text: str) -> str:
    """Quotes drawn to what they enclose: one that opens stands before a word, one that closes after it."""
    parts = _QUOTE.split(text)
    if len(parts) % 2 == 0:  # one of them has no partner, and nothing tells which
        return text
    joined = parts[0]
    for number, part in enumerate(parts[1:], 1):
        opens = number % 2 == 1
        before = " " if opens and joined and not joined.endswith(("(", "[", "-", "/")) else ""
        after = " " if not opens and part and part[0] not in ",.;:!?)]}-/'…" else ""
        joined += f'{before}"{after}{part}'
    return joined


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
    found, start = [], 0
    for match in _END.finditer(text):
        if not _goes_on(text[start : match.start()]):
            found.append(text[start : match.end()].strip())
            start = match.end()
    return [*found, text[start:].strip()] if text[start:].strip() else found


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
