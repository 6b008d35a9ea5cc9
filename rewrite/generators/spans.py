"""What a deletion may take away: words of a source, chosen by place or by its parse.

All spans are sets of the source's tokens, and subtrees are those of the source's own parse: the parse of a half-deleted
text would drift with every cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rerank.analysis import Analysis, Sentence, Token
from rewrite.generators.edges import MARKS, leaves_edges_whole, opens_clause
from rewrite.generators.needed import is_needed
from rewrite.generators.tree import Tree

__all__ = ["Span", "SpanFinder", "adjacent_words", "brackets", "remaining", "span_of", "subtrees", "unit_of"]


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens to take out of a text, by the offsets where they start, with the words they hold."""

    starts: frozenset[int]
    text: str


SpanFinder = Callable[[Analysis, frozenset[int]], list[Span]]
"""Spans of a source, given the offsets of the tokens that are gone already."""

_STOPS = frozenset({".", "!", "?", "…", "..."})


def remaining(analysis: Analysis, removed: frozenset[int]) -> list[tuple[int, int]]:
    """Character ranges to cut from the text so that the tokens starting at `removed` go."""
    return [(token.start, token.stop) for token in analysis.tokens if token.start in removed]


def span_of(tokens: list[Token]) -> Span:
    """The span that holds these tokens."""
    return Span(frozenset(token.start for token in tokens), " ".join(token.text for token in tokens))


def adjacent_words(analysis: Analysis, removed: frozenset[int], *, longest: int = 5) -> list[Span]:
    """Every run of up to `longest` tokens that stand side by side in what is left of a sentence."""
    spans: list[Span] = []
    for sentence in analysis.sentences:
        kept = [token for token in sentence.tokens if token.start not in removed]
        spans.extend(
            span_of(kept[start : start + length])
            for length in range(1, longest + 1)
            for start in range(len(kept) - length + 1)
        )
    return spans


def subtrees(analysis: Analysis, removed: frozenset[int], *, shortest_rest: int = 4) -> list[Span]:
    """Whole dependency subtrees that a clause can do without, and brackets, with the commas that set them off.

    Left alone are the subtrees that `rewrite.generators.needed` finds the rest to need, half a pair of brackets or
    quotes, part of a named entity, a clause that the parse does not end at a punctuation mark, and whatever would leave
    fewer than `shortest_rest` words. Needs the layers morph, syntax and entities.
    """
    spans: dict[frozenset[int], Span] = {}
    for sentence in analysis.sentences:
        for span in _sentence_spans(analysis, sentence, removed):
            spans.setdefault(span.starts, span)
    kept = {t.start for t in analysis.tokens if t.start not in removed and t.pos != "PUNCT"}
    return [span for span in spans.values() if len(kept - span.starts) >= shortest_rest]


def _sentence_spans(analysis: Analysis, sentence: Sentence, removed: frozenset[int]) -> Iterator[Span]:
    tree = Tree(sentence, removed)
    for number in tree.kept:
        if is_needed(tree, number):
            continue
        numbers = _trimmed(tree, unit_of(tree, number))
        if numbers and leaves_edges_whole(analysis, tree, numbers, number):
            yield span_of([sentence.tokens[n] for n in _with_commas(tree, numbers, number)])
    yield from brackets(tree)
    yield from _leading_clauses(tree)


def unit_of(tree: Tree, number: int) -> list[int]:
    """The subtree; the last of a list with all before it but the first, since *A, B* alone wants its *and C*."""
    siblings = [c for c in tree.children[tree.tokens[number].head] if tree.tokens[c].rel == "conj"]
    if siblings and number == siblings[-1]:
        return sorted({n for sibling in siblings for n in tree.subtree(sibling)})
    return tree.subtree(number)


def _trimmed(tree: Tree, numbers: list[int]) -> list[int]:
    """Without the punctuation at either end, which belongs to what surrounds the span."""
    while numbers and tree.tokens[numbers[-1]].text in MARKS | _STOPS:
        numbers = numbers[:-1]
    while numbers and tree.tokens[numbers[0]].text in MARKS:
        numbers = numbers[1:]
    return numbers


def brackets(tree: Tree) -> Iterator[Span]:
    """What stands in round brackets, the brackets with it; of brackets in brackets the outer ones."""
    opened: list[int] = []
    for number in tree.kept:
        if tree.tokens[number].text == "(":
            opened.append(number)
        elif tree.tokens[number].text == ")" and opened:
            first = opened.pop()
            if not opened:
                yield span_of([tree.tokens[n] for n in tree.kept if first <= n <= number])


def _leading_clauses(tree: Tree) -> Iterator[Span]:
    """What comes before a clause joined to the main one, where that clause has a subject of its own that is a noun."""
    for number in tree.kept:
        head = tree.tokens[number].head
        if tree.tokens[number].rel not in {"conj", "parataxis"} or head not in tree.children:
            continue
        subjects = [c for c in tree.children[number] if tree.tokens[c].rel.startswith("nsubj")]
        if tree.tokens[head].rel != "root" or not any(tree.tokens[c].pos in {"NOUN", "PROPN"} for c in subjects):
            continue
        clause = tree.subtree(number)
        links = {c for c in tree.children[number] if tree.tokens[c].rel in {"cc", "punct"} and c < number}
        kept = [n for n in clause if n not in links]
        lead = [n for n in tree.kept if n < kept[0]]
        reaches_end = all(tree.tokens[n].pos == "PUNCT" for n in tree.kept if n > kept[-1])
        subordinate = (
            any(tree.tokens[c].rel == "mark" for c in tree.children[number]) or tree.tokens[kept[0]].pos == "SCONJ"
        )
        if (
            lead
            and reaches_end
            and not subordinate
            and tree.adjoin(kept)
            and any(tree.tokens[n].text in MARKS for n in lead[-2:])
        ):
            yield span_of([tree.tokens[n] for n in lead])


def _with_commas(tree: Tree, numbers: list[int], number: int) -> list[int]:
    """The span with the comma, commas or dash that belong to it."""
    rel = tree.tokens[number].rel
    before, after = tree.neighbours(numbers)
    left = [before] if before is not None and tree.tokens[before].text in MARKS else []
    right = [after] if after is not None and tree.tokens[after].text in MARKS else []
    if rel == "conj":
        return left + numbers
    if not left and right and before is None:
        return numbers + right
    if left and right:
        pair = tree.tokens[left[0]].text == tree.tokens[right[0]].text
        return left + numbers + (right if pair and not opens_clause(tree, right[0]) else [])
    if left and (after is None or tree.tokens[after].pos == "PUNCT"):
        return left + numbers
    return numbers
