"""Spans of a deletion that part nothing that belongs together, whatever the language.

Which tokens are tied say the rules of `rewrite.generators.ties`; the checks here look at what any cut would leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise, takewhile

from rerank.analysis import Analysis
from rewrite.generators.spans import Span, SpanFinder
from rewrite.generators.ties import Test, Ties
from rewrite.generators.tree import Tree

__all__ = ["tied"]

_OPENING, _CLOSING = frozenset({"(", "["}), frozenset({")", "]"})
_NOMINAL = frozenset({"NOUN", "PRON", "PROPN", "NUM"})
_JOINTS = frozenset({"CCONJ", "SCONJ"})
_OPENERS = frozenset({"ADP", "CCONJ", "DET", "SCONJ"})
_VERBAL = frozenset({"VERB", "AUX"})
_THIRD = frozenset(
    """
    he she it they him her them his hers its their theirs он она оно они его её ее их ему ей им него неё нее них нему
    ней ним ними нём нем
    """.split()
)  # fmt: skip
_ARTICLES = frozenset({"a", "an", "the"})
_BEFORE_NOUNS = frozenset({"ADJ", "ADV", "NUM"})
_NO_NOUNS = frozenset("ADP AUX CCONJ PART PRON PUNCT SCONJ VERB".split())


def tied(finder: SpanFinder, *rules: Ties, asks: Test) -> SpanFinder:
    """The spans of `finder` that part nothing that `rules` tie together, and leave nothing to wait for what went.

    `asks` says of a token whether it opens a question or a relative clause.
    """

    def spans(analysis: Analysis, removed: frozenset[int]) -> list[Span]:
        pairs = frozenset(_pairs(analysis, removed, rules))
        trees = [Tree(sentence, removed) for sentence in analysis.sentences]
        waiting = [pair for tree in trees for pair in (*_waiting(tree, asks), *_subjects(tree))]
        predicates = [run for tree in trees for run in _predicates(tree)]
        articles = [found for tree in trees for found in _articles(tree)]
        pronouns = [found for tree in trees for found in _pronouns(tree)]
        mains = [found for tree in trees if (found := _main_verbs(tree, asks))]
        return [
            span
            for span in finder(analysis, removed)
            # What stands in brackets is beside all else, whatever the parse hangs it on.
            if _in_brackets(span)
            or (
                all(other in span.starts for one, other in pairs if one in span.starts)
                and not any(one not in span.starts and rest <= span.starts for one, rest in waiting)
                and not any(verb in span.starts and before not in span.starts for verb, before in predicates)
                and not any(verbs <= span.starts for verbs in mains)
                and not any(_leaves_article(*article, span) for article in articles)
                and not any(nouns <= span.starts and pronoun not in span.starts for pronoun, nouns in pronouns)
            )
        ]

    return spans


def _in_brackets(span: Span) -> bool:
    """Whether one pair of brackets holds all of it."""
    depth, words = 0, span.text.split()
    for place, word in enumerate(words):
        depth += (word in _OPENING) - (word in _CLOSING)
        if depth == 0:
            return place == len(words) - 1 and word in _CLOSING
    return False


def _pairs(analysis: Analysis, removed: frozenset[int], rules: Iterable[Ties]) -> Iterator[tuple[int, int]]:
    for sentence in analysis.sentences:
        tree = Tree(sentence, removed)
        for number in tree.kept:
            # What hangs on a word that is gone, or on nothing, is tied to nothing.
            if tree.tokens[number].head not in tree.children or tree.tokens[number].head == number:
                continue
            for rule in rules:
                yield from ((tree.tokens[one].start, tree.tokens[other].start) for one, other in rule(tree, number))


def _waiting(tree: Tree, asks: Test) -> Iterator[tuple[int, frozenset[int]]]:
    """Words that want something after them, each with all that follows it up to the next mark."""
    for place, number in enumerate(tree.kept):
        token = tree.tokens[number]
        if token.rel == "compound:prt" or not (token.pos in _OPENERS or asks(tree, number)):
            continue
        rest = list(takewhile(lambda n: tree.tokens[n].pos != "PUNCT", tree.kept[place + 1 :]))
        if rest:
            yield token.start, frozenset(tree.tokens[n].start for n in rest)


def _subjects(tree: Tree) -> Iterator[tuple[int, frozenset[int]]]:
    """Finite verbs, each with all that stands between it and the conjunction or start of the sentence before it, but
    for clauses with a conjunction of their own that are over by then: *He, after he had left, …*.
    """
    for place, number in enumerate(tree.kept):
        if not _is_finite(tree, number):
            continue
        over = {n for other in tree.kept[:place] for n in _closed_clause(tree, other, number)}
        left = [n for n in reversed(tree.kept[:place]) if n not in over]
        before = takewhile(lambda n: tree.tokens[n].pos not in _JOINTS, left)
        words = frozenset(tree.tokens[n].start for n in before if tree.tokens[n].pos != "PUNCT")
        if words:
            yield tree.tokens[number].start, words


def _closed_clause(tree: Tree, number: int, before: int) -> Iterable[int]:
    """The tokens of the clause that the conjunction `number` opens, where it ends before another token."""
    token = tree.tokens[number]
    if token.pos not in _JOINTS or token.rel != "mark" or token.head not in tree.children:
        return ()
    inside = tree.subtree(token.head)
    return inside if max(inside) < before and min(inside) >= number else ()


def _is_finite(tree: Tree, number: int) -> bool:
    """A verb that wants a subject: no participle or infinitive, no order."""
    token = tree.tokens[number]
    return token.pos in _VERBAL and token.feats.get("VerbForm") == "Fin" and token.feats.get("Mood") != "Imp"


def _main_verbs(tree: Tree, asks: Test) -> frozenset[int]:
    """The finite verbs of clauses that nothing subordinates, whatever the parse hangs them on.

    Without the last of them a sentence is none; one that has none, as many in Russian, does not need any.
    """
    finite = [number for number in tree.kept if _is_finite(tree, number)]
    return frozenset(tree.tokens[n].start for n in finite if not _is_subordinate(tree, n, asks))


def _pronouns(tree: Tree) -> Iterator[tuple[int, frozenset[int]]]:
    """Pronouns of the third person, each with all nouns before it, of which it may stand for one."""
    nouns: set[int] = set()
    for number in tree.kept:
        token = tree.tokens[number]
        if token.pos in {"NOUN", "PROPN"}:
            nouns.add(token.start)
        elif tree.word(number) in _THIRD and token.rel != "expl" and nouns:
            yield token.start, frozenset(nouns)


def _articles(tree: Tree) -> Iterator[tuple[Tree, int, int]]:
    """Articles, each with the first token behind it that may be its noun."""
    for number in tree.kept:
        if tree.word(number) in _ARTICLES and (after := _behind_adjectives(tree, number, frozenset())) is not None:
            yield tree, number, after


def _leaves_article(tree: Tree, article: int, named: int, span: Span) -> bool:
    """Whether an article loses its noun, whatever the parse makes of it: *a silver swarm joins* → *a silver joins*."""
    if tree.tokens[article].start in span.starts or tree.tokens[named].start not in span.starts:
        return False
    after = _behind_adjectives(tree, article, span.starts)
    return after is None or tree.tokens[after].pos in _NO_NOUNS


def _behind_adjectives(tree: Tree, article: int, removed: frozenset[int]) -> int | None:
    """The first token behind an article and what may stand between it and its noun, without those at `removed`."""
    behind = (n for n in tree.kept if n > article and tree.tokens[n].start not in removed)
    return next((n for n in behind if tree.tokens[n].pos not in _BEFORE_NOUNS and tree.tokens[n].rel != "amod"), None)


def _is_subordinate(tree: Tree, number: int, asks: Test) -> bool:
    token = tree.tokens[number]
    head = token.head if token.rel.startswith(("aux", "cop")) and token.head in tree.children else number
    opened = any(tree.tokens[child].rel == "mark" or asks(tree, child) for child in tree.children[head])
    return opened or tree.tokens[head].rel == "acl:relcl"


def _predicates(tree: Tree) -> Iterator[tuple[int, int]]:
    """Finite verbs that stand right after a nominal, whatever the parse says, each with that nominal.

    A cut that begins with such a verb (*… | is another example*) takes the predicate of what stands before it.
    """
    for before, number in pairwise(tree.kept):
        token = tree.tokens[number]
        if _is_finite(tree, number) and not token.rel.startswith("conj") and tree.tokens[before].pos in _NOMINAL:
            yield token.start, tree.tokens[before].start
