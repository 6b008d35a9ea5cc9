"""Plainer constructions in the same place: *имеющий* → *который имеет*, *X — Y* → *X — это Y*."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.analysis import Token
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.inflect import Inflector, match_case
from rewrite.generators.edits.places import countries, roman_centuries
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency
from rewrite.generators.edits.voice import active_voice

__all__ = ["constructions"]

_WHICH = {"masc": "который", "femn": "которая", "neut": "которое", "plur": "которые"}
_GENDERS = {"Masc": "masc", "Fem": "femn", "Neut": "neut"}
_DASHES = ("—", "–", "-")


def constructions(tree: Tree, inflector: Inflector, valency: Valency) -> Iterator[Edit]:
    """Every plainer construction that this sentence offers."""
    yield from active_voice(tree, inflector)
    yield from countries(tree, valency)
    yield from roman_centuries(tree, valency)
    for i in range(len(tree)):
        if tree.rels[i] == "acl" and tree.tokens[i].feats.get("VerbForm") == "Part":
            yield from _relative_clause(tree, i, inflector)
        if tree.rels[i] in ("amod", "acl") and tree.tokens[i].feats.get("VerbForm") == "Part":
            yield from _moved_clause(tree, i, inflector)
        if tree.tokens[i].text in _DASHES:
            yield from _this_is(tree, i)
        if tree.lower(i) == "наиболее":
            yield from _superlative(tree, i, inflector)
        if i == 0 and tree.lower(i) in ("существует", "существуют"):
            text = match_case("есть", tree.tokens[i].text)
            yield Edit("word", f"{tree.tokens[i].text} → {text}", changes=((i, text),), touched=frozenset({i}))


def _relative_clause(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """A participial clause after its noun as a relative clause: *выпускающий …* → *который выпускает …*."""
    head = tree.heads[i]
    words = tree.words(i)
    token, noun = tree.tokens[i], tree.tokens[head]
    if (
        words[0] != i
        or i <= head
        or len(words) < 2
        or tree.tokens[i - 1].text != ","
        or noun.pos not in ("NOUN", "PROPN")
    ):
        return
    if any(tree.rels[c] in ("conj", "cc") for c in tree.children[i]) or tree.rels[head] == "conj":
        return
    if any(_alike(tree.tokens[j], noun) for j in range(head + 1, i)):
        # «Народ, говорящий на языке, исповедующий ислам»: «который» would go with the nearer noun.
        return
    if not agrees(token, noun):
        return
    gender = "plur" if noun.feats.get("Number") == "Plur" else _GENDERS.get(noun.feats.get("Gender", ""))
    verb = inflector.finite(token, gender)
    if verb is None or gender is None:
        return
    was = _was(tree, token, gender, inflector)
    text = f"{_WHICH[gender]} {was}{verb}"
    yield Edit("clause", f"{token.text} → {text}", changes=((i, text),), touched=frozenset({i}))


def _alike(token: Token, noun: Token) -> bool:
    if token.pos not in ("NOUN", "PROPN") or token.feats.get("Number") != noun.feats.get("Number"):
        return False
    return noun.feats.get("Number") == "Plur" or token.feats.get("Gender") == noun.feats.get("Gender")


def _was(tree: Tree, token: Token, gender: str, inflector: Inflector) -> str:
    """*Был построен* beside a main verb in the past, else *построен*."""
    if tree.tokens[tree.root].feats.get("Tense") != "Past" or not inflector.passive(token):
        return ""
    return {"masc": "был ", "femn": "была ", "neut": "было ", "plur": "были "}[gender]


def _moved_clause(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """A participle with dependents before its noun: *найденных там монет* → *монет, которые найдены там*."""
    head = tree.heads[i]
    words = tree.words(i)
    token, noun = tree.tokens[i], tree.tokens[head]
    if not (len(words) >= 3 and words[0] == i and words[-1] < head and tree.contiguous(i)) or noun.pos != "NOUN":
        return
    if (
        any(t.pos == "PUNCT" for t in tree.tokens[i:head])
        or tree.quote_depth(head)
        or tree.start_in_entity(head) is not None
    ):
        return
    if not agrees(token, noun) or any(tree.rels[c] in ("conj", "cc") for c in tree.children[i]):
        return
    # The clause must follow its noun at once: nothing of the noun phrase may come after it.
    if tree.words(head)[-1] != head or tree.rels[head] == "conj":
        return
    gender = "plur" if noun.feats.get("Number") == "Plur" else _GENDERS.get(noun.feats.get("Gender", ""))
    verb = inflector.finite(token, gender)
    if verb is None or gender is None:
        return
    verb = f"{_was(tree, token, gender, inflector)}{verb}"
    rest = tree.text[tree.tokens[i].stop - tree.start : tree.tokens[words[-1]].stop - tree.start]
    end = "" if head + 1 >= len(tree) or tree.tokens[head + 1].pos == "PUNCT" else ","
    changes = dict.fromkeys(words, "")
    changes[head] = f"{noun.text}, {_WHICH[gender]} {verb}{rest}{end}"
    yield Edit(
        "clause",
        f"{token.text} → {_WHICH[gender]} {verb}",
        changes=tuple(sorted(changes.items())),
        touched=frozenset(changes),
    )


def agrees(token: Token, noun: Token) -> bool:
    """Same case and number, and gender in the singular."""
    if any(token.feats.get(k) != noun.feats.get(k) for k in ("Case", "Number")):
        return False
    return token.feats.get("Number") == "Plur" or token.feats.get("Gender") == noun.feats.get("Gender")


def _this_is(tree: Tree, i: int) -> Iterator[Edit]:
    """*Кометы — малые тела* → *Кометы — это малые тела*, where a noun in the nominative is the predicate."""
    if any(t.feats.get("VerbForm") == "Fin" for t in tree.tokens) or i < 1 or i + 1 >= len(tree):
        return
    if sum(t.text in _DASHES for t in tree.tokens) != 1 or any(
        tree.lower(j) in ("это", "не", "ни") for j in range(i + 1, min(i + 3, len(tree)))
    ):
        return
    before = [
        j for j in range(i) if tree.tokens[j].pos in ("NOUN", "PROPN") and tree.tokens[j].feats.get("Case") == "Nom"
    ]
    predicate = next((j for j in range(i + 1, len(tree)) if tree.tokens[j].pos in ("NOUN", "PROPN")), None)
    if (
        not before
        or predicate is None
        or tree.tokens[predicate].feats.get("Case") != "Nom"
        or tree.child(predicate, "case")
    ):
        return
    if (
        any(tree.tokens[j].feats.get("Animacy") == "Anim" for j in before)
        or tree.tokens[i + 1].pos == "ADP"
        or tree.quote_depth(i)
    ):
        return
    yield Edit("copula", "— → — это", changes=((i, "— это"),), touched=frozenset({i}))


def _superlative(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """*Наиболее распространённых* → *самых распространённых*."""
    if i + 1 >= len(tree) or tree.tokens[i + 1].pos not in ("ADJ", "VERB") or "Case" not in tree.tokens[i + 1].feats:
        return
    form = inflector.like(tree.tokens[i + 1], "самый") or inflector.superlative(tree.tokens[i + 1])
    if form:
        text = match_case(form.lower(), tree.tokens[i].text)
        yield Edit("word", f"{tree.tokens[i].text} → {text}", changes=((i, text),), touched=frozenset({i}))
