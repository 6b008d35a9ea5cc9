"""Roman numerals of centuries: *XX век* → *20 век*."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["roman_centuries"]

# Numerals, joined ones and such as Cyrillic letters make up.
_ROMAN_PART = re.compile(r"[IVXХІ]+([—–-]\w+)*$")
_ROMAN = {"I": 1, "V": 5, "X": 10}
_JOINTS = frozenset({"и", "или", "—", "–", "-", ","})
_REACH = 4


def roman_centuries(tree: Tree, valency: Valency) -> Iterator[Edit]:
    """Roman numerals of all the centuries of the sentence as digits: *в XVIII и XIX веках, а в XX веке* → *18, 19, 20*.

    All or none: *в 12 веке …, а в XIII в.* would write one sentence in two ways.
    """
    found: set[int] = set()
    for i, token in enumerate(tree.tokens[:-1]):
        if _is_roman(token.text) and valency.lemma(tree.tokens[i + 1]) == "век":
            found |= {i, *(j for j in range(max(0, i - _REACH), i) if _shares_noun(tree, j))}
    if not found or any(_other_century(tree, j) for j in range(len(tree)) if j not in found):
        return
    changes = tuple((j, str(_value(tree.tokens[j].text))) for j in sorted(found))
    label = ", ".join(f"{tree.tokens[j].text} → {number}" for j, number in changes)
    yield Edit("word", label, changes=changes, touched=frozenset(found))


def _other_century(tree: Tree, j: int) -> bool:
    """A century that stays Roman: *XIII в.*, *XII—XIII веках*, *XIII столетие*."""
    if not _ROMAN_PART.match(tree.tokens[j].text):
        return False
    following = next((k for k in range(j + 1, len(tree)) if not _passed_over(tree, k)), j)
    # The dot tells *в.* from a preposition: *при Петре I и в XVIII веке*.
    short = tree.lower(following) in ("в", "вв") and tree.tokens[min(following + 1, len(tree) - 1)].text == "."
    return short or tree.lower(following).startswith(("век", "столети"))


def _passed_over(tree: Tree, k: int) -> bool:
    return tree.lower(k) in _JOINTS or _ROMAN_PART.match(tree.tokens[k].text) is not None


def _shares_noun(tree: Tree, j: int) -> bool:
    """A numeral before *и* or a dash and not after a name: *Пётр I и XVIII век*."""
    named = j > 1 and tree.tokens[j - 1].text[:1].isupper()
    return _is_roman(tree.tokens[j].text) and tree.lower(j + 1) in _JOINTS and not named


def _is_roman(text: str) -> bool:
    return bool(text) and set(text) <= set(_ROMAN)


def _value(roman: str) -> int:
    values = [_ROMAN[c] for c in roman]
    return sum(-v if v < max(values[k + 1 :], default=0) else v for k, v in enumerate(values))
