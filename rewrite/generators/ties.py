"""What in a sentence goes only together with something else, whatever the language.

A cut that takes a complement but leaves what asks for it, one half of a coordination, or a condition but not what
holds under it, leaves a broken sentence or an untrue one. Rules name, for a token of the parse (Universal
Dependencies), the tokens with which alone it may go. They hold for spans of any kind: subtrees and words side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from rewrite.generators.government import Government
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
    "limited",
    "linked",
    "modifier",
    "negated",
    "noun",
    "opener",
    "usual",
]

Ties = Callable[[Tree, int], Iterator[tuple[int, int]]]
"""Pairs of tokens, of which the first goes only with the second."""

Test = Callable[[Tree, int], bool]

_VERBAL = frozenset({"VERB", "AUX"})
_MODIFIERS = frozenset({"advmod", "amod", "appos", "compound", "det", "flat", "nmod", "nummod"})
_ARGUMENTS = frozenset({"obj", "iobj", "xcomp", "ccomp"})
_CLAUSES = frozenset({"acl", "advcl", "obl", "parataxis"})
_CIRCUMSTANCES = frozenset({"obl", "advmod", "advcl", "xcomp"})
_DEEP = 4
_NO = frozenset({"no", "neither"})
_ONLY = frozenset("only all every each any no только лишь все всех всем каждый каждая каждое каждого каждому".split())
_WHICH = frozenset({"amod", "nmod", "acl"})
_ANNOUNCE = frozenset("these this those following follows such следующее следующие следующая следующий такие".split())
# *Do these three things before you leave: …*
_NEAR = 8
_ENDS = frozenset(".!?…")
_PHRASES = frozenset({"nmod", "obl", "acl", "advcl", "advmod"})


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
            first = tree.head(number).pos
            # Two numbers may share what they count, two adjectives the noun that the parser joined to the first.
            shared = first == "NUM" or (first == "ADJ" and token.pos == "NOUN")
            if shared or words & links or in_subject(tree, token.head):
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
        nothing = any(tree.child_words(child, "det") & _NO for child in tree.children[verb])
        if nothing or tree.child_words(verb, "advmod") & denies - {tree.word(number)}:
            yield number, token.head

    return rule


def limited(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """Which ones all, each or only those are: *only people who live alone*, *каждый житель, сдавший отчёт*."""
    token = tree.tokens[number]
    if token.rel.split(":")[0] in _WHICH and tree.child_words(token.head, "det", "advmod") & _ONLY:
        yield number, token.head


def linked(asks: Test) -> Ties:
    """The first of two relative clauses or questions does not go without the second: *who came and who stayed*."""

    def rule(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
        before, after = tree.neighbours([number])
        if tree.tokens[number].pos != "CCONJ" or after is None or not asks(tree, after):
            return
        if before is not None and tree.tokens[before].pos == "PUNCT":
            before, _ = tree.neighbours([before])
        if before is not None:
            yield before, number

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
