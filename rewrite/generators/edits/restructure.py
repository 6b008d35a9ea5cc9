"""Clauses made sentences of their own, and *является* made a dash."""

from __future__ import annotations

from collections.abc import Iterator

from rewrite.generators.edits.clauses import (
    GENDERS,
    SUBJECTS,
    agrees,
    balanced,
    finite,
    gender_of,
    governor,
    past,
    pronoun,
    rival,
    subjectless,
    unique,
)
from rewrite.generators.edits.coordinated import coordinated
from rewrite.generators.edits.edit import Clause, Edit
from rewrite.generators.edits.inflect import Inflector, match_case
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["restructurings"]

_RELATIVE = {"который": "masc", "которая": "femn", "которое": "neut", "которые": "plur"}
_THESE = {"masc": "Этот", "femn": "Эта", "neut": "Это", "plur": "Эти"}
_SHORTEST = 3
_ONE_OF = frozenset({"одним", "одной"})
# Prepositions that deny their noun.
_WITHOUT = frozenset({"без", "вместо", "кроме"})


def restructurings(tree: Tree, inflector: Inflector, valency: Valency) -> Iterator[Edit]:
    """Every split and every copula that this sentence offers."""
    for i in range(len(tree)):
        rel = tree.rels[i]
        if rel == "acl:relcl":
            yield from _relative(tree, i, inflector)
        elif rel == "acl":
            yield from _participle(tree, i, inflector)
        elif rel in ("conj", "parataxis") and tree.heads[i] == tree.root:
            yield from coordinated(tree, i, valency)
        if valency.lemma(tree.tokens[i]) == "являться":
            yield from _copula(tree, i, inflector)


def _lead(tree: Tree, head: int, clause: range, inflector: Inflector) -> str | None:
    """A subject for a sentence about the noun `head`, made of the tokens of `clause`.

    A pronoun for the main subject and wherever nothing else has the noun's gender, else *этот* with the noun:
    *получил премию. Она …*, *подарил городу дом. Этот дом …*.
    """
    token = tree.tokens[head]
    gender = gender_of(tree, head)
    if gender in (None, "plur") or tree.limited(head):
        # «Компании, которые …»: a clause on a bare plural, a superlative or an ordinal says which ones are meant.
        return None
    if (
        _denied(tree, head)
        or tree.rels[head] in ("conj", "appos")
        or any(tree.rels[c] == "conj" for c in tree.children[head])
    ):
        return None
    if tree.rels[head] in SUBJECTS and tree.heads[head] == tree.root and not rival(tree, head, clause):
        return pronoun(tree, head)
    if token.pos != "NOUN" or tree.start_in_entity(head) is not None or token.text[:1].isupper():
        return None
    if any(tree.rels[c] in ("det", "nummod", "nummod:gov", "appos", "flat", "flat:name") for c in tree.children[head]):
        return None
    # Without a subject in the main sentence the pronoun would be taken for the one that it leaves unsaid.
    if tree.child(tree.root, *SUBJECTS) is not None and unique(tree, head, clause):
        return pronoun(tree, head)
    noun = inflector.to_case(token, "Nom")
    return f"{_THESE[gender]} {noun.lower()}" if noun else None


def _denied(tree: Tree, noun: int) -> bool:
    """Whether there is no such thing to tell more about: *без дома*, *не дом*, *не имел дома*."""
    if any(tree.lower(c) in _WITHOUT | {"не", "ни"} for c in tree.children[noun]):
        return True
    first = tree.words(noun)[0]
    if first and tree.lower(first - 1) in _WITHOUT | {"не", "ни", "нет"}:
        return True
    above = tree.heads[noun]
    if above < 0 or tree.tokens[noun].feats.get("Case") != "Gen":
        return False
    return tree.lower(above) == "нет" or any(tree.lower(c) == "не" for c in tree.children[above])


def _clause_span(tree: Tree, i: int) -> tuple[int, int] | None:
    words = tree.words(i)
    if not tree.contiguous(i) or words[0] == 0 or tree.tokens[words[0] - 1].text != "," or len(words) <= _SHORTEST:
        return None
    after = words[-1] + 1
    if after < len(tree) and (tree.tokens[after].pos != "PUNCT" or tree.tokens[after].text == "("):
        return None
    if not balanced(tree, words[0], words[-1]):
        return None
    if any(tree.quote_depth(j) != tree.quote_depth(words[0]) for j in words):
        return None
    return words[0], words[-1]


