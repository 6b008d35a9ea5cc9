"""What stands between two marks of a sentence, or between a mark and its end, whatever the parse makes of it."""

from __future__ import annotations

from rerank.analysis import Analysis
from rewrite.generators.any_subtree import BREAKS, words_in
from rewrite.generators.edges import keeps_names_and_brackets
from rewrite.generators.spans import Span, span_of
from rewrite.generators.tree import Tree

__all__ = ["segments"]

_ENDS = frozenset({".", "!", "?", "…", "..."})


def segments(analysis: Analysis, removed: frozenset[int], *, longest: int) -> list[Span]:
    """One segment or several side by side, each with the mark before it, of at most `longest` words in all.

    The first segment of a sentence stays, and so does any on which a word outside depends, or that holds the head of
    the parse. Needs the layer syntax.
    """
    return [
        span for sentence in analysis.sentences for span in _spans(analysis, Tree(sentence, removed), longest=longest)
    ]


def _spans(analysis: Analysis, tree: Tree, *, longest: int) -> list[Span]:
    inner = list(tree.kept)
    while inner and tree.tokens[inner[-1]].text in _ENDS:
        inner.pop()
    starts = [place for place, number in enumerate(inner) if place and _breaks(tree, number)]
    ends = [*starts[1:], len(inner)]
    found = []
    for first, start in enumerate(starts):
        for end in ends[first:]:
            numbers = inner[start:end]
            if not 0 < words_in(tree, numbers) <= longest or _is_needed_outside(tree, numbers):
                continue
            # *A — B*: what stands before a dash is not cut off from it, but for what stands between two of them.
            if end < len(inner) and _is_dash(tree, inner[end]) and not _is_dash(tree, inner[start]):
                continue
            if keeps_names_and_brackets(analysis, tree, numbers):
                found.append(span_of([tree.tokens[n] for n in numbers]))
    return found


def _is_needed_outside(tree: Tree, numbers: list[int]) -> bool:
    """Whether a word outside depends on one of these, or one of these on nothing."""
    inside = set(numbers)
    tops = any(tree.tokens[n].head not in tree.children or tree.tokens[n].head == n for n in numbers)
    outside = (n for n in tree.kept if n not in inside and tree.tokens[n].pos != "PUNCT")
    return tops or any(tree.tokens[n].head in inside for n in outside)


def _is_dash(tree: Tree, number: int) -> bool:
    return tree.tokens[number].text not in ",;:"


def _breaks(tree: Tree, number: int) -> bool:
    """A comma or its like, or a dash that is no hyphen."""
    token = tree.tokens[number]
    before, _ = tree.neighbours([number])
    return token.text in BREAKS and (token.text in ",;:" or before is None or tree.tokens[before].stop < token.start)
