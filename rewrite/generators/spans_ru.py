"""What a deletion may take away from a Russian text without hurting its grammar.

A parser errs: further checks look at what stands right before and after a cut, and at what would be left.
"""

from __future__ import annotations

from collections.abc import Iterator

from rerank.analysis import Analysis
from rerank.tree import Tree
from rewrite.generators.needed import is_needed
from rewrite.generators.spans import BREAKS, Span, brackets, keeps_names_and_brackets, span_of, trimmed, unit_of

_CLAUSES = ("acl", "advcl", "appos", "parataxis", "vocative", "discourse")
_CLAUSAL = frozenset({"acl", "advcl", "parataxis", "conj", "discourse", "cc"})
_QUESTIONS = frozenset("насколько сколько как когда где куда откуда почему зачем что чем".split())
_NOMINAL = frozenset({"nmod", "obl", "appos", "conj"})


def subtrees(analysis: Analysis, removed: frozenset[int], *, shortest_rest: int = 4) -> list[Span]:
    """Whole dependency subtrees that a clause can do without, and brackets, with the commas that set them off.

    Left alone are the subtrees that `rewrite.generators.needed` finds the rest to need, half a pair of brackets or
    quotes, part of a named entity, a clause that the parse does not end at a punctuation mark, and whatever would leave
    fewer than `shortest_rest` words. Needs the layers morph, syntax and entities.
    """
    spans: dict[frozenset[int], Span] = {}
    for sentence in analysis.sentences:
        for span in _sentence_spans(analysis, Tree(sentence.tokens, removed)):
            spans.setdefault(span.starts, span)
    kept = {t.start for t in analysis.tokens if t.start not in removed and t.pos != "PUNCT"}
    return [span for span in spans.values() if len(kept - span.starts) >= shortest_rest]


def _sentence_spans(analysis: Analysis, tree: Tree) -> Iterator[Span]:
    for number in tree.kept:
        if is_needed(tree, number):
            continue
        numbers = trimmed(tree, unit_of(tree, number))
        if numbers and _comes_away(analysis, tree, numbers, number):
            yield span_of([tree.tokens[n] for n in _with_commas(tree, numbers, number)])
    yield from brackets(tree)


def _with_commas(tree: Tree, numbers: list[int], number: int) -> list[int]:
    """The span with the comma, commas or dash that belong to it."""
    before, after = tree.neighbours(numbers)
    left, right = tree.marks_beside(numbers, BREAKS)
    if tree.tokens[number].rel == "conj":
        return left + numbers
    if before is None:
        return numbers + right
    if left and right:
        pair = tree.tokens[left[0]].text == tree.tokens[right[0]].text
        return left + numbers + (right if pair else [])
    return left + numbers if after is None or tree.tokens[after].pos == "PUNCT" else numbers


def _comes_away(analysis: Analysis, tree: Tree, numbers: list[int], number: int) -> bool:
    """Whether the tokens `numbers`, the subtree of `number`, come away cleanly."""
    return (
        tree.adjoin(numbers)
        and keeps_names_and_brackets(analysis, tree, numbers)
        and _is_bounded(tree, numbers, number)
        and _leaves_no_orphan(tree, numbers, number)
    )


def _is_bounded(tree: Tree, numbers: list[int], number: int) -> bool:
    """A clause reaches from one mark to the next, a conjunct from a conjunction or mark on."""
    token = tree.tokens[number]
    before, after = tree.neighbours(numbers)
    opens = before is None or tree.tokens[before].pos == "PUNCT"
    closes = after is None or tree.tokens[after].pos == "PUNCT"
    if token.rel == "conj":
        linked = opens or tree.tokens[numbers[0]].pos == "CCONJ"
        return linked and (closes or token.pos != "VERB")
    if not token.rel.startswith(_CLAUSES) or (token.rel.startswith("acl") and numbers[-1] < token.head):
        return True
    return opens and closes


def _leaves_no_orphan(tree: Tree, numbers: list[int], number: int) -> bool:
    """A question word opens no phrase that goes, and no genitive or mark after the cut loses the noun it follows."""
    _, after = tree.neighbours(numbers)
    relation = tree.relation(number)
    if relation not in _CLAUSAL and tree.word(numbers[0]) in _QUESTIONS:
        return False
    if relation not in _NOMINAL or after is None:
        return True
    return not _trails(tree, after) and not _leaves_mark(tree, numbers, after, relation)


def _trails(tree: Tree, number: int) -> bool:
    """A noun or adjective without a preposition, in a case that leans on a noun before it."""
    token = tree.tokens[number]
    if token.pos not in {"NOUN", "PROPN", "ADJ"} or token.feats.get("Case") in {None, "Nom", "Acc"}:
        return False
    return token.feats.get("Case") == "Gen" or token.head < number


def _leaves_mark(tree: Tree, numbers: list[int], after: int, relation: str) -> bool:
    """Whether the comma after the cut opens a clause on the noun that goes, or would part a verb from its own."""
    before, _ = tree.neighbours(numbers)
    set_off = before is not None and tree.tokens[before].text in BREAKS
    if set_off or before is None or tree.tokens[after].text != ",":
        return False
    following = [n for n in tree.kept if n > after][:2]
    relative = any(tree.word(n).startswith("котор") for n in following) or any(
        tree.tokens[n].feats.get("VerbForm") == "Part" and "Case" in tree.tokens[n].feats for n in following[:1]
    )
    return relative or relation == "obl"
