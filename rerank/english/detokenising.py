"""Ordinary text of English sentences whose tokens stand apart, as in many corpora."""

from __future__ import annotations

import re

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
_SPACES = re.compile(r"\s+")


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
