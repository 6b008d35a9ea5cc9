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
from rewrite.generators.ties import COMPLEMENTS, CONDITIONS, GRAMMAR, Ties, with_head
from rewrite.generators.tree import Tree

__all__ = ["ENGLISH"]

_COMPARED = frozenset({"than", "as"})
_MORE = frozenset("more less fewer rather other better worse else".split())
# Words between the halves of a pair.
_NEAR = 10
_NEGATIONS = frozenset({"not", "n't", "n’t"})
_LISTS = frozenset({"or", "nor", "both", "either", "neither", "between"})


def _asks(tree: Tree, number: int) -> bool:
    """Whether a token opens a question or a relative clause; *that* also points: *he did that*, *that house*."""
    token = tree.tokens[number]
    if token.pos == "DET" or tree.word(number) not in QUESTIONS:
        return False
    return tree.word(number) != "that" or token.rel == "mark" or token.feats.get("PronType") == "Rel"


def _limits(tree: Tree, number: int) -> bool:
    """A word that says which or how far, and what may be a gerund with its object: *growing cactus takes long*."""
    phrase = tree.subtree(tree.tokens[number].head)
    gerund = tree.word(number).endswith("ing") and tree.tokens[number].pos == "VERB" and phrase[0] == number
    return tree.word(number) in LIMITS or (gerund and tree.tokens[number].rel == "amod")


def _pair(ties: Ties, tree: Tree, number: int) -> Iterator[tuple[int, int]]:
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


@with_head
def _comparison(ties: Ties, tree: Tree, number: int) -> bool:
    """The other side of a comparison."""
    return bool(tree.child_words(number, "case", "mark") & _COMPARED) and tree.tokens[number].rel != "conj"


@with_head
def _measure(ties: Ties, tree: Tree, number: int) -> bool:
    """Of what there is *a lot*, *some* or *one*."""
    head = tree.head(number)
    empty = head.pos in {"PRON", "DET", "NUM"} or head.text.lower() in EMPTY_NOUNS
    return empty and tree.relation(number) == "nmod" and "of" in tree.child_words(number, "case")


@with_head
def _filling(ties: Ties, tree: Tree, number: int) -> bool:
    """What kind of place, way or thing it is: *in a safe place* says more than *in a place*; and an adjective right
    after its noun: *attorney general*.
    """
    token = tree.tokens[number]
    empty = token.rel in {"amod", "compound"} and tree.word(token.head) in EMPTY_NOUNS
    return empty or (token.rel == "amod" and number == token.head + 1)


ENGLISH = Ties(
    asks=_asks,
    in_subject=in_subject,
    limits=_limits,
    is_condition=is_condition,
    is_needed=is_needed,
    negations=_NEGATIONS,
    denials=_NEGATIONS | {"never"},
    links=_LISTS | CONTRASTS,
    grammar=(*GRAMMAR, _pair, _comparison, _measure),
    conditions=CONDITIONS,
    complements=(*COMPLEMENTS, _filling),
)
