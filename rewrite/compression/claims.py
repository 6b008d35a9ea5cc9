"""Remarks that somebody claims what the sentence says: without them it would say so itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["claims"]

_CLAIMS = frozenset(
    """
    claim claims claimed allege alleges alleged argue argues argued contend contends contended estimate estimates
    estimated insist insists insisted suggest suggests suggested suspect suspects suspected
    утверждает утверждают утверждал утверждала утверждали утверждается полагает полагают полагал полагала полагали
    предполагает предполагают предполагал предполагала предполагали предполагается считает считают считал считала
    считали подозревает подозревают
    """.split()
)  # fmt: skip
# With one of these the part says something of its own, or something of the rest.
_JOINED = frozenset("and but or nor who which that whose if when и но а или что чтобы кто если когда".split())
_PART = re.compile(r"[^,;:!?—–]+")
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_MOST = 8


def claims(text: str) -> Iterator[tuple[int, int]]:
    """Where such remarks stand, by the marks around them: *…, the prosecutor claimed, …*; *как утверждает …*.

    They are looked for in the text: a parser takes them for much else.
    """
    parts = [(match.start(), _WORD.findall(match[0].lower()), match[0]) for match in _PART.finditer(text)]
    longest = max((len(words) for _, words, _ in parts), default=0)
    for start, words, part in parts:
        if 1 < len(words) <= min(_MOST, longest - 1) and _CLAIMS & set(words) and not _JOINED & set(words):
            yield start, start + len(part)
