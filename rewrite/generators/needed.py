"""Which parts of a Russian clause its grammar or its meaning cannot spare, and what goes only together with something.

Each rule is a function of the parse and a token: whether the subtree of that token must stay. They are meant to err on
the side of keeping: a sentence that could have been shorter is a lesser fault than one that says something else.
`RUSSIAN` has the words and rules for `rewrite.generators.ties`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice, takewhile
from pathlib import Path
from types import MappingProxyType

from rerank.tree import Tree
from rerank.wordlists import WordLists, denials
from rewrite.generators.ties import CONDITIONS, GRAMMAR, Test, Ties, with_head

_LISTS = WordLists(Path(__file__).with_name("ru.txt"))
# Words that set how far a statement holds, by how they begin.
_LIMITS = _LISTS.sequence("limits")
_EXACT_LIMITS = frozenset("мало много не ни ин так сам друг част весь все всё вся".split())
_CONDITIONS = frozenset("если пока ежели насколько чем раз".split())
_RELATIVES = ("котор", "где", "когда", "куда", "откуда", "чей", "чья", "чьё", "чьи", "кто")
_EXCEPTIONS = frozenset("без кроме вместо против исключением между помимо вопреки среди".split())
# Nouns that say little without what depends on them: stems that take endings of up to three letters.
_EMPTY_NOUNS = _LISTS.sequence("empty nouns")
# Nouns that want to be told whose or of what, though an adjective with them can go.
_RELATIONAL_NOUNS = _LISTS.sequence("relational nouns")
_ENDING = 3
_DEVERBAL = re.compile(r"(?:[нт]и(?:е|я|ю|ем|и|ях|ям|ями|й)|ци(?:я|и|ю|ей|й|ях|ям|ями)|ост(?:ь|и|ью|ей|ях|ям|ями))$")
CONTRASTS = frozenset({"но", "а", "однако", "зато", "даже"})
ALTERNATIVES = frozenset({"либо", "или", "то", "как", "так"})
# Prepositions whose phrase is seldom called for by the verb or noun before it; в and на only of place and time.
_LOOSE = _LISTS.words("loose")
_LOOSE_WITH_NOUNS = _LOOSE | {"из", "с", "со", "у", "под", "за"}
_PLACE = frozenset({"в", "во", "на"})
_VAGUE = frozenset({"в", "во", "на", "по", "через", "перед"})
# Adverbs and particles whose loss changes the tone at most.
_SHADES = _LISTS.words("shades")
_BE_SOMEWHERE = _LISTS.sequence("be somewhere")
_OBJECTS = frozenset({"obj", "iobj", "xcomp", "ccomp", "csubj"})
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


def _is_form(noun: str, stems: tuple[str, ...]) -> bool:
    return any(noun.startswith(stem) and len(noun) - len(stem) <= _ENDING for stem in stems)


def is_empty(noun: str) -> bool:
    """Whether a noun, in any form, says little without what depends on it: *часть*, *ряд*, *год*."""
    return _is_form(noun, _EMPTY_NOUNS)


def _is_action(noun: str) -> bool:
    """A noun of action, quality or relation: it says little without whose or of what."""
    return _DEVERBAL.search(noun) is not None or _is_form(noun, _RELATIONAL_NOUNS)


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


def _holds_negation(tree: Tree, number: int) -> bool:
    """A phrase with its own *не* or *ни* that is no clause: cutting it turns the statement round."""
    return bool(tree.child_words(number) & (_NEGATIONS | {"нет"}))


def _modifier_needed(tree: Tree, number: int) -> bool:
    """An adjective or noun without which its noun names nothing, or something else."""
    token, head = tree.tokens[number], tree.head(number)
    if head.pos in {"NUM", "PRON", "DET", "ADJ"} or is_empty(head.text.lower()):
        return True
    if token.text[:1].isupper() and number > 0 and token.pos != "PROPN":
        return True
    if tree.child_words(number) & ALTERNATIVES:
        return True
    if head.feats.get("Case") == "Ins" and (_is_action(tree.word(token.head)) or "с" in tree.child_words(token.head)):
        return True
    return tree.word(head.head).startswith("од") and bool(tree.child_words(token.head) & {"из"})


def _genitive_needed(tree: Tree, number: int) -> bool:
    """A noun that completes another one, where that one is a noun of action."""
    if _modifier_needed(tree, number):
        return True
    head = tree.tokens[number].head
    prepositions = tree.child_words(number, "case")
    if prepositions:
        action = _is_action(tree.word(head))
        return action or not (_is_loose(tree, number) or prepositions <= _LOOSE_WITH_NOUNS - _PLACE)
    # The parser hangs many a noun on the wrong one: only a genitive that follows its noun directly is sure.
    before, _ = tree.neighbours(tree.subtree(number))
    follows = before is not None and head <= before and before in tree.subtree(head)
    return not follows or tree.tokens[number].feats.get("Case") != "Gen" or _is_action(tree.word(head))


def _is_loose(tree: Tree, number: int) -> bool:
    """A prepositional phrase of circumstance."""
    prepositions = tree.child_words(number, "case")
    if not prepositions or not prepositions <= _LOOSE:
        return False
    return not prepositions & _PLACE or tree.tokens[number].feats.get("Case") == "Loc"


def _oblique_needed(tree: Tree, number: int) -> bool:
    """What a verb needs: the only thing it has beside its subject, a bare case form, what a participle governs."""
    token = tree.tokens[number]
    head = tree.head(number)
    if head.pos != "VERB" or head.feats.get("VerbForm") == "Part":
        return True
    if not tree.child_words(number, "case"):
        return True
    others = tree.beside(number)
    if others & _OBJECTS:
        return _is_governed(tree, number)
    if not _is_loose(tree, number):
        return True
    if "obl" in others:
        return tree.word(token.head).startswith(_BE_SOMEWHERE)
    return bool(tree.child_words(number, "case") & _VAGUE)


def _is_governed(tree: Tree, number: int) -> bool:
    """A phrase that verbs call for beside an object: *навести на мысль*, *отнести к роду*, *спросить о деле*."""
    prepositions = tree.child_words(number, "case")
    into = tree.tokens[number].feats.get("Case") == "Acc" and prepositions & {"в", "во", "на", "за"}
    return bool(into or prepositions & {"к", "ко", "о", "об", "обо"})


def _adverb_needed(tree: Tree, number: int) -> bool:
    """An adverb or particle that is more than a shade: what a copula says, a question word, a number's limit."""
    if tree.word(number) in _SHADES:
        before, _ = tree.neighbours([number])
        stressed = before is not None and (tree.tokens[before].pos == "PUNCT" or tree.word(number) == "же")
        return stressed and before is not None and tree.word(before)[:1] in {",", "т", "—"}
    token, head = tree.tokens[number], tree.head(number)
    if token.pos not in {"ADV", "PART"} or head.pos not in {"VERB", "ADJ", "ADV"}:
        return True
    if token.pos == "PART" or tree.word(number) in {"где", "когда", "как", "почему", "куда", "откуда", "зачем", "там"}:
        return True
    others = [c for c in tree.children[token.head] if c != number and tree.tokens[c].pos != "PUNCT"]
    complements = [c for c in others if not tree.tokens[c].rel.startswith(("nsubj", "advmod", "aux", "mark", "cc"))]
    return head.pos == "VERB" and not complements


