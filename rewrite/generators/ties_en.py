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
    announced,
    argument,
    clause,
    complement,
    condition,
    coordination,
    denied,
    has_argument,
    limited,
    linked,
    modifier,
    negated,
    noun,
    opener,
)
from rewrite.generators.tree import Tree

__all__ = ["ARGUMENTS", "COMPLEMENTS", "CONDITIONS", "GRAMMAR", "REMARKS", "asks"]

_COMPARED = frozenset({"than", "as"})
_MORE = frozenset("more less fewer rather other better worse else".split())
# Words between the halves of a pair.
_NEAR = 10
_NEGATIONS = frozenset({"not", "n't", "n’t"})
_LISTS = frozenset({"or", "nor", "both", "either", "neither", "between"})


def asks(tree: Tree, number: int) -> bool:
    """Whether a token opens a question or a relative clause; *that* also points: *he did that*, *that house*."""
    token = tree.tokens[number]
    if token.pos == "DET" or tree.word(number) not in QUESTIONS:
        return False
    return tree.word(number) != "that" or token.rel == "mark" or token.feats.get("PronType") == "Rel"


def _pair(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """The *and* of *between … and …* goes with *between* alone, the first half of *more … than …* with *than* alone."""
    word = tree.word(number)
    if word == "between":
        after = (n for n in tree.kept if n > number)
        yield from ((n, number) for n in islice((n for n in islice(after, _NEAR) if tree.word(n) == "and"), 1))
    elif word == "than":
        before = (n for n in reversed(tree.kept) if n < number)
        yield from ((n, number) for n in islice((n for n in islice(before, _NEAR) if _compares(tree, n)), 1))


def _compares(tree: Tree, number: int) -> bool:
    token, word = tree.tokens[number], tree.word(number)
    plain = token.pos in {"ADJ", "ADV"} and len(word) > 4 and word.endswith("er")
    return word in _MORE or token.feats.get("Degree") == "Cmp" or plain


def _comparison(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """The other side of a comparison."""
    token = tree.tokens[number]
    if tree.child_words(number, "case", "mark") & _COMPARED and token.rel != "conj":
        yield number, token.head


def _limits(tree: Tree, number: int) -> bool:
    """A word that says which or how far, and what may be a gerund with its object: *growing cactus takes long*."""
    phrase = tree.subtree(tree.tokens[number].head)
    gerund = tree.word(number).endswith("ing") and tree.tokens[number].pos == "VERB" and phrase[0] == number
    return tree.word(number) in LIMITS or (gerund and tree.tokens[number].rel == "amod")


def _filling(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """What kind of place, way or thing it is: *in a safe place* says more than *in a place*; and an adjective right
    after its noun: *attorney general*.
    """
    token = tree.tokens[number]
    empty = token.rel in {"amod", "compound"} and tree.word(token.head) in EMPTY_NOUNS
    if empty or (token.rel == "amod" and number == token.head + 1):
        yield number, token.head


def _measure(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """Of what there is *a lot*, *some* or *one*, goes with that alone."""
    token, head = tree.tokens[number], tree.head(number)
    empty = head.pos in {"PRON", "DET", "NUM"} or head.text.lower() in EMPTY_NOUNS
    if token.rel.startswith("nmod") and empty and "of" in tree.child_words(number, "case"):
        yield number, token.head


GRAMMAR: tuple[Ties, ...] = (
    clause(asks),
    opener(asks),
    coordination(_LISTS | CONTRASTS, in_subject),
    argument,
    negated(_NEGATIONS),
    modifier(_limits),
    noun,
    _pair,
    _comparison,
    _measure,
    announced,
    linked(asks),
)
"""Without them the rest is broken or says something else."""
CONDITIONS: tuple[Ties, ...] = (condition(is_condition), denied(_NEGATIONS | {"never"}), limited)
"""Under which the rest holds."""
REMARKS: tuple[Ties, ...] = (announced,)
"""For remarks beside the main clause, which the others would not let go."""
ARGUMENTS: tuple[Ties, ...] = (has_argument,)
"""What a verb says of its object."""
COMPLEMENTS: tuple[Ties, ...] = (complement(is_needed), _filling)
"""Phrases and clauses that by `rewrite.generators.needed_en` complete the word on which they hang, and what a word that
says little alone is about."""
