"""What in a sentence goes only together with something else, and the spans of a deletion that part nothing of it.

A cut that takes a complement but leaves what asks for it, one half of a coordination, or a condition but not what
holds under it, leaves a broken sentence or an untrue one. Rules name, for a token of the parse (Universal
Dependencies), the tokens with which alone it may go. They hold for spans of any kind: subtrees and words side by side.
Further checks look at what any cut would leave. `needed` and `needed_en` have the words and rules of each language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from functools import wraps
from itertools import pairwise, takewhile

from rerank.analysis import Analysis
from rerank.tree import Tree
from rewrite.generators.spans import Span, SpanFinder
from rewrite.generators.valency import Valency

Test = Callable[[Tree, int], bool]
"""Whether something holds for a token of a parse."""

_VERBAL = frozenset({"VERB", "AUX"})
_MODIFIERS = frozenset({"advmod", "amod", "appos", "compound", "det", "flat", "nmod", "nummod"})
_ARGUMENTS = frozenset({"obj", "iobj", "xcomp", "ccomp"})
_CLAUSES = frozenset({"acl", "advcl", "obl", "parataxis"})
_CIRCUMSTANCES = frozenset({"obl", "advmod", "advcl", "xcomp"})
_DEEP = 4
_WHICH = frozenset({"amod", "nmod", "acl"})
_OPENING, _CLOSING = frozenset({"(", "["}), frozenset({")", "]"})
_NOMINAL = frozenset({"NOUN", "PRON", "PROPN", "NUM"})
_JOINTS = frozenset({"CCONJ", "SCONJ"})
_OPENERS = frozenset({"ADP", "CCONJ", "DET", "SCONJ"})
_BEFORE_NOUNS = frozenset({"ADJ", "ADV", "NUM"})
_NO_NOUNS = frozenset("ADP AUX CCONJ PART PRON PUNCT SCONJ VERB".split())


@dataclass(frozen=True)
class Ties:
    """The words of a language that the rules ask for, and its rules.

    `asks` says of a token whether it opens a question or a relative clause, `in_subject` whether the verb agrees with
    its list, `limits` whether it says which or how far, `is_condition` whether its subtree is a condition. `negations`
    deny the word after them, `denials` what a verb says, `no` the noun on which it hangs; `links` join alternatives and
    contrasts, `only` says of which, and `pronouns` stand for what was named before.
    `grammar`: without these rules the rest is broken or says something else; `conditions`: under which the rest holds;
    `complements`: what completes the word on which it hangs, where a language lets other subtrees go than its grammar
    can spare.
    """

    asks: Test
    in_subject: Test
    limits: Test
    is_condition: Test
    negations: Set[str]
    denials: Set[str]
    links: Set[str]
    only: Set[str]
    pronouns: Set[str]
    no: Set[str] = frozenset()
    articles: Set[str] = frozenset()
    grammar: tuple[Rule, ...] = ()
    conditions: tuple[Rule, ...] = ()
    complements: tuple[Rule, ...] = ()


Rule = Callable[[Ties, Tree, int], Iterable[tuple[int, int]]]
"""Pairs of tokens, of which the first goes only with the second."""


def with_head(holds: Callable[[Ties, Tree, int], bool]) -> Rule:
    """A rule that a token goes only with its head where `holds` says so."""

    @wraps(holds)
    def rule(ties: Ties, tree: Tree, number: int) -> Iterable[tuple[int, int]]:
        return [(number, tree.tokens[number].head)] if holds(ties, tree, number) else []

    return rule


def governed(valency: Valency) -> Rule:
    """What a word hardly ever stands without goes with that word alone."""
    return with_head(lambda _, tree, number: valency.must_have(tree, number))


def usual(valency: Valency) -> Rule:
    """A dependent that a word often comes with goes with that word alone."""
    return with_head(lambda _, tree, number: valency.is_usual(tree, number))


def _clause(ties: Ties, tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """A clause keeps its conjunction or question word and its subject, and they do not stay alone."""
    token = tree.tokens[number]
    if token.rel == "mark" or ties.asks(tree, number) or token.rel.startswith(("nsubj", "csubj", "expl")):
        yield number, token.head
        yield token.head, number


def _opener(ties: Ties, tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """A preposition or conjunction goes with what follows it alone, whatever the parse hangs it on."""
    token = tree.tokens[number]
    if token.rel == "compound:prt" or not (token.pos in {"ADP", "SCONJ"} or ties.asks(tree, number)):
        return
    _, after = tree.neighbours([number])
    if after is not None and tree.tokens[after].pos != "PUNCT":
        yield number, after


def _coordination(ties: Ties, tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """The first part does not go without the others, nor one in the middle without the last; parts of a subject, and
    what is joined by one of the `links`, go together.

    What stands right before *and* is cut with it alone: whether *and* joins to that or to what stands before it, the
    parse often does not know.
    """
    token = tree.tokens[number]
    if token.rel == "conj":
        yield token.head, number
        words = tree.child_words(number, "cc", "advmod") | tree.child_words(token.head, "cc:preconj", "case", "det")
        first = tree.head(number).pos
        # Two numbers may share what they count, two adjectives the noun that the parser joined to the first.
        shared = first == "NUM" or (first == "ADJ" and token.pos == "NOUN")
        if shared or words & ties.links or ties.in_subject(tree, token.head):
            yield number, token.head
        last = max(child for child in tree.children[token.head] if tree.tokens[child].rel == "conj")
        if tree.child_words(last, "cc"):
            yield number, last
    elif token.rel == "cc" and tree.head(number).pos not in _VERBAL:
        before, _ = tree.neighbours([number])
        if before is not None and tree.tokens[before].pos != "PUNCT":
            yield before, number


def _argument(ties: Ties, tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """A verb does not go without its object, nor without the phrases that hang on it."""
    if tree.relation(number) in _ARGUMENTS | {"obl"}:
        yield tree.tokens[number].head, number


def _negated(ties: Ties, tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """What a negation denies goes with it alone: *not very good* is not *not good*."""
    _, after = tree.neighbours([number])
    if tree.word(number) in ties.negations and after is not None and tree.tokens[after].pos != "PUNCT":
        yield after, number


@with_head
def _modifier(ties: Ties, tree: Tree, number: int) -> bool:
    """Numbers, degrees, words that say which or how far, parts of names."""
    token = tree.tokens[number]
    if tree.relation(number) not in _MODIFIERS:
        return False
    ranks = token.feats.get("NumType") == "Ord" or token.feats.get("Degree") in {"Cmp", "Sup"}
    named = token.text[:1].isupper() and (number != tree.kept[0] or token.pos == "PROPN")
    number_or_date = token.pos == "NUM" or token.text[:1].isdigit()
    return number_or_date or named or ranks or ties.limits(tree, number)


def _noun(ties: Ties, tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """A noun does not go without its adjectives and the phrases and clauses that hang on it."""
    if tree.tokens[number].rel.startswith(("acl", "amod", "nmod")):
        yield tree.tokens[number].head, number


@with_head
def _condition(ties: Ties, tree: Tree, number: int) -> bool:
    """A clause or phrase under which alone the rest holds."""
    return tree.relation(number) in _CLAUSES and ties.is_condition(tree, number)


@with_head
def _denied(ties: Ties, tree: Tree, number: int) -> bool:
    """What a verb denies it denies with what follows and hangs on it, on its object, or on a noun in that phrase: *they
    did not have them in stock* is not *they did not have them*. What marks set off stands outside.
    """
    if tree.relation(number) not in _WHICH | _CIRCUMSTANCES:
        return False
    verb = tree.tokens[number].head
    for _ in range(_DEEP):
        if verb in tree.children and tree.relation(verb) in {"nmod", "obj", "obl"}:
            verb = tree.tokens[verb].head
    if verb not in tree.children or verb > number or tree.isolated(number):
        return False
    nothing = any(tree.child_words(child, "det") & ties.no for child in tree.children[verb])
    return nothing or bool(tree.child_words(verb, "advmod") & ties.denials - {tree.word(number)})


@with_head
def _limited(ties: Ties, tree: Tree, number: int) -> bool:
    """Which ones all, each or only those are: *only people who live alone*, *каждый житель, сдавший отчёт*."""
    noun = tree.tokens[number].head
    return tree.relation(number) in _WHICH and bool(tree.child_words(noun, "det", "advmod") & ties.only)


@with_head
def _has_argument(ties: Ties, tree: Tree, number: int) -> bool:
    """An object does not go without its verb."""
    return tree.relation(number) in _ARGUMENTS


GRAMMAR: tuple[Rule, ...] = (*(_clause, _opener, _coordination, _argument, _negated, _modifier, _noun),)
"""Rules of all languages, as `Ties.grammar` and so on."""
CONDITIONS: tuple[Rule, ...] = (_condition, _denied, _limited)
ARGUMENTS: tuple[Rule, ...] = (_has_argument,)
"""What a verb says of its object."""


def tied(finder: SpanFinder, *rules: Rule, ties: Ties) -> SpanFinder:
    """The spans of `finder` that part nothing that `rules` tie together, and leave nothing to wait for what went."""

    def spans(analysis: Analysis, removed: frozenset[int]) -> list[Span]:
        trees = [Tree(sentence.tokens, removed) for sentence in analysis.sentences]
        pairs = frozenset(pair for tree in trees for pair in _pairs(ties, tree, rules))
        waiting = [pair for tree in trees for pair in (*_waiting(ties, tree), *_subjects(tree))]
        predicates = [run for tree in trees for run in _predicates(tree)]
        articles = [article for tree in trees for article in _articles(ties, tree)]
        pronouns = [pronoun for tree in trees for pronoun in _pronouns(ties, tree)]
        mains = [verbs for tree in trees if (verbs := _main_verbs(ties, tree))]
        return [
            span
            for span in finder(analysis, removed)
            # What stands in brackets is beside all else, whatever the parse hangs it on.
            if _in_brackets(span)
            or (
                all(second in span.starts for first, second in pairs if first in span.starts)
                and not any(word not in span.starts and rest <= span.starts for word, rest in waiting)
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


def _pairs(ties: Ties, tree: Tree, rules: Iterable[Rule]) -> Iterator[tuple[int, int]]:
    for number in tree.kept:
        # What hangs on a word that is gone, or on nothing, is tied to nothing.
        if not tree.hangs(number):
            continue
        for rule in rules:
            for first, second in rule(ties, tree, number):
                yield tree.tokens[first].start, tree.tokens[second].start


def _waiting(ties: Ties, tree: Tree) -> Iterator[tuple[int, frozenset[int]]]:
    """Words that want something after them, each with all that follows it up to the next mark."""
    for place, number in enumerate(tree.kept):
        token = tree.tokens[number]
        if token.rel == "compound:prt" or not (token.pos in _OPENERS or ties.asks(tree, number)):
            continue
        rest = list(takewhile(lambda n: tree.tokens[n].pos != "PUNCT", tree.kept[place + 1 :]))
        if rest:
            yield token.start, tree.starts(rest)


def _subjects(tree: Tree) -> Iterator[tuple[int, frozenset[int]]]:
    """Finite verbs, each with all that stands between it and the conjunction or start of the sentence before it."""
    for place, number in enumerate(tree.kept):
        if not _is_finite(tree, number):
            continue
        before = takewhile(lambda n: tree.tokens[n].pos not in _JOINTS, reversed(tree.kept[:place]))
        if words := tree.starts(n for n in before if tree.tokens[n].pos != "PUNCT"):
            yield tree.tokens[number].start, words


def _is_finite(tree: Tree, number: int) -> bool:
    """A verb that wants a subject: no participle or infinitive, no order."""
    token = tree.tokens[number]
    return token.pos in _VERBAL and token.feats.get("VerbForm") == "Fin" and token.feats.get("Mood") != "Imp"


def _main_verbs(ties: Ties, tree: Tree) -> frozenset[int]:
    """The finite verbs of clauses that nothing subordinates, whatever the parse hangs them on.

    Without the last of them a sentence is none; one that has none, as many in Russian, does not need any.
    """
    return tree.starts(n for n in tree.kept if _is_finite(tree, n) and not _is_subordinate(ties, tree, n))


def _is_subordinate(ties: Ties, tree: Tree, number: int) -> bool:
    token = tree.tokens[number]
    head = token.head if token.rel.startswith(("aux", "cop")) and token.head in tree.children else number
    opened = any(tree.tokens[child].rel == "mark" or ties.asks(tree, child) for child in tree.children[head])
    return opened or tree.tokens[head].rel == "acl:relcl"


def _pronouns(ties: Ties, tree: Tree) -> Iterator[tuple[int, frozenset[int]]]:
    """Pronouns of the third person, each with all nouns before it, of which it may stand for one."""
    nouns: set[int] = set()
    for number in tree.kept:
        token = tree.tokens[number]
        if token.pos in {"NOUN", "PROPN"}:
            nouns.add(token.start)
        elif tree.word(number) in ties.pronouns and token.rel != "expl" and nouns:
            yield token.start, frozenset(nouns)


def _articles(ties: Ties, tree: Tree) -> Iterator[tuple[Tree, int, int]]:
    """Articles, each with the first token behind it that may be its noun."""
    for number in tree.kept:
        if tree.word(number) in ties.articles and (after := _behind_adjectives(tree, number, frozenset())) is not None:
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


def _predicates(tree: Tree) -> Iterator[tuple[int, int]]:
    """Finite verbs that stand right after a nominal, whatever the parse says, each with that nominal.

    A cut that begins with such a verb (*… | is another example*) takes the predicate of what stands before it.
    """
    for before, number in pairwise(tree.kept):
        token = tree.tokens[number]
        if _is_finite(tree, number) and not token.rel.startswith("conj") and tree.tokens[before].pos in _NOMINAL:
            yield token.start, tree.tokens[before].start