def is_condition(tree: Tree, number: int) -> bool:
    """Whether a clause says under what condition the rest holds."""
    return bool({tree.word(n) for n in tree.subtree(number)[:3]} & _CONDITIONS)


def _clause_needed(tree: Tree, number: int) -> bool:
    """A condition, or a clause that says which one or what (*весть, что …*)."""
    if is_condition(tree, number):
        return True
    head = tree.head(number)
    if not tree.tokens[number].rel.startswith("acl"):
        return False
    if "так" in tree.child_words(number) or tree.child_words(number, "mark"):
        return True
    relative = any(tree.word(n).startswith(_RELATIVES) for n in tree.subtree(number)[:4])
    if tree.tokens[number].feats.get("VerbForm") != "Part" and not relative:
        return True
    return head.pos in {"PRON", "DET", "NUM"} or is_empty(head.text.lower())


def _conjunct_needed(tree: Tree, number: int) -> bool:
    """A part of a subject or a name, an alternative, or what is set against a negation."""
    token, head = tree.tokens[number], tree.head(number)
    if head.pos == "NUM" or token.pos != head.pos or in_subject(tree, token.head):
        return True
    if head.pos == "ADJ" and head.feats.get("Number") != tree.head(token.head).feats.get("Number"):
        return True
    if token.feats.get("Case") != head.feats.get("Case") or token.feats.get("VerbForm") != head.feats.get("VerbForm"):
        return True
    siblings = [c for c in tree.children[token.head] if tree.tokens[c].rel == "conj"]
    if len(siblings) > 1 and number != siblings[-1] and not any(tree.child_words(c, "cc") for c in siblings):
        return True
    linked = tree.child_words(number) | tree.child_words(token.head, "cc", "case", "advmod")
    if linked & (ALTERNATIVES | _EXCEPTIONS):
        return True
    negated = any(tree.word(n) == "не" for n in tree.subtree(token.head) if n < number)
    return bool(linked & CONTRASTS) and (head.pos != "VERB" or negated)


def in_subject(tree: Tree, number: int) -> bool:
    """Whether the verb may agree with the whole of this list."""
    seen: set[int] = set()
    while number not in seen and tree.tokens[number].rel.startswith(("nmod", "conj")):
        seen.add(number)
        number = tree.tokens[number].head
        if number not in tree.children:
            return False
    return tree.tokens[number].rel.startswith("nsubj")


def _determiner_needed(tree: Tree, number: int) -> bool:
    """Any determiner but *свой*."""
    return not tree.word(number).startswith("сво")


def _link_needed(tree: Tree, number: int) -> bool:
    """A conjunction that joins anything to a part of its own sentence."""
    return number != tree.kept[0] or tree.word(number) not in {"и", "но", "а", "однако"}


RULES: Mapping[str, tuple[Test, ...]] = MappingProxyType(
    {
        "acl": (limits, _clause_needed),
        "advcl": (limits, _clause_needed),
        "advmod": (limits, _holds_negation, _adverb_needed),
        "amod": (limits, _holds_negation, _modifier_needed),
        "appos": (),
        "cc": (_link_needed,),
        "conj": (_holds_negation, _conjunct_needed),
        "det": (_determiner_needed,),
        "discourse": (limits,),
        "nmod": (limits, _holds_negation, _genitive_needed),
        "obl": (limits, _holds_negation, _oblique_needed),
        "parataxis": (limits,),
        "vocative": (),
    }
)


def is_needed(tree: Tree, number: int) -> bool:
    """Whether the subtree of a token must stay: a root, a core argument, a function word, or kept by a rule."""
    relation = tree.relation(number)
    if relation not in RULES or not tree.hangs(number):
        return True
    if relation in {"nmod", "obl"} and tree.isolated(number):
        return limits(tree, number) or bool(tree.child_words(number) & (ALTERNATIVES | {"и"}))
    return any(rule(tree, number) for rule in RULES[relation])


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
