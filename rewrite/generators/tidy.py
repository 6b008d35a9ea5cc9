"""Mends what deletions leave behind: spaces, stray punctuation, the capital and the final stop."""

from __future__ import annotations

import re

__all__ = ["NO_BREAK", "cut", "tidy"]

# «5 000», «г. Орёл»: a single one of these between two words was set on purpose.
NO_BREAK = ("\u00a0", "\u202f")
_LOOSE = r"[^\S\u00a0\u202f]+|\s{2,}"

_RULES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (_LOOSE, " "),
        (r"([(«„\[])\s+", r"\1"),
        (r"\s+([)»“\],.;:!?…])", r"\1"),
        (r"(?<!\w)\(\s*[,;:–—-]*\s*\)|«»|„“|\[\]", ""),
        (r"([(«])[,;:]\s*", r"\1"),
        (r"[,;:]+(?=[)»])", ""),
        (r",(?:\s*,)+", ","),
        (r"(?:,\s*)?([;:])(?:\s*[,;:])+", r"\1"),
        (r"[—–-]\s+[—–](?=\s)", "—"),
        (r"[,;:]+(?=\s*[.!?…](?:\s|$))", ""),
        (r"\s[—–-](?=\s*[,.!?…;])", ""),
        (r"(?<=[.!?…])\s+[,;:—–-]+\s+", " "),
        (r"^[\s,;:.!?…)»—–-]+(?=\S)", ""),
        (r"[\s,;:—–-]+$", ""),
        (r"\s+([)»“\],.;:!?…])", r"\1"),
        (_LOOSE, " "),
        (r"\b([Вв]) (?=[вф][бвгджзклмнпрстфхцчшщ])", r"\1о "),
        (r"\b([Сс]) (?=[сзшж][бвгджзклмнпрстфхцчшщ])", r"\1о "),
    )
)
_FINAL = re.compile(r"[.!?…][»\")]*$")
_FIRST_LETTER = re.compile(r"[^\W\d_]")


def cut(text: str, ranges: list[tuple[int, int]]) -> str:
    """`text` without the characters of `ranges` (start, stop); a space stays where each was."""
    kept: list[str] = []
    position = 0
    for start, stop in sorted(ranges):
        kept.append(text[position:start])
        position = max(position, stop)
    kept.append(text[position:])
    return " ".join(kept)


def tidy(text: str, *, like: str) -> str:
    """`text` with single spaces, no doubled or dangling punctuation, and the capital and final stop that `like` has."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    text = text.strip()
    first = _FIRST_LETTER.search(like)
    if first and first.group().isupper() and (start := _FIRST_LETTER.search(text)) and start.start() <= 2:
        text = text[: start.start()] + start.group().upper() + text[start.start() + 1 :]
    final = _FINAL.search(like.rstrip())
    if text and final and not _FINAL.search(text):
        text += final.group()[0]
    return text