def _relative(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    span = _clause_span(tree, i)
    head = tree.heads[i]
    if span is None or not finite(tree, i) or span[0] <= head:
        return
    first = span[0]
    gender = _RELATIVE.get(tree.lower(first))
    subject = tree.child(i, *SUBJECTS)
    if gender is None or (subject is not None and subject != first) or gender != gender_of(tree, head):
        return
    if not agrees(tree, i, head):
        # «Завод, который построили»: the relative word is the object.
        return
    lead = _lead(tree, head, range(first, span[1] + 1), inflector)
    if lead:
        yield Edit(
            "split",
            f"«{tree.tokens[first].text} …» → отдельное предложение",
            i,
            touched=frozenset({first}),
            clause=Clause(first + 1, span[1], lead),
        )


def _participle(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    span = _clause_span(tree, i)
    head = tree.heads[i]
    token = tree.tokens[i]
    if span is None or span[0] != i or i <= head or token.feats.get("Case") != tree.tokens[head].feats.get("Case"):
        return
    if token.feats.get("Number") != tree.tokens[head].feats.get("Number"):
        return
    if any(tree.rels[c] == "conj" and tree.tokens[c].feats.get("VerbForm") == "Part" for c in tree.children[i]):
        return
    if inflector.present(token) and past(tree, governor(tree, head)):
        # «В 1999 году был запланирован вариант. Он снимается …»
        return
    verb = inflector.finite(token, gender_of(tree, head))
    lead = _lead(tree, head, range(i, span[1] + 1), inflector)
    if verb and lead:
        yield Edit(
            "split",
            f"«{token.text} …» → отдельное предложение",
            i,
            changes=((i, verb),),
            touched=frozenset({i}),
            clause=Clause(i, span[1], lead),
        )


def _copula(tree: Tree, i: int, inflector: Inflector) -> Iterator[Edit]:
    """*X является Y* → *X — Y*: the predicate goes from the instrumental to the nominative."""
    token = tree.tokens[i]
    if token.feats.get("Tense") != "Pres" or token.feats.get("VerbForm") != "Fin" or i in (0, len(tree) - 1):
        return
    if any(tree.rels[c] in ("advmod", "aux", "mark") for c in tree.children[i]) or tree.rels[i] not in (
        "root",
        "conj",
        "parataxis",
    ):
        return
    if any(_goes_on(tree, i, j) for j in range(i + 1, len(tree))):
        return
    subject = tree.child(i, *SUBJECTS)
    predicates = [
        c
        for c in tree.children[i]
        if tree.tokens[c].feats.get("Case") == "Ins"
        and (tree.tokens[c].pos == "NOUN" or tree.lower(c) in _ONE_OF)
        and tree.child(c, "case") is None
    ]
    if subject is None or len(predicates) != 1 or tree.tokens[subject].pos not in ("NOUN", "PROPN"):
        return
    predicate = predicates[0]
    left, right = sorted((subject, predicate))
    # Only *X является Y* with nothing else around the verb: the dash must stand between the two.
    if not left < i < right or max(tree.words(left)) != i - 1 or min(tree.words(right)) != i + 1:
        return
    changes = _one_of(tree, predicate) or inflector.recase_phrase(tree, predicate, "Ins", "Nom")
    if changes is None:
        return
    if any(_left_behind(tree, i, j, predicate, inflector) for j in range(i + 1, len(tree)) if j not in changes):
        return
    # «Это» suits things; of people the dash alone is said.
    dash = "—" if tree.tokens[subject].feats.get("Animacy") == "Anim" else "— это"
    changes[i] = dash
    yield Edit(
        "copula",
        f"{token.text} → {dash}",
        changes=tuple(sorted(changes.items())),
        touched=frozenset(changes) | {subject},
    )


def _left_behind(tree: Tree, i: int, j: int, predicate: int, inflector: Inflector) -> bool:
    """A participle that may keep the instrumental of the predicate: *является отраслью города, приносящей доход*."""
    token = tree.tokens[j]
    return (
        tree.lower(j - 1) == ","
        and governor(tree, j) == i
        and inflector.participle(token)
        and inflector.agrees(token, tree.tokens[predicate])
    )


def _goes_on(tree: Tree, i: int, j: int) -> bool:
    """Whether verb j goes on with the subject of verb i: *Туризм является отраслью и растёт*."""
    while subjectless(tree, j) and tree.rels[j] == "conj":
        j = tree.heads[j]
        if j == i:
            return True
    return False


def _one_of(tree: Tree, i: int) -> dict[int, str]:
    """*Одним из показателей* → *один из показателей*; empty for anything else."""
    if tree.lower(i) not in _ONE_OF or i + 1 >= len(tree) or tree.lower(i + 1) != "из":
        return {}
    member = next((c for c in tree.children[i] if tree.tokens[c].feats.get("Case") == "Gen"), None)
    if member is None:
        return {}
    gender = GENDERS.get(tree.tokens[member].feats.get("Gender", ""), "femn" if tree.lower(i) == "одной" else "masc")
    return {i: match_case({"masc": "один", "femn": "одна", "neut": "одно"}[gender], tree.tokens[i].text)}
