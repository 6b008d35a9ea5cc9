"""What the rules that make sentences of clauses ask about a clause, its verb and its noun."""

from __future__ import annotations

from collections.abc import Collection

from rewrite.generators.edits.tree import Tree

__all__ = [
    "GENDERS",
    "SUBJECTS",
    "agrees",
    "balanced",
    "finite",
    "gender_of",
    "governor",
    "past",
    "pronoun",
    "rival",
    "short",
    "subjectless",
    "unique",
]

GENDERS = {"Masc": "masc", "Fem": "femn", "Neut": "neut"}
SUBJECTS = ("nsubj", "nsubj:pass")
_PRONOUNS = {"masc": "Он", "femn": "Она", "neut": "Оно", "plur": "Они"}
_AUXILIARIES = ("aux", "aux:pass", "cop")
_NAMED = ("flat", "flat:name", "appos")


def finite(tree: Tree, i: int) -> bool:
    """Whether i is a finite verb or a predicate with a copula."""
    return tree.tokens[i].feats.get("VerbForm") == "Fin" or tree.child(i, "cop") is not None


def short(tree: Tree, i: int) -> bool:
    """Whether i is a short participle: *построен*."""
    feats = tree.tokens[i].feats
    return feats.get("VerbForm") == "Part" and feats.get("Variant") == "Short"


def gender_of(tree: Tree, i: int) -> str | None:
    """`masc`, `femn`, `neut` or `plur` as the tagger has it."""
    feats = tree.tokens[i].feats
    return "plur" if feats.get("Number") == "Plur" else GENDERS.get(feats.get("Gender", ""))


def pronoun(tree: Tree, noun: int) -> str | None:
    """*Он, она, оно, они* for a noun, None where its gender is unknown."""
    gender = gender_of(tree, noun)
    return _PRONOUNS[gender] if gender is not None else None


def agrees(tree: Tree, verb: int, noun: int) -> bool:
    """Whether the predicate's number, and its gender where it shows, are those of the noun.

    *Нишапурцы пали и решили*: a subject that the tagger takes for a singular does not agree with *решили*.
    """
    other = tree.tokens[noun].feats
    parts = [verb, *(c for c in tree.children[verb] if tree.rels[c] in _AUXILIARIES)]
    return all(
        feats[k] == other.get(k)
        for feats in (tree.tokens[j].feats for j in parts if tree.tokens[j].pos in ("VERB", "AUX"))
        for k in ("Number", "Gender")
        if k in feats
    )


def balanced(tree: Tree, first: int, last: int) -> bool:
    """Whether the tokens hold both brackets of every pair: not *открытый в прошлом веке (рисунок*."""
    text = [token.text for token in tree.tokens[first : last + 1]]
    return text.count("(") == text.count(")")


def governor(tree: Tree, i: int) -> int:
    """The nearest predicate above i, else the root."""
    j = tree.heads[i]
    while j >= 0:
        if finite(tree, j) or short(tree, j):
            return j
        j = tree.heads[j]
    return tree.root


def past(tree: Tree, verb: int) -> bool:
    """Whether a predicate tells of the past: *изучали*, *был построен*; *построен* alone is a present state."""
    auxiliary = tree.child(verb, *_AUXILIARIES)
    if auxiliary is not None:
        return tree.tokens[auxiliary].feats.get("Tense") == "Past"
    return tree.tokens[verb].feats.get("Tense") == "Past" and not short(tree, verb)


def subjectless(tree: Tree, i: int) -> bool:
    """Whether i is a finite verb or a short participle with no subject of its own: *… и находился в лесу*."""
    predicate = finite(tree, i) or short(tree, i)
    return predicate and tree.rels[i] not in _AUXILIARIES and tree.child(i, *SUBJECTS, "csubj") is None


def _same_as(tree: Tree, noun: int, j: int) -> bool:
    """Whether j is the noun itself or a part of its name or title: *президент Иванов*."""
    if j == noun or (tree.heads[j] == noun and tree.rels[j] in _NAMED):
        return True
    case = tree.tokens[noun].feats.get("Case")
    return j in tree.subtree(noun) and tree.tokens[j].feats.get("Case") == case and tree.rels[j] != "conj"


def rival(tree: Tree, noun: int, clause: Collection[int]) -> bool:
    """Whether a pronoun for the subject `noun` could as well stand for another noun outside the clause.

    *Туризм развивается в Казахстане. Он …*: of an animate subject any animate noun or name of its number and gender
    is a rival, of an inanimate one any name. A noun before the subject always is, and so is every noun for the name of
    a thing: *Розо занимает положение на острове. Он является центром страны*.
    """
    feats = tree.tokens[noun].feats
    gender = gender_of(tree, noun)
    thing = feats.get("Animacy") != "Anim" or any(_called_thing(tree, j) for j in clause)
    place = tree.tokens[noun].pos == "PROPN" and thing
    for j, token in enumerate(tree.tokens):
        if token.pos not in ("NOUN", "PROPN") or gender_of(tree, j) != gender:
            continue
        if j in clause or _same_as(tree, noun, j):
            continue
        animate = feats.get("Animacy") == "Anim" and token.feats.get("Animacy") == "Anim"
        if place or animate or token.pos == "PROPN" or (j < noun and j not in tree.subtree(noun)):
            return True
    return False


def _called_thing(tree: Tree, j: int) -> bool:
    """Whether noun j says what the subject is or becomes, and is no person: *является центром*."""
    feats = tree.tokens[j].feats
    return tree.rels[j] == "xcomp" and feats.get("Case") == "Ins" and feats.get("Animacy") == "Inan"


def unique(tree: Tree, noun: int, clause: Collection[int]) -> bool:
    """Whether nothing else outside the clause has the number and gender of the noun.

    *Роман получил премию. Она …*; a word whose gender is unknown may have any.
    """
    gender = gender_of(tree, noun)
    return not any(
        token.pos in ("NOUN", "PROPN", "PRON", "X") and gender_of(tree, j) in (gender, None)
        for j, token in enumerate(tree.tokens)
        if j != noun and j not in clause
    )
