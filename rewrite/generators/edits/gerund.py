"""Adverbial participles made predicates: *опасаясь бури, он вернулся* → *он опасался бури. Он вернулся*."""

from __future__ import annotations

from collections.abc import Iterator

from rewrite.generators.edits.clauses import SUBJECTS, balanced, pronoun, rival
from rewrite.generators.edits.edit import Clause, Edit
from rewrite.generators.edits.inflect import Inflector
from rewrite.generators.edits.tree import Tree

__all__ = ["gerund_splits"]

_LONGEST_SUBJECT = 5
_QUOTES = frozenset('«»„“”"')
# Prepositions and set phrases by now: *благодаря*, *начиная с*, *судя по*.
_NOT_GERUNDS = frozenset(
    "благодаря начиная судя исходя несмотря невзирая включая исключая не заканчивая говоря учитывая считая".split()
)


def gerund_splits(tree: Tree, inflector: Inflector) -> Iterator[Edit]:
    """Gerund clauses at either end of a sentence with a noun for its subject."""
    root = tree.root
    subject = tree.child(root, *SUBJECTS)
    if (
        subject is None
        or tree.tokens[root].feats.get("VerbForm") != "Fin"
        or tree.tokens[subject].pos not in ("NOUN", "PROPN")
    ):
        return
    if tree.tokens[root].feats.get("Number") != tree.tokens[subject].feats.get("Number"):
        # «Большинство … решили»: the pronoun could not be in two numbers.
        return
    if any(tree.rels[c] == "conj" for c in tree.children[subject]) or tree.child(root, "mark") is not None:
        return
    for i in tree.children[root]:
        token = tree.tokens[i]
        if token.feats.get("VerbForm") != "Conv" or tree.lower(i) in _NOT_GERUNDS or not tree.contiguous(i):
            continue
        words = tree.words(i)
        if len(words) < 2 or words[0] != i or any(tree.rels[c] == "conj" for c in tree.children[i]):
            continue
        verb = inflector.finite_gerund(token, tree.tokens[root], tree.tokens[subject])
        if verb is None or tree.child(i, "nsubj") is not None or _quoted(tree, words):
            continue
        if not balanced(tree, words[0], words[-1]):
            continue
        if words[0] == 0:
            yield from _leading(tree, i, subject, verb, words)
        elif (
            i > root and tree.tokens[i - 1].text == "," and all(t.pos == "PUNCT" for t in tree.tokens[words[-1] + 1 :])
        ):
            yield from _trailing(tree, i, subject, verb, inflector)


def _quoted(tree: Tree, words: list[int]) -> bool:
    """Whether quotation marks stand among or around the words: *издав роман «Мать»*."""
    around = range(max(0, words[0] - 1), min(len(tree), words[-1] + 2))
    return any(tree.tokens[j].text in _QUOTES for j in around)


def _leading(tree: Tree, i: int, subject: int, verb: str, words: list[int]) -> Iterator[Edit]:
    noun_phrase = tree.words(subject)
    he = pronoun(tree, subject)
    if he is None or len(noun_phrase) > _LONGEST_SUBJECT or not tree.contiguous(subject) or noun_phrase[0] < words[-1]:
        return
    if _quoted(tree, noun_phrase):
        return
    if any(t.pos in ("NOUN", "PROPN") for t in tree.tokens[words[-1] + 1 : noun_phrase[0]]):
        return
    first, last = tree.tokens[noun_phrase[0]], tree.tokens[noun_phrase[-1]]
    lead = tree.text[first.start - tree.start : last.stop - tree.start]
    changes = dict.fromkeys(range(noun_phrase[0], noun_phrase[-1] + 1), "")
    changes[noun_phrase[0]] = he.lower()
    changes[i] = verb
    yield Edit(
        "split",
        f"«{tree.tokens[i].text} …» → отдельное предложение",
        i,
        changes=tuple(sorted(changes.items())),
        touched=frozenset(changes),
        clause=Clause(i, words[-1], lead, before=True),
    )


def _trailing(tree: Tree, i: int, subject: int, verb: str, inflector: Inflector) -> Iterator[Edit]:
    words = tree.words(i)
    he = pronoun(tree, subject)
    if he is None or subject > tree.root:
        return
    if rival(tree, subject, words):
        return
    if inflector.perfective(tree.tokens[i]) and tree.tokens[tree.root].feats.get("Tense") != "Past":
        # «Пентагон планирует … Он выделил …»: what is done with or after a plan is not yet done.
        return
    yield Edit(
        "split",
        f"«{tree.tokens[i].text} …» → отдельное предложение",
        i,
        changes=((i, verb),),
        touched=frozenset({i}),
        clause=Clause(i, words[-1], he),
    )
