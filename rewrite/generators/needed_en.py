"""Which parts of an English clause its grammar or its meaning cannot spare, and what goes only together with something.

Each rule is a function of the parse (Universal Dependencies) and a token: whether the subtree of that token must stay.
They are meant to err on the side of keeping, as those for Russian in `rewrite.generators.needed`. `ENGLISH` has the
words and rules for `rewrite.generators.ties`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from rerank.tree import Tree
from rerank.wordlists import WordLists, denials
from rewrite.generators.ties import CONDITIONS, GRAMMAR, Test, Ties, with_head

LISTS = WordLists(Path(__file__).with_name("en.txt"))
# Words that set how far a statement holds.
LIMITS = LISTS.words("limits")
QUESTIONS = frozenset("how when where why who whom whose what which that whatever whenever wherever whichever".split())
_CONDITIONS = LISTS.words("conditions")
_ANYWHERE = frozenset({"if", "unless", "whether", "without", "lest"})
# With a verb in the present these are conditions: *when items are sold*, beside *when he was young*.
_WHENEVER = frozenset({"when", "whenever", "where", "wherever", "as"})
_MODALS = frozenset({"can", "must", "should", "may", "will", "shall", "need"})
# Nouns that say little without what depends on them.
EMPTY_NOUNS = LISTS.words("empty nouns")
_ACTION_ENDINGS = ("tion", "sion", "ment", "ance", "ence", "ing", "ings", "tions", "sions", "ments", "ness", "ity")
# Prepositions whose phrase tells a circumstance more often than what the verb calls for.
_LOOSE = LISTS.words("loose")
_TIED_TO_NOUNS = frozenset({"of", "between", "than", "as", "per", "to", "without", "against", "versus", "about"})
_COMPLEMENTS = frozenset({"obj", "iobj", "obl", "xcomp", "ccomp", "csubj"})
CONTRASTS = frozenset({"but", "or", "nor", "yet", "rather", "instead"})
_COMPARED = frozenset({"than", "as"})
_NEGATIONS = denials("en", "particle")
_LINKS = frozenset({"or", "nor", "both", "either", "neither", "between"})
_PHRASES = frozenset({"nmod", "obl", "acl", "advcl", "advmod"})


def _limits(tree: Tree, number: int) -> bool:
    """A word that limits the statement, or with one among its own."""
    words = tree.child_words(number, "advmod", "det", "amod", "case", "mark", "cc", "nummod")
    return tree.word(number) in LIMITS or bool((words - {"at", "up", "over", "under", "as", "all"}) & LIMITS)


def _is_predicate(tree: Tree, number: int) -> bool:
    """What is said of a subject is often in the modifier: *a good man*."""
    rels = {tree.tokens[child].rel for child in tree.children[number]}
    return bool(rels & {"cop", "nsubj", "nsubj:pass"}) or tree.tokens[number].rel in {"root", "xcomp"}


def _modifier_needed(tree: Tree, number: int) -> bool:
    """An adjective that is part of a name, of a predicate or of a noun that says little alone; a superlative."""
    token, head = tree.tokens[number], tree.head(number)
    if head.pos in {"PROPN", "PRON", "NUM"} or token.text[:1].isupper() or head.text.lower() in EMPTY_NOUNS:
        return True
    if token.feats.get("Degree") in {"Sup", "Cmp"} or token.feats.get("NumType") == "Ord":
        return True
    return number > token.head or _is_predicate(tree, token.head)


def _noun_phrase_needed(tree: Tree, number: int) -> bool:
    """A phrase that completes its noun: of something, or of what a noun of action is about."""
    token = tree.tokens[number]
    head = tree.word(token.head)
    prepositions = tree.child_words(number, "case")
    if token.rel != "nmod" or not prepositions:
        return not tree.isolated(number)
    if prepositions & _TIED_TO_NOUNS or head in EMPTY_NOUNS or tree.head(number).pos in {"PRON", "DET", "NUM", "ADJ"}:
        return True
    return head.endswith(_ACTION_ENDINGS) and not prepositions <= _LOOSE


def _oblique_needed(tree: Tree, number: int) -> bool:
    """What a verb needs: the only thing it has beside its subject, or a phrase with a preposition of its own."""
    token = tree.tokens[number]
    if token.rel == "obl:unmarked":
        return tree.head(number).pos not in {"VERB", "AUX"}
    if tree.isolated(number) or number < token.head:
        return False
    others = tree.beside(number)
    if token.rel == "obl:agent":
        return not others & _COMPLEMENTS
    if number == token.head + 2 and token.pos == "NOUN":  # *fall in love*, *be at work*
        return True
    prepositions = tree.child_words(number, "case")
    complete = others & _COMPLEMENTS or tree.child_words(token.head, "aux:pass", "cop")
    return not (prepositions and prepositions <= _LOOSE and complete)


def _adverb_needed(tree: Tree, number: int) -> bool:
    """A question word, a particle after its verb, a measure of a number or adjective, all that a verb has."""
    token, head = tree.tokens[number], tree.head(number)
    if tree.word(number) in QUESTIONS or token.feats.get("PronType") in {"Rel", "Int", "Neg"}:
        return True
    if head.pos not in {"VERB", "AUX", "ADJ", "ADV"} and not bool(tree.child_words(token.head, "cop")):
        return True
    if number < token.head or tree.isolated(number):
        return False
    others = tree.beside(number)
    return not tree.word(number).endswith("ly") or not others & _COMPLEMENTS


def _clause_needed(tree: Tree, number: int) -> bool:
    """A condition or comparison, and a clause that commas do not part from what it belongs to, unless a verb's."""
    marks = tree.child_words(number, "mark", "case", "advmod")
    if marks & (_CONDITIONS | {"as"}) or is_condition(tree, number):
        return True
    if tree.isolated(number):
        return False
    others = tree.beside(number)
    return "to" in marks or not marks or not others & _COMPLEMENTS


