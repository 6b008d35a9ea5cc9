"""What in an English sentence goes only together with something else.

A cut that takes a complement but leaves what asks for it, one half of a coordination, or a condition but not what
holds under it, leaves a broken sentence or an untrue one. Rules name, for a token of the parse (Universal
Dependencies), the tokens with which alone it may go. They hold for spans of any kind: subtrees and words side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise, takewhile

from rerank.analysis import Analysis
from rewrite.generators.needed_en import (
    CONTRASTS,
    EMPTY_NOUNS,
    LIMITS,
    QUESTIONS,
    in_subject,
    is_condition,
    is_needed,
)
from rewrite.generators.spans import Span, SpanFinder
from rewrite.generators.tree import Tree

__all__ = ["ARGUMENTS", "COMPLEMENTS", "CONDITIONS", "GRAMMAR", "Ties", "tied"]

Ties = Callable[[Tree, int], Iterator[tuple[int, int]]]
"""Pairs of tokens, of which the first goes only with the second."""

_COMPARED = frozenset({"than", "as"})
_MORE = frozenset("more less fewer rather other better worse else".split())
# Words between the halves of a pair.
_NEAR = 10
_NOMINAL = frozenset({"NOUN", "PRON", "PROPN", "NUM"})
_JOINTS = frozenset({"CCONJ", "SCONJ"})
_OPENERS = frozenset({"ADP", "CCONJ", "DET", "SCONJ"})
_MODIFIERS = frozenset({"advmod", "amod", "compound", "flat", "nmod", "nummod"})
_LISTS = frozenset({"or", "nor", "both", "either", "neither", "between"})
_VERBAL = frozenset({"VERB", "AUX"})
_ARGUMENTS = frozenset({"obj", "iobj", "xcomp", "ccomp"})
_CLAUSES = frozenset({"acl", "advcl", "parataxis"})
_PHRASES = frozenset({"nmod", "obl", "acl", "advcl"})


def tied(finder: SpanFinder, *rules: Ties) -> SpanFinder:
    """The spans of `finder` that part nothing that `rules` tie together."""

    def spans(analysis: Analysis, removed: frozenset[int]) -> list[Span]:
        pairs = frozenset(_pairs(analysis, removed, rules))
        trees = [Tree(sentence, removed) for sentence in analysis.sentences]
        waiting = [pair for tree in trees for pair in (*_waiting(tree), *_subjects(tree))]
        predicates = [run for tree in trees for run in _predicates(tree)]
        return [
            span
            for span in finder(analysis, removed)
            if all(other in span.starts for one, other in pairs if one in span.starts)
            and not any(one not in span.starts and rest <= span.starts for one, rest in waiting)
            and not any(verb in span.starts and before not in span.starts for verb, before in predicates)
        ]

    return spans


def _pairs(analysis: Analysis, removed: frozenset[int], rules: Iterable[Ties]) -> Iterator[tuple[int, int]]:
    for sentence in analysis.sentences:
        tree = Tree(sentence, removed)
        for number in tree.kept:
            # What hangs on a word that is gone, or on nothing, is tied to nothing.
            if tree.tokens[number].head not in tree.children or tree.tokens[number].head == number:
                continue
            for rule in rules:
                yield from ((tree.tokens[one].start, tree.tokens[other].start) for one, other in rule(tree, number))


def _waiting(tree: Tree) -> Iterator[tuple[int, frozenset[int]]]:
    """Words that want something after them, each with all that follows it up to the next mark."""
    for place, number in enumerate(tree.kept):
        token = tree.tokens[number]
        if token.rel == "compound:prt" or not (token.pos in _OPENERS or tree.word(number) in QUESTIONS):
            continue
        rest = list(takewhile(lambda n: tree.tokens[n].pos != "PUNCT", tree.kept[place + 1 :]))
        if rest:
            yield token.start, frozenset(tree.tokens[n].start for n in rest)


def _subjects(tree: Tree) -> Iterator[tuple[int, frozenset[int]]]:
    """Finite verbs, each with all that stands between it and the conjunction or start of the sentence before it."""
    for place, number in enumerate(tree.kept):
        if _is_finite(tree, number):
            before = list(takewhile(lambda n: tree.tokens[n].pos not in _JOINTS, reversed(tree.kept[:place])))
            words = frozenset(tree.tokens[n].start for n in before if tree.tokens[n].pos != "PUNCT")
            if words:
                yield tree.tokens[number].start, words


def _is_finite(tree: Tree, number: int) -> bool:
    token = tree.tokens[number]
    return token.pos == "AUX" or (token.pos == "VERB" and token.feats.get("VerbForm") == "Fin")


def _predicates(tree: Tree) -> Iterator[tuple[int, int]]:
    """Finite verbs that stand right after a nominal, whatever the parse says, each with that nominal.

    A cut that begins with such a verb (*… | is another example*) takes the predicate of what stands before it.
    """
    for before, number in pairwise(tree.kept):
        token = tree.tokens[number]
        if _is_finite(tree, number) and not token.rel.startswith("conj") and tree.tokens[before].pos in _NOMINAL:
            yield token.start, tree.tokens[before].start


def _clause(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """A clause keeps its conjunction or question word and its subject, and they do not stay alone."""
    token = tree.tokens[number]
    opens = token.rel == "mark" or (tree.word(number) in QUESTIONS and token.pos != "DET")
    if opens or token.rel.startswith(("nsubj", "csubj", "expl")):
        yield number, token.head
        yield token.head, number


def _opener(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """A preposition or conjunction goes with what follows it alone, whatever the parse hangs it on."""
    token = tree.tokens[number]
    if token.rel == "compound:prt" or not (token.pos in {"ADP", "SCONJ"} or tree.word(number) in QUESTIONS):
        return
    _, after = tree.neighbours([number])
    if after is not None and tree.tokens[after].pos != "PUNCT":
        yield number, after


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


def _condition(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    token = tree.tokens[number]
    if token.rel.split(":")[0] in _CLAUSES and is_condition(tree, number):
        yield number, token.head


def _comparison(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """The other side of a comparison."""
    token = tree.tokens[number]
    if tree.child_words(number, "case", "mark") & _COMPARED and token.rel != "conj":
        yield number, token.head


def _coordination(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """The first part does not go without the others, nor one in the middle without the last; alternatives, contrasts
    and parts of a subject go together.

    What stands right before *and* is cut with it alone: whether *and* joins to that or to what stands before it, the
    parse often does not know.
    """
    token = tree.tokens[number]
    if token.rel == "conj":
        yield token.head, number
        links = tree.child_words(number, "cc", "advmod") | tree.child_words(token.head, "cc:preconj", "case", "det")
        if links & (_LISTS | CONTRASTS) or in_subject(tree, token.head):
            yield number, token.head
        last = max(child for child in tree.children[token.head] if tree.tokens[child].rel == "conj")
        if tree.child_words(last, "cc"):
            yield number, last
    elif token.rel == "cc" and tree.head(number).pos not in _VERBAL:
        before, _ = tree.neighbours([number])
        if before is not None and tree.tokens[before].pos != "PUNCT":
            yield before, number


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


def _argument(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """A verb does not go without its object."""
    token = tree.tokens[number]
    if token.rel.split(":")[0] in _ARGUMENTS:
        yield token.head, number


def _has_argument(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """An object does not go without its verb."""
    token = tree.tokens[number]
    if token.rel.split(":")[0] in _ARGUMENTS:
        yield number, token.head


def _complement(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    token = tree.tokens[number]
    if token.rel.split(":")[0] in _PHRASES and is_needed(tree, number):
        yield number, token.head


GRAMMAR: tuple[Ties, ...] = (_clause, _opener, _pair, _comparison, _coordination, _modifier, _measure, _argument)
"""Without them the rest is broken or says something else."""
CONDITIONS: tuple[Ties, ...] = (_condition,)
"""Under which the rest holds."""
ARGUMENTS: tuple[Ties, ...] = (_has_argument,)
"""What a verb says of its object."""
COMPLEMENTS: tuple[Ties, ...] = (_complement,)
"""Phrases and clauses that by `rewrite.generators.needed_en` complete the word on which they hang."""
