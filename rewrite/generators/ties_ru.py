"""What in a Russian sentence goes only together with something else: words and rules for `rewrite.generators.ties`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rewrite.generators.needed import ALTERNATIVES, CONTRASTS, in_subject, is_condition, is_needed, limits
from rewrite.generators.ties import (
    Ties,
    argument,
    clause,
    complement,
    condition,
    coordination,
    has_argument,
    negated,
    opener,
)
from rewrite.generators.tree import Tree

__all__ = ["ARGUMENTS", "COMPLEMENTS", "CONDITIONS", "GRAMMAR", "asks"]

_ASKS = frozenset("что чтобы где когда куда откуда как почему зачем сколько кто чей чья чьё чьи пока".split())
_HALVES = {"между": "и", "от": "до", "с": "по"}
_NEAR = 10
_MODIFIERS = frozenset({"advmod", "amod", "appos", "flat", "nmod", "nummod", "det"})


def asks(word: str) -> bool:
    """Whether a lower-case word opens a question or a relative clause."""
    return word in _ASKS or word.startswith("котор")


def _pair(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """*между … и …*, *от … до …*: the second half goes with the first alone."""
    second = _HALVES.get(tree.word(number))
    if second is not None:
        near = islice((n for n in tree.kept if n > number), _NEAR)
        yield from ((n, number) for n in islice((n for n in near if tree.word(n) == second), 1))


def _modifier(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """Numbers, words that say which or how far, degrees, parts of names."""
    token = tree.tokens[number]
    if token.rel.split(":")[0] not in _MODIFIERS:
        return
    ranks = token.feats.get("NumType") == "Ord" or token.feats.get("Degree") in {"Cmp", "Sup"}
    named = token.text[:1].isupper() and (number != tree.kept[0] or token.pos == "PROPN")
    if token.pos == "NUM" or named or ranks or limits(tree, number):
        yield number, token.head


def _phrase(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """A noun does not go without what hangs on it."""
    if tree.tokens[number].rel.startswith("nmod"):
        yield tree.tokens[number].head, number


GRAMMAR: tuple[Ties, ...] = (
    clause(asks),
    opener(asks),
    coordination(ALTERNATIVES | CONTRASTS | {"ни", "между"}, in_subject),
    argument,
    negated,
    _pair,
    _modifier,
    _phrase,
)
"""Without them the rest is broken or says something else."""
CONDITIONS: tuple[Ties, ...] = (condition(is_condition),)
"""Under which the rest holds."""
ARGUMENTS: tuple[Ties, ...] = (has_argument,)
"""What a verb says of its object."""
COMPLEMENTS: tuple[Ties, ...] = (complement(is_needed),)
"""Phrases and clauses that by `rewrite.generators.needed` complete the word on which they hang."""