def is_condition(tree: Tree, number: int) -> bool:
    """Whether a clause or phrase says under what condition the rest holds, or for what purpose to do it.

    *If …*, *unless …*, *without …*, *had he …*; *when* and *where* with a verb in the present; before an order or a
    rule *to …*.
    """
    numbers = [n for n in tree.subtree(number) if tree.tokens[n].pos != "PUNCT"]
    if tree.tokens[number].rel.startswith(("acl", "nmod", "appos")):
        return bool({tree.word(n) for n in numbers[:2]} & _ANYWHERE)  # others say which one it is
    first = [tree.word(n) for n in numbers[:2]]
    if set(first) & _CONDITIONS or _is_inverted(tree, number, numbers):
        return True
    verbs = [number, *(c for c in tree.children[number] if tree.tokens[c].rel.startswith(("aux", "cop")))]
    if first and first[0] in _WHENEVER:
        in_present = any(tree.tokens[n].feats.get("Tense") == "Pres" for n in verbs)
        return in_present or bool(_MODALS & {*map(tree.word, verbs)})
    return first in (["in", "order"], ["so", "as"]) or (first[:1] == ["to"] and _opens_instruction(tree, number))


def _is_inverted(tree: Tree, number: int, numbers: list[int]) -> bool:
    """*Had he known*, *were it so*, *should it rain*: the verb before its subject, no mark.

    Before its main clause nothing else begins so, whatever the parse makes of the subject.
    """
    if not numbers or tree.word(numbers[0]) not in {"had", "were", "should"}:
        return False
    subjects = [c for c in tree.children[number] if tree.tokens[c].rel.startswith("nsubj")]
    return number < tree.tokens[number].head or bool(subjects and subjects[0] > numbers[0])


def _opens_instruction(tree: Tree, number: int) -> bool:
    """Whether a clause that opens its sentence stands before an order, or before what one may or must do."""
    head = tree.tokens[number].head
    if number > head:
        return False
    subjects = [c for c in tree.children[head] if tree.tokens[c].rel.startswith("nsubj")]
    return not subjects or bool(tree.child_words(head, "aux") & _MODALS)


def _noun_clause_needed(tree: Tree, number: int) -> bool:
    """A clause that says which one or what: *the plan to leave*, *the claim that …*, *the man who …*, *those who …*."""
    if tree.isolated(number):
        return False
    token, head = tree.tokens[number], tree.head(number)
    if head.pos in {"PRON", "DET", "NUM", "ADJ"} or head.text.lower() in EMPTY_NOUNS:
        return True
    if token.rel == "acl" and (tree.child_words(number, "mark") or token.feats.get("VerbForm") == "Inf"):
        return True
    definite = tree.child_words(token.head, "det") & {"the", "those", "that", "any", "every", "all", "no", "this"}
    return bool(definite) or _is_predicate(tree, token.head)


