"""Repairs of what stands around the rewrite: markup, quotation marks, further lines."""

from __future__ import annotations

import re

from rewrite.cleaning.context import BREAKS, CLOSERS, Context

__all__ = ["line_break", "markdown", "wrapping_quotes"]

_MARKDOWN = tuple(
    re.compile(pattern)
    for pattern in (
        r"^()```\w*\s+",
        r"^()`{1,3}(?=\S)(?!`)",
        r"()(?<!`)`{1,3}\s*$",
        r"(?:\*\*|__)(?=\S)([^*_\n]+)(?<=\S)(?:\*\*|__)",
        r"(?<![\w*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])",
        r"^()(?:\#{1,6}|>)\s+(?=\S)",
    )
)
_LINE = re.compile(rf"(?<=\S)[^\S{BREAKS}]*[{BREAKS}]")
_BREAK = re.compile(rf"[{BREAKS}]")
_PAIRS = {"«": "»", "“": "”", "„": "“", '"': '"', "'": "'", "‘": "’"}
_QUOTED = re.compile(r"([«“„\"'‘])(.*\S)([»”“\"'’])([.!?…]*)", re.DOTALL)
_MARKED = re.compile(rf"[.!?…][{CLOSERS}]*$")


def markdown(text: str, context: Context) -> str:
    """Removes Markdown that the source does not use: bold and italics, headings, code marks, quotation."""
    for pattern in _MARKDOWN:
        if pattern.search(context.source) is None:
            text = pattern.sub(r"\1", text)
    return text


def line_break(text: str, context: Context) -> str:
    """Ends the rewrite at its first line break, unless the source has line breaks too."""
    match = None if _BREAK.search(context.source.strip()) else _LINE.search(text)
    return text if match is None else text[: match.start()]


def wrapping_quotes(text: str, context: Context) -> str:
    """Removes quotation marks around the whole text, unless the source is quoted so or has the text as a quotation."""
    if _wrapped(context.source.strip()):
        return text
    match = _wrapped(text)
    if match is None:
        return text
    opening, inside, closing, mark = match.groups()
    if f"{opening}{inside}{closing}" in context.source:
        return text
    return inside.strip() if _MARKED.search(inside) else inside.strip() + mark


def _wrapped(text: str) -> re.Match[str] | None:
    """The parts of `text` where one pair of quotation marks holds all of it: not so in «Заря» beat «Искра»."""
    match = _QUOTED.fullmatch(text)
    if match is None or _PAIRS[match[1]] != match[3]:
        return None
    opening, inside, closing = match[1], match[2], match[3]
    if opening == closing:
        first = inside.find(opening)
        # A mark that opens after a space is a quotation inside the quotation; one that closes ends the first.
        return match if first < 0 or inside[:first].endswith((" ", "(")) else None
    depth = 1
    for character in inside:
        depth += (character == opening) - (character == closing)
        if depth == 0:
            return None
    return match if depth == 1 else None
