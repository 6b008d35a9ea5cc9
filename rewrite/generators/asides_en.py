"""Remarks beside the main clause of an English sentence: what an editor strikes out first."""

from __future__ import annotations

from rewrite.generators.any_subtree import BREAKS
from rewrite.generators.needed_en import is_condition
from rewrite.generators.tree import Tree

__all__ = ["is_aside"]

# Relations of what commas, dashes and semicolons may set off.
_SET_OFF = frozenset("acl advcl appos conj discourse nmod obl parataxis vocative".split())
_HOLDS = frozenset({"not", "rather", "instead"})


def is_aside(tree: Tree, number: int) -> bool:
    """Whether marks set the subtree of a token off, and the rest says no more and no less without it.

    Clauses that follow with a subject of their own, relative and adverbial clauses, appositions, and who said it.
    Conditions and contrasts stay.
    """
    token = tree.tokens[number]
    relation = token.rel.split(":")[0]
    if relation not in _SET_OFF or token.head not in tree.children or token.head == number:
        return False
    if relation == "conj" and not _has_subject(tree, number):
        return False
    numbers = [n for n in tree.subtree(number) if tree.tokens[n].text not in BREAKS]
    if not numbers or {tree.word(n) for n in numbers[:2]} & _HOLDS or is_condition(tree, number):
        return False
    return _parted(tree, numbers)


def _has_subject(tree: Tree, number: int) -> bool:
    return any(tree.tokens[child].rel.startswith("nsubj") for child in tree.children[number])


def _parted(tree: Tree, numbers: list[int]) -> bool:
    """Whether a break or an end of the sentence stands on either side."""
    before, after = tree.neighbours(numbers)
    left = before is None or tree.tokens[before].text in BREAKS
    right = after is None or tree.tokens[after].pos == "PUNCT"
    return left and right and (before is not None or after is not None)
