"""Names of people, places and organisations, from the entities that GUM marks in its last column.

GUM marks every mention, named or not, and mentions may lie in one another: `(1-person-…(5-place-…)5)1)`. A name here is
a run of proper nouns; its type is that of the smallest mention that holds the run and has its head in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["name_tags"]

_TYPES = {"person": "PER", "place": "LOC", "organization": "ORG"}
_JOINTS = frozenset({"of", "-", "&"})
_NEAR = ("appos", "flat", "nmod:desc", "compound")
_BRACKET = re.compile(r"\((\d+)-([a-z]+)[^()]*|(\d+)\)")
Row = tuple[str, ...]


@dataclass(slots=True)
class _Mention:
    kind: str
    first: int
    last: int = -1


def name_tags(rows: Sequence[Row]) -> dict[str, str]:
    """`B-PER`, `I-PER` and so on by token number, for the tokens that are part of a name; `O` for all others."""
    words = [row for row in rows if row[0].isdigit()]
    tags = {row[0]: "O" for row in words}
    mentions = _mentions(words)
    for first, last in _runs(words):
        kind = _kind(words, mentions, first, last)
        if kind:
            for number in range(first, last + 1):
                tags[words[number][0]] = f"{'B' if number == first else 'I'}-{kind}"
    return tags


def _mentions(words: Sequence[Row]) -> list[_Mention]:
    """Mentions that begin and end in the sentence; one of a single token is `(…)` with no number at its end."""
    done: list[_Mention] = []
    opened: dict[str, list[_Mention]] = {}
    for number, row in enumerate(words):
        value = next((part[7:] for part in row[9].split("|") if part.startswith("Entity=")), "")
        for match in _BRACKET.finditer(value):
            if match[1]:
                mention = _Mention(match[2], number)
                if value[match.end() : match.end() + 1] == ")":
                    mention.last = number
                    done.append(mention)
                else:
                    opened.setdefault(match[1], []).append(mention)
            elif opened.get(match[3]):
                mention = opened[match[3]].pop()
                mention.last = number
                done.append(mention)
    return done


def _runs(words: Sequence[Row]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number, row in enumerate(words):
        if row[3] != "PROPN":
            continue
        gap = words[number - 1][1].lower() if number else ""
        if runs and (runs[-1][1] == number - 1 or (runs[-1][1] == number - 2 and gap in _JOINTS)):
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _kind(words: Sequence[Row], mentions: Sequence[_Mention], first: int, last: int) -> str:
    around = [m for m in mentions if m.first <= first and last <= m.last]
    for mention in sorted(around, key=lambda m: m.last - m.first):
        head = _head(words, mention.first, mention.last)
        top = _head(words, first, last)
        near = int(words[top][6]) - 1 == head and words[top][7].startswith(_NEAR[:3])
        if first <= head <= last or near:
            return _TYPES.get(mention.kind, "")
    return ""


def _head(words: Sequence[Row], first: int, last: int) -> int:
    """The token of the stretch whose head lies outside of it."""
    outside = (n for n in range(first, last + 1) if not first <= int(words[n][6]) - 1 <= last)
    return next(outside, first)