def _conjunct_needed(tree: Tree, number: int) -> bool:
    """A part of a subject, an alternative, a contrast, one of two that belong together, or another kind of word."""
    token = tree.tokens[number]
    first = tree.head(number)
    nominal = {"NOUN", "PROPN"}
    if token.pos != first.pos and not (token.pos in nominal and first.pos in nominal):
        return True
    siblings = [c for c in tree.children[token.head] if tree.tokens[c].rel == "conj"]
    if number != siblings[-1] and not any(tree.child_words(c, "cc") for c in siblings if c != number):
        return True
    links = tree.child_words(number, "cc", "advmod") | tree.child_words(token.head, "cc:preconj", "case", "det")
    return bool(links & (CONTRASTS | {"between", "both", "either", "neither", "not"}))


def in_subject(tree: Tree, number: int) -> bool:
    """Whether the verb agrees with this list."""
    return tree.tokens[number].rel.startswith("nsubj")


def _link_needed(tree: Tree, number: int) -> bool:
    """A conjunction that joins anything to a part of its own sentence."""
    return number != tree.kept[0]


RULES: Mapping[str, tuple[Test, ...]] = MappingProxyType(
    {
        "acl": (_noun_clause_needed,),
        "advcl": (_clause_needed,),
        "advmod": (_limits, _adverb_needed),
        "amod": (_limits, _modifier_needed),
        "cc": (_link_needed,),
        "conj": (_conjunct_needed,),
        "discourse": (_limits,),
        "nmod": (_limits, _noun_phrase_needed),
        "obl": (_limits, _oblique_needed),
        "reparandum": (),
        "vocative": (),
    }
)
_NEVER = frozenset({"nmod:poss", "nmod:desc", "cc:preconj"})


def is_needed(tree: Tree, number: int) -> bool:
    """Whether the subtree of a token must stay: a root, a core argument, a function word, or kept by a rule."""
    relation = tree.relation(number)
    if relation not in RULES or tree.tokens[number].rel in _NEVER or not tree.hangs(number):
        return True
    return any(rule(tree, number) for rule in RULES[relation])


def _opens(tree: Tree, number: int) -> bool:
    """Whether a token opens a question or a relative clause; *that* also points: *he did that*, *that house*."""
    token = tree.tokens[number]
    if token.pos == "DET" or tree.word(number) not in QUESTIONS:
        return False
    return tree.word(number) != "that" or token.rel == "mark" or token.feats.get("PronType") == "Rel"


def _says_which(tree: Tree, number: int) -> bool:
    """A word that says which or how far, and what may be a gerund with its object: *growing cactus takes long*."""
    phrase = tree.subtree(tree.tokens[number].head)
    gerund = tree.word(number).endswith("ing") and tree.tokens[number].pos == "VERB" and phrase[0] == number
    return tree.word(number) in LIMITS or (gerund and tree.tokens[number].rel == "amod")


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
def _complement(ties: Ties, tree: Tree, number: int) -> bool:
    """A phrase or clause that completes the word on which it hangs."""
    return tree.relation(number) in _PHRASES and is_needed(tree, number)


@with_head
def _filling(ties: Ties, tree: Tree, number: int) -> bool:
    """What kind of place, way or thing it is: *in a safe place* says more than *in a place*; and an adjective right
    after its noun: *attorney general*.
    """
    token = tree.tokens[number]
    empty = token.rel in {"amod", "compound"} and tree.word(token.head) in EMPTY_NOUNS
    return empty or (token.rel == "amod" and number == token.head + 1)


ENGLISH = Ties(
    asks=_opens,
    in_subject=in_subject,
    limits=_says_which,
    is_condition=is_condition,
    negations=_NEGATIONS,
    denials=_NEGATIONS | {"never"},
    links=_LINKS | CONTRASTS,
    only=LISTS.words("only"),
    pronouns=LISTS.words("pronouns"),
    no=frozenset({"no", "neither"}),
    articles=frozenset({"a", "an", "the"}),
    grammar=(*GRAMMAR, _comparison, _measure),
    conditions=CONDITIONS,
    complements=(_complement, _filling),
)
