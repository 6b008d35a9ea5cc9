"""Runs of words as sentences: which of them hold a clause that can stand alone, and how they are written."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

from rewrite.splitting.clauses import finite
from rewrite.splitting.words import CLOSING, OPENING, Words

__all__ = ["SUBJECTS", "clauses", "is_contiguous", "lowered", "render", "subject", "without_one"]

SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_QUESTIONING = frozenset("which who whom whose where when that while although though because if since until".split())
_TIGHT = frozenset(".,;:?!%)]") | {"'s", "n't"}
_LOOSE = " ,;:-–—/"


def subject(words: Words, number: int) -> int:
    """The number of the first subject of a clause; −1 without one."""
    return next((c for c in words.children[number] if words[c].rel.split(":")[0] in SUBJECTS), -1)


def clauses(words: Words, numbers: Iterable[int]) -> list[int]:
    """Heads of the clauses among some words that have a finite verb and a subject there, and no subordinating word."""
    inside = set(numbers)
    found = []
    for n in sorted(inside):
        near = [c for c in words.children[n] if c in inside]
        own = [c for c in near if words[c].rel.split(":")[0] in SUBJECTS]
        if own and finite(words, n, inside) and not _is_dependent(words, near, own[0], inside):
            found.append(n)
    return found


def _is_dependent(words: Words, near: Sequence[int], own: int, inside: set[int]) -> bool:
    for c in near:
        if c <= own and words[c].rel == "mark":
            return True
        if c <= own and any(words[n].lower in _QUESTIONING for n in words.subtree(c) if n in inside and n <= own):
            # *That is why* begins with a subject of its own; *the book that he wrote* does not stand alone.
            return not (own == 0 and words[own].lower == "that")
    return False


def is_contiguous(numbers: Sequence[int]) -> bool:
    """Whether ascending numbers have no gap."""
    return bool(numbers) and numbers[-1] - numbers[0] + 1 == len(numbers)


def lowered(words: Words) -> str:
    """The first word as it is written inside a sentence."""
    first = words[0]
    keeps = first.pos == "PROPN" or first.text == "I" or (len(first.text) > 1 and first.text.isupper())
    return first.text if keeps else first.text[:1].lower() + first.text[1:]


def render(words: Words, items: Sequence[int | str]) -> str:
    """Words by their numbers, and others as they are, as one sentence with a capital and a stop; spaced as the source.

    Marks at both ends are left out. Empty where no word is left.
    """
    parts: list[str] = []
    before: int | str = ""
    for place, item in enumerate(items):
        text = item if isinstance(item, str) else words[item].text
        if place and item == 0:
            text = lowered(words)
        if place:
            parts.append(_gap(words, before, item, text))
        parts.append(text)
        before = item
    ending = " ." if words.apart else "."
    body = "".join(parts).strip(_LOOSE)
    if before == words.end - 1 and words.end < len(words):
        # The last quotation mark stays where it was.
        ending = words.text[words[words.end - 1].stop :].rstrip()
    else:
        body = re.sub(r"[\s.?!]+$", "", body).strip(_LOOSE)
    return body[0].upper() + body[1:] + ending if body else ""


def without_one(words: Words, runs: Sequence[Sequence[int]], rng: random.Random) -> str | None:
    """The sentence without one of some runs of words; `None` where there is none of them."""
    gone = rng.choice(runs) if runs else ()
    return render(words, [n for n in range(words.end) if n not in gone]) if gone else None


def _gap(words: Words, before: int | str, item: int | str, text: str) -> str:
    if isinstance(before, int) and isinstance(item, int) and item == before + 1:
        return re.sub(r"\s+", " ", words.text[words[before].stop : words[item].start])
    earlier = words[before].text if isinstance(before, int) else before
    if not words.apart and (text in _TIGHT or text in CLOSING or earlier in OPENING):
        return ""
    return " "
