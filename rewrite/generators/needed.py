"""What goes only together with something in a Russian sentence: words and rules for `rewrite.generators.ties`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path

from rerank.tree import Tree
from rerank.wordlists import WordLists, denials
from rewrite.generators.ties import CONDITIONS, GRAMMAR, Ties, with_head

_LISTS = WordLists(Path(__file__).with_name("ru.txt"))
# Words that set how far a statement holds, by how they begin.
_LIMITS = _LISTS.sequence("limits")
_EXACT_LIMITS = frozenset("мало много не ни ин так сам друг част весь все всё вся".split())
_CONDITIONS = frozenset("если пока ежели насколько чем раз".split())
_EXCEPTIONS = frozenset("без кроме вместо против исключением между помимо вопреки среди".split())
# Nouns that say little without what depends on them: stems that take endings of up to three letters.
_EMPTY_NOUNS = _LISTS.sequence("empty nouns")
_ENDING = 3
CONTRASTS = frozenset({"но", "а", "однако", "зато", "даже"})
ALTERNATIVES = frozenset({"либо", "или", "то", "как", "так"})
# Adverbs that begin like a denial and are none.
_SHADES = frozenset({"неоднократно", "непосредственно"})
_ASKS = frozenset("что чтобы где когда куда откуда как почему зачем сколько кто чей чья чьё чьи пока".split())
_HALVES = {"между": "и", "от": "до"}
_NEAR = 10
_ONE = frozenset("один одна одно одного одной одному одним одну одном".split())
_POINTING = frozenset("то того тому тем том так потому".split())
_PLACES = frozenset("место места месту местом месте мест местам местами местах".split())
_STARTS = frozenset("дня момента даты начала окончания вступления получения".split())
_NAMING = ("являет", "являют", "являл", "явил", "считает", "считают", "считал", "назва", "называ", "оказал", "окаж")
_BECOME = frozenset("стал стала стало стали станет станут стать становится становятся был была было были будет".split())
# *в одностороннем порядке*
_MANNER = frozenset("порядке режиме ключе масштабе объёме объеме размере составе смысле духе тоне русле".split())
_THERE = frozenset("там тут здесь туда сюда оттуда отсюда".split())
_NEGATIONS = denials("ru", "particle")


def is_empty(noun: str) -> bool:
    """Whether a noun, in any form, says little without what depends on it: *часть*, *ряд*, *год*."""
    return any(noun.startswith(stem) and len(noun) - len(stem) <= _ENDING for stem in _EMPTY_NOUNS)


def limits(tree: Tree, number: int) -> bool:
    """A word that limits the statement, or a phrase of exception; *Однако* at the head of a text only links it."""
    word = tree.word(number)
    if number == tree.kept[0] and word in {"однако", "поэтому", "следовательно"}:
        return False
    if tree.tokens[number].pos in {"ADV", "ADJ"} and word.startswith(("не", "мало", "плохо", "слабо")):
        return word not in _SHADES
    if word.startswith(("котор", "чей", "чьё", "чья", "чьи")):
        return True
    begins = word.startswith(_LIMITS)
    exact = word in _EXACT_LIMITS or word.startswith(("друг", "самы", "таки", "тако", "частич", "всех", "всем", "люб"))
    return begins or exact or bool(tree.child_words(number) & _EXCEPTIONS)


def is_condition(tree: Tree, number: int) -> bool:
    """Whether a clause says under what condition the rest holds."""
    return bool({tree.word(n) for n in tree.subtree(number)[:3]} & _CONDITIONS)


def in_subject(tree: Tree, number: int) -> bool:
    """Whether the verb may agree with the whole of this list."""
    seen: set[int] = set()
    while number not in seen and tree.tokens[number].rel.startswith(("nmod", "conj")):
        seen.add(number)
        number = tree.tokens[number].head
        if number not in tree.children:
            return False
    return tree.tokens[number].rel.startswith("nsubj")


def _asks(tree: Tree, number: int) -> bool:
    """Whether a token opens a question or a relative clause."""
    return tree.word(number) in _ASKS or tree.word(number).startswith("котор")


def _pair(ties: Ties, tree: Tree, number: int) -> Iterator[tuple[int, int]]:
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


@with_head
def _measure(ties: Ties, tree: Tree, number: int) -> bool:
    """Of what there is *один*, *часть* or *ряд*, and than what something is *младше*."""
    relation, head = tree.relation(number), tree.head(number)
    noun = head.text.lower()
    if relation in {"nmod", "nummod", "obl"} and head.feats.get("Degree") == "Cmp":
        return True
    single = head.pos in {"DET", "NUM", "PRON"} or noun in _ONE
    of_empty = relation in {"acl", "nmod"} and (is_empty(noun) or noun in _PLACES)
    return of_empty or (relation == "nmod" and single and "из" in tree.child_words(number))


@with_head
def _since(ties: Ties, tree: Tree, number: int) -> bool:
    """From when a term runs, and the day of what: *шести месяцев со дня рождения*."""
    starts = (number, tree.tokens[number].head) if tree.relation(number) == "nmod" else (number,)
    return any(tree.word(n) in _STARTS and tree.child_words(n, "case") & {"с", "со"} for n in starts)


@with_head
def _filling(ties: Ties, tree: Tree, number: int) -> bool:
    """What a word that says little alone is about: *большое количество*, *является популярной идеей*, *живут там*."""
    noun, head = tree.tokens[number].head, tree.head(number)
    if tree.tokens[number].rel != "amod":
        return tree.word(number) in _THERE and head.pos == "VERB"
    # A noun in the instrumental says what something is or becomes.
    verb = tree.word(head.head) if 0 <= head.head < noun else ""
    links = verb in _BECOME or verb.startswith(_NAMING)
    predicate = links and head.feats.get("Case") == "Ins" and not tree.child_words(noun, "case")
    return predicate or is_empty(tree.word(noun)) or tree.word(noun) in _MANNER


RUSSIAN = Ties(
    asks=_asks,
    in_subject=in_subject,
    limits=limits,
    is_condition=is_condition,
    negations=_NEGATIONS,
    denials=_NEGATIONS,
    links=ALTERNATIVES | CONTRASTS | {"ни", "между"},
    only=_LISTS.words("only"),
    pronouns=_LISTS.words("pronouns"),
    grammar=(*GRAMMAR, _pair, _measure, _since),
    conditions=(*CONDITIONS, _filling),
)
