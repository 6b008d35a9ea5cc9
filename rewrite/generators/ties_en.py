"""What in an English sentence goes only together with something else: words and rules for `rewrite.generators.ties`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rewrite.generators.needed_en import (
    CONTRASTS,
    EMPTY_NOUNS,
    LIMITS,
    QUESTIONS,
    in_subject,
    is_condition,
    is_needed,
)
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

_COMPARED = frozenset({"than", "as"})
_MORE = frozenset("more less fewer rather other better worse else".split())
# Words between the halves of a pair.
_NEAR = 10
_MODIFIERS = frozenset({"advmod", "amod", "compound", "flat", "nmod", "nummod"})
_LISTS = frozenset({"or", "nor", "both", "either", "neither", "between"})


def asks(word: str) -> bool:
    """Whether a lower-case word opens a question or a relative clause."""
    return word in QUESTIONS


def _pair(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """*between … and …*, *more … than …*: the second half goes with the first alone, and the first with the second."""
    word = tree.word(number)
    if word == "between":
        after = (n for n in tree.kept if n > number)
        yield from ((n, number) for n in islice((n for n in islice(after, _NEAR) if tree.word(n) == "and"), 1))
    elif word == "than":
        before = (n for n in reversed(tree.kept) if n < number)
        yield from ((n, number) for n in islice((n for n in islice(before, _NEAR) if _compares(tree, n)), 1))


def _compares(tree: Tree, number: int) -> bool:
    word = tree.word(number)
    return word in _MORE or tree.tokens[number].feats.get("Degree") == "Cmp" or (len(word) > 4 and word.endswith("er"))


def _comparison(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """The other side of a comparison."""
    token = tree.tokens[number]
    if tree.child_words(number, "case", "mark") & _COMPARED and token.rel != "conj":
        yield number, token.head


def _modifier(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """Numbers, words that say which or how far, parts of names, and what may be a gerund with its object."""
    token = tree.tokens[number]
    relation = token.rel.split(":")[0]
    if relation not in _MODIFIERS:
        return
    ranks = token.feats.get("NumType") == "Ord" or token.feats.get("Degree") in {"Cmp", "Sup"}
    named = token.text[:1].isupper() and (number != tree.kept[0] or token.pos == "PROPN")
    if token.pos == "NUM" or named or ranks or tree.word(number) in LIMITS or _may_govern(tree, number):
        yield number, token.head


def _may_govern(tree: Tree, number: int) -> bool:
    """An *-ing* word before a noun without an article, as in *growing cactus takes long*."""
    phrase = tree.subtree(tree.tokens[number].head)
    return tree.word(number).endswith("ing") and tree.tokens[number].rel == "amod" and phrase[0] == number


def _measure(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """A phrase goes with its noun, and of what there is *a lot*, *some* or *one*, with that alone."""
    token, head = tree.tokens[number], tree.head(number)
    if not token.rel.startswith("nmod"):
        return
    yield token.head, number
    empty = head.pos in {"PRON", "DET", "NUM"} or head.text.lower() in EMPTY_NOUNS
    if empty and "of" in tree.child_words(number, "case"):
        yield number, token.head


GRAMMAR: tuple[Ties, ...] = (
    clause(asks),
    opener(asks),
    coordination(_LISTS | CONTRASTS, in_subject),
    argument,
    negated,
    _pair,
    _comparison,
    _modifier,
    _measure,
)
"""Without them the rest is broken or says something else."""
CONDITIONS: tuple[Ties, ...] = (condition(is_condition),)
"""Under which the rest holds."""
ARGUMENTS: tuple[Ties, ...] = (has_argument,)
"""What a verb says of its object."""
COMPLEMENTS: tuple[Ties, ...] = (complement(is_needed),)
"""Phrases and clauses that by `rewrite.generators.needed_en` complete the word on which they hang."""
