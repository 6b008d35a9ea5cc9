"""What the rules of this folder ask about a clause, its verb and its noun, and the words that they look for."""

from __future__ import annotations

from pathlib import Path

from rerank.wordlists import WordLists
from rewrite.generators.edits.repaired_tree import RepairedTree

LISTS = WordLists(Path(__file__).with_name("ru.txt"))
GENDERS = {"Masc": "masc", "Fem": "femn", "Neut": "neut"}
SUBJECTS = ("nsubj", "nsubj:pass")
PRONOUNS = {"masc": "Он", "femn": "Она", "neut": "Оно", "plur": "Они"}
_AUXILIARIES = ("aux", "aux:pass", "cop")


def finite(tree: RepairedTree, i: int) -> bool:
    """Whether i is a finite verb or a predicate with a copula."""
    return tree.tokens[i].feats.get("VerbForm") == "Fin" or tree.child(i, "cop") is not None


def short(tree: RepairedTree, i: int) -> bool:
    """Whether i is a short participle: *построен*."""
    feats = tree.tokens[i].feats
    return feats.get("VerbForm") == "Part" and feats.get("Variant") == "Short"


def gender_of(tree: RepairedTree, i: int) -> str | None:
    """`masc`, `femn`, `neut` or `plur` as the tagger has it."""
    feats = tree.tokens[i].feats
    return "plur" if feats.get("Number") == "Plur" else GENDERS.get(feats.get("Gender", ""))


def pronoun(tree: RepairedTree, noun: int) -> str | None:
    """*Он, она, оно, они* for a noun, None where its gender is unknown."""
    gender = gender_of(tree, noun)
    return PRONOUNS[gender] if gender is not None else None


def agrees(tree: RepairedTree, verb: int, noun: int) -> bool:
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


def governor(tree: RepairedTree, i: int) -> int:
    """The nearest predicate above i, else the root."""
    j = tree.heads[i]
    while j >= 0:
        if finite(tree, j) or short(tree, j):
            return j
        j = tree.heads[j]
    return tree.root


def past(tree: RepairedTree, verb: int) -> bool:
    """Whether a predicate tells of the past: *изучали*, *был построен*; *построен* alone is a present state."""
    auxiliary = tree.child(verb, *_AUXILIARIES)
    if auxiliary is not None:
        return tree.tokens[auxiliary].feats.get("Tense") == "Past"
    return tree.tokens[verb].feats.get("Tense") == "Past" and not short(tree, verb)


def subjectless(tree: RepairedTree, i: int) -> bool:
    """Whether i is a finite verb or a short participle with no subject of its own: *… и находился в лесу*."""
    predicate = finite(tree, i) or short(tree, i)
    return predicate and tree.rels[i] not in _AUXILIARIES and tree.child(i, *SUBJECTS, "csubj") is None
