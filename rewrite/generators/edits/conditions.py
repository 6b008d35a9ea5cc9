"""Conditions under which an entry of the dictionary may replace a word: its flags, one by one (see `docs/edits.md`)."""

from __future__ import annotations

from collections.abc import Collection

from rewrite.generators.edits.lexicon import Entry
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["holds"]

_MODIFIERS = ("amod", "det")
_PEOPLE = frozenset("он она они я мы ты вы кто".split())
_SUBJECTS = ("nsubj", "nsubj:pass")


def holds(tree: Tree, i: int, entry: Entry, valency: Valency, part: str) -> bool:
    """Whether every flag of `entry` holds for token i, whose pymorphy3 part of speech is `part`."""
    return (
        _form(tree, i, entry.flags, part)
        and _aspect(tree, i, entry, valency, part)
        and _verb(tree, i, entry, valency)
        and _noun(tree, i, entry, valency)
        and _adjective(tree, i, entry, valency)
    )


def _form(tree: Tree, i: int, flags: Collection[str], part: str) -> bool:
    feats = tree.tokens[i].feats
    passive = part == "PRTS" or feats.get("Voice") == "Pass"
    plural = feats.get("Number") == "Plur"
    return not (
        ("notpart" in flags and part in ("PRTF", "PRTS"))
        or ("notpass" in flags and passive)
        or ("sg" in flags and plural)
        or ("pl" in flags and not plural)
    )


def _aspect(tree: Tree, i: int, entry: Entry, valency: Valency, part: str) -> bool:
    """`biasp`: a verb of both aspects (*исследовать*) is perfective in the past, imperfective in the present."""
    if "notneg" in entry.flags and i and tree.lower(i - 1) == "не":
        return False
    if "biasp" not in entry.flags:
        return True
    past = tree.tokens[i].feats.get("Tense") == "Past" or part == "PRTS"
    present = tree.tokens[i].feats.get("Tense") == "Pres"
    return past if valency.perfective(entry.replacement) else present


def _lemmas(tree: Tree, i: int, valency: Valency, *rels: str) -> set[str]:
    return {valency.lemma(tree.tokens[c]) for c in tree.children[i] if tree.rels[c] in rels}


def _among(found: Collection[str], wanted: Collection[str], banned: Collection[str]) -> bool:
    return (not wanted or bool(set(found) & set(wanted))) and not set(found) & set(banned)


def _prepositions(tree: Tree, i: int) -> set[str]:
    return {
        tree.lower(p)
        for c in tree.children[i]
        if tree.rels[c] in ("obl", "nmod", "iobj", "obl:agent")
        for p in tree.children[c]
        if tree.rels[p] == "case"
    }


def _verb(tree: Tree, i: int, entry: Entry, valency: Valency) -> bool:
    flags = entry.flags
    objects = _lemmas(tree, i, valency, "obj", "nsubj:pass")
    prepositions = _prepositions(tree, i)
    subject = tree.child(i, *_SUBJECTS)
    animate = subject is not None and (
        tree.tokens[subject].feats.get("Animacy") == "Anim" or tree.lower(subject) in _PEOPLE
    )
    infinitive = any(tree.tokens[c].feats.get("VerbForm") == "Inf" for c in tree.children[i])
    checks = [
        not ("noobj" in flags and objects),
        not ("hasobj" in flags and not objects),
        not ("anim" in flags and not animate),
        not ("inanim" in flags and animate),
        not ("noprep" in flags and prepositions),
        not ("inf" in flags and not infinitive),
        not ("noinf" in flags and infinitive),
        not ("ccomp" in flags and not _that_clause(tree, i)),
        _among(objects, entry.flag("obj"), entry.flag("notobj")),
        _among(prepositions, entry.flag("prep"), entry.flag("notprep")),
        _among(_lemmas(tree, i, valency, *_SUBJECTS), entry.flag("subj"), ()),
    ]
    return all(checks)


def _that_clause(tree: Tree, i: int) -> bool:
    return i + 2 < len(tree) and tree.tokens[i + 1].text == "," and tree.lower(i + 2) == "что"


def _noun(tree: Tree, i: int, entry: Entry, valency: Valency) -> bool:
    flags = entry.flags
    genitive = any(
        tree.rels[c] == "nmod" and tree.tokens[c].feats.get("Case") == "Gen" and tree.child(c, "case") is None
        for c in tree.children[i]
    )
    adjectives = _lemmas(tree, i, valency, *_MODIFIERS)
    checks = [
        not ("gen" in flags and not genitive),
        not ("nogen" in flags and genitive),
        not ("noadj" in flags and adjectives),
        _among(adjectives, entry.flag("adj"), entry.flag("notadj")),
    ]
    return all(checks)


def _adjective(tree: Tree, i: int, entry: Entry, valency: Valency) -> bool:
    flags = entry.flags
    attributive = tree.rels[i] in _MODIFIERS
    head = tree.heads[i]
    noun = {valency.lemma(tree.tokens[head])} if head >= 0 and attributive else set()
    checks = [
        not ("attr" in flags and not attributive),
        not ("pred" in flags and attributive),
        _among(noun, entry.flag("noun"), entry.flag("notnoun")),
    ]
    return all(checks)
