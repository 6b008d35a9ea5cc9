"""What needs no model: a sentence cut in two."""

from __future__ import annotations

import re

__all__ = ["halves"]

_COMMA = re.compile(r"\s*,(?=\s)")


def halves(source: str) -> str:
    """`source` as two sentences, cut at the comma next to its middle, else after the middle word.

    The comma becomes a stop and the next letter a capital; nothing else changes. A single word stays as it is.
    """
    middle = len(source) / 2
    commas = [match.span() for match in _COMMA.finditer(source) if source[: match.start()].strip()]
    spaces = [match.span() for match in re.finditer(r"\s+", source)]
    if not commas and not spaces:
        return source
    start, end = min(commas or spaces, key=lambda span: abs((span[0] + span[1]) / 2 - middle))
    first, rest = source[:start].rstrip(), source[end:].lstrip()
    # A tokenised text has spaces before its marks.
    stop = " ." if re.search(r"\s[.?!]$", source.rstrip()) else "."
    return f"{first}{stop} {rest[:1].upper()}{rest[1:]}"
