"""What in a sentence goes only together with something else, whatever the language.

A cut that takes a complement but leaves what asks for it, one half of a coordination, or a condition but not what
holds under it, leaves a broken sentence or an untrue one. Rules name, for a token of the parse (Universal
Dependencies), the tokens with which alone it may go. They hold for spans of any kind: subtrees and words side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from itertools import pairwise, takewhile

from rerank.analysis import Analysis
from rewrite.generators.government import Government
from rewrite.generators.spans import Span, SpanFinder
from rewrite.generators.tree import Tree

__all__ = [
    "Ties",
    "announced",
    "argument",
    "clause",
    "complement",
    "condition",
    "coordination",
    "denied",
    "governed",
    "has_argument",
    "modifier",
    "negated",
    "noun",
    "opener",
    "tied",
    "usual",
]

Ties = Callable[[Tree, int], Iterator[tuple[int, int]]]
"""Pairs of tokens, of which the first goes only with the second."""

Test = Callable[[Tree, int], bool]

_OPENING, _CLOSING = frozenset({"(", "["}), frozenset({")", "]"})
_NOMINAL = frozenset({"NOUN", "PRON", "PROPN", "NUM"})
_JOINTS = frozenset({"CCONJ", "SCONJ"})
_OPENERS = frozenset({"ADP", "CCONJ", "DET", "SCONJ"})
_VERBAL = frozenset({"VERB", "AUX"})
_MODIFIERS = frozenset({"advmod", "amod", "appos", "compound", "det", "flat", "nmod", "nummod"})
_ARGUMENTS = frozenset({"obj", "iobj", "xcomp", "ccomp"})
_CLAUSES = frozenset({"acl", "advcl", "obl", "parataxis"})
_CIRCUMSTANCES = frozenset({"obl", "advmod", "advcl", "xcomp"})
_DEEP = 4
_WHICH = frozenset({"amod", "nmod", "acl"})
_ANNOUNCE = frozenset("these this those following follows such следующее следующие следующая следующий такие".split())
# *Do these three things before you leave: …*
_NEAR = 8
_ENDS = frozenset(".!?…")
_ARTICLES = frozenset({"a", "an", "the"})
_BEFORE_NOUNS = frozenset({"ADJ", "ADV", "NUM"})
_NO_NOUNS = frozenset("ADP AUX CCONJ PART PRON PUNCT SCONJ VERB".split())
_PHRASES = frozenset({"nmod", "obl", "acl", "advcl"})


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


def clause(asks: Test) -> Ties:
    """A clause keeps its conjunction or question word and its subject, and they do not stay alone."""

    def rule(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
        token = tree.tokens[number]
        if token.rel == "mark" or asks(tree, number) or token.rel.startswith(("nsubj", "csubj", "expl")):
            yield number, token.head
            yield token.head, number

    return rule


def opener(asks: Test) -> Ties:
    """A preposition or conjunction goes with what follows it alone, whatever the parse hangs it on."""

    def rule(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
        token = tree.tokens[number]
        if token.rel == "compound:prt" or not (token.pos in {"ADP", "SCONJ"} or asks(tree, number)):
            return
        _, after = tree.neighbours([number])
        if after is not None and tree.tokens[after].pos != "PUNCT":
            yield number, after

    return rule


def coordination(links: Set[str], in_subject: Test) -> Ties:
    """The first part does not go without the others, nor one in the middle without the last; parts of a subject, and
    what is joined by one of `links` (alternatives, contrasts), go together.

    What stands right before *and* is cut with it alone: whether *and* joins to that or to what stands before it, the
    parse often does not know.
    """

    def rule(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
        token = tree.tokens[number]
        if token.rel == "conj":
            yield token.head, number
            words = tree.child_words(number, "cc", "advmod") | tree.child_words(token.head, "cc:preconj", "case", "det")
            # Two numbers may share what they count.
            if words & links or in_subject(tree, token.head) or tree.head(number).pos == "NUM":
                yield number, token.head
            last = max(child for child in tree.children[token.head] if tree.tokens[child].rel == "conj")
            if tree.child_words(last, "cc"):
                yield number, last
        elif token.rel == "cc" and tree.head(number).pos not in _VERBAL:
            before, _ = tree.neighbours([number])
            if before is not None and tree.tokens[before].pos != "PUNCT":
                yield before, number

    return rule


def condition(is_condition: Test) -> Ties:
    """A clause or phrase under which alone the rest holds goes with what it hangs on."""

    def rule(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
        token = tree.tokens[number]
        if token.rel.split(":")[0] in _CLAUSES and is_condition(tree, number):
            yield number, token.head

    return rule


def complement(is_needed: Test) -> Ties:
    """A phrase or clause that completes the word on which it hangs goes with that alone."""

    def rule(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
        token = tree.tokens[number]
        if token.rel.split(":")[0] in _PHRASES and is_needed(tree, number):
            yield number, token.head

    return rule


def governed(government: Government) -> Ties:
    """What a word hardly ever stands without goes with that word alone."""

    def rule(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
        if government.must_have(tree, number):
            yield number, tree.tokens[number].head

    return rule


def usual(government: Government) -> Ties:
    """A dependent that a word often comes with goes with that word alone."""

    def rule(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
        if government.is_usual(tree, number):
            yield number, tree.tokens[number].head

    return rule


def negated(denies: Set[str]) -> Ties:
    """What a negation denies goes with it alone: *not very good* is not *not good*."""

    def rule(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
        _, after = tree.neighbours([number])
        if tree.word(number) in denies and after is not None and tree.tokens[after].pos != "PUNCT":
            yield after, number

    return rule


def denied(denies: Set[str]) -> Ties:
    """What a verb denies it denies with what follows and hangs on it, on its object, or on a noun in that phrase: *they
    did not have them in stock* is not *they did not have them*. What marks set off stands outside.
    """

    def rule(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
        token = tree.tokens[number]
        relation = token.rel.split(":")[0]
        if relation not in _WHICH | _CIRCUMSTANCES:
            return
        verb = token.head
        for _ in range(_DEEP):
            if verb in tree.children and tree.tokens[verb].rel.split(":")[0] in {"nmod", "obj", "obl"}:
                verb = tree.tokens[verb].head
        if verb not in tree.children or verb > number or tree.isolated(number):
            return
        if tree.child_words(verb, "advmod") & denies - {tree.word(number)}:
            yield number, token.head

    return rule


def announced(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """All that follows a colon goes with the word that announces it alone: *the steps are these: …*."""
    before, _ = tree.neighbours([number])
    nearby = [n for n in tree.kept if n < number][-_NEAR:]
    if tree.tokens[number].text == ":" and before is not None and any(tree.word(n) in _ANNOUNCE for n in nearby):
        yield from ((n, before) for n in tree.kept if n >= number and tree.tokens[n].text not in _ENDS)


def modifier(limits: Test) -> Ties:
    """Numbers, degrees, words that by `limits` say which or how far, parts of names."""

    def rule(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
        token = tree.tokens[number]
        if token.rel.split(":")[0] not in _MODIFIERS:
            return
        ranks = token.feats.get("NumType") == "Ord" or token.feats.get("Degree") in {"Cmp", "Sup"}
        named = token.text[:1].isupper() and (number != tree.kept[0] or token.pos == "PROPN")
        number_or_date = token.pos == "NUM" or token.text[:1].isdigit()
        if number_or_date or named or ranks or limits(tree, number):
            yield number, token.head

    return rule


def noun(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """A noun does not go without its adjectives and the phrases and clauses that hang on it."""
    if tree.tokens[number].rel.startswith(("acl", "amod", "nmod")):
        yield tree.tokens[number].head, number


def argument(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """A verb does not go without its object, nor without the phrases that hang on it."""
    token = tree.tokens[number]
    if token.rel.split(":")[0] in _ARGUMENTS | {"obl"}:
        yield token.head, number


def has_argument(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """An object does not go without its verb."""
    token = tree.tokens[number]
    if token.rel.split(":")[0] in _ARGUMENTS:
        yield number, token.head
