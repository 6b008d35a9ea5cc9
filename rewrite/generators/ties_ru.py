"""What in a Russian sentence goes only together with something else: words and rules for `rewrite.generators.ties`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile

from rewrite.generators.needed import ALTERNATIVES, CONTRASTS, in_subject, is_condition, is_empty, is_needed, limits
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

__all__ = ["ARGUMENTS", "COMPLEMENTS", "CONDITIONS", "GRAMMAR", "asks"]

_ASKS = frozenset("что чтобы где когда куда откуда как почему зачем сколько кто чей чья чьё чьи пока".split())
_HALVES = {"между": "и", "от": "до"}
_NEAR = 10
_ONE = frozenset("один одна одно одного одной одному одним одну одном".split())
_POINTING = frozenset("то того тому тем том так потому".split())
_PLACE = frozenset("место места месту местом месте мест местам местами местах".split())
_STARTS = frozenset("дня момента даты начала окончания вступления получения".split())
_LINKING = ("являет", "являют", "являл", "явил", "считает", "считают", "считал", "назва", "называ", "оказал", "окаж")
_BECOME = frozenset("стал стала стало стали станет станут стать становится становятся был была было были будет".split())
# *в одностороннем порядке*
_MANNER = frozenset("порядке режиме ключе масштабе объёме объеме размере составе смысле духе тоне русле".split())
_THERE = frozenset("там тут здесь туда сюда оттуда отсюда".split())
_NEGATIONS = frozenset({"не", "ни"})


def asks(tree: Tree, number: int) -> bool:
    """Whether a token opens a question or a relative clause."""
    return tree.word(number) in _ASKS or tree.word(number).startswith("котор")


def _pair(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """The *и* of *между … и …* and the *до* of *от … до …* go with the first half alone, *тем* and *что* in *тем, что*
    together, *чем* with all that it compares, and the first *и* of *и …, и …* with the second.
    """
    word = tree.word(number)
    after = [n for n in tree.kept if n > number]
    if word in _HALVES:
        yield from ((n, number) for n in islice((n for n in after[:_NEAR] if tree.word(n) == _HALVES[word]), 1))
    elif word in _POINTING and len(after) > 1 and tree.word(after[0]) == "," and tree.word(after[1]) in _ASKS:
        yield from ((number, after[1]), (after[1], number))
    elif word == "и":
        # *и мужчины, и женщины*
        later = (n for n in after[:_NEAR] if tree.word(n) == "и" and tree.word(n - 1) == "," and n - 1 > number)
        yield from ((number, n) for n in islice(later, 1) if tree.head(number).rel != "root")
    elif word == "чем":
        yield from ((number, n) for n in takewhile(lambda n: tree.tokens[n].pos != "PUNCT", after))


def _measure(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """Of what there is *один*, *часть* or *ряд*, and than what something is *младше*, goes with that alone."""
    token, head = tree.tokens[number], tree.head(number)
    single = head.pos in {"DET", "NUM", "PRON"} or head.text.lower() in _ONE
    of_empty = token.rel.startswith(("acl", "nmod")) and (is_empty(head.text.lower()) or head.text.lower() in _PLACE)
    than = head.feats.get("Degree") == "Cmp" and token.rel.startswith(("nmod", "nummod", "obl"))
    if of_empty or than or (token.rel.startswith("nmod") and single and "из" in tree.child_words(number)):
        yield number, token.head


def _since(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """From when a term runs, and the day of what: *шести месяцев со дня рождения*."""
    token = tree.tokens[number]
    head = token.head
    for start in (number, head) if token.rel.startswith("nmod") else (number,):
        if tree.word(start) in _STARTS and tree.child_words(start, "case") & {"с", "со"}:
            yield number, head


def _links(verb: str) -> bool:
    """Whether a noun in the instrumental says what something is or becomes."""
    return verb in _BECOME or verb.startswith(_LINKING)


def _filling(tree: Tree, number: int) -> Iterator[tuple[int, int]]:
    """What a word that says little alone is about: *большое количество*, *является популярной идеей*, *живут там*."""
    token, head = tree.tokens[number], tree.head(number)
    if token.rel == "amod":
        verb = head.head if token.head in tree.children else -1
        predicate = 0 <= verb < token.head and _links(tree.word(verb)) and not tree.child_words(token.head, "case")
        if (
            (predicate and head.feats.get("Case") == "Ins")
            or is_empty(head.text.lower())
            or tree.word(token.head) in _MANNER
        ):
            yield number, token.head
    elif tree.word(number) in _THERE and head.pos == "VERB":
        yield number, token.head


GRAMMAR: tuple[Ties, ...] = (
    clause(asks),
    opener(asks),
    coordination(ALTERNATIVES | CONTRASTS | {"ни", "между"}, in_subject),
    argument,
    negated(_NEGATIONS),
    modifier(limits),
    noun,
    _pair,
    _measure,
    _since,
    announced,
    linked(asks),
)
"""Without them the rest is broken or says something else."""
CONDITIONS: tuple[Ties, ...] = (condition(is_condition), denied(_NEGATIONS), limited, _filling)
"""Under which the rest holds, or says anything."""
ARGUMENTS: tuple[Ties, ...] = (has_argument,)
"""What a verb says of its object."""
COMPLEMENTS: tuple[Ties, ...] = (complement(is_needed),)
"""Phrases and clauses that by `rewrite.generators.needed` complete the word on which they hang."""
