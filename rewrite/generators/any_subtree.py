"""Every dependency subtree as a span of a deletion, whatever the language.

The subtree constraint of NDD (Peng et al., 2023, section 4.1) lets a deletion take whole subtrees of the parse and
nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from rerank.analysis import Analysis
from rewrite.generators.spans import Span, span_of
from rewrite.generators.tree import Tree

__all__ = ["cuts_a_word", "every_subtree", "trimmed", "with_marks", "words_in"]

_MARKS = frozenset({",", ";", ":", "—", "–", "-", "--"})
_HYPHENS = frozenset({"-", "‐", "‑", "–", "/"})
_STOPS = frozenset({".", "!", "?", "…", "..."})
_PAIRS = frozenset({("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"), ("„", "“"), ('"', '"'), ("``", "''"), ("'", "'")})


def every_subtree(analysis: Analysis, removed: frozenset[int], *, longest: int = 9) -> list[Span]:
    """The subtrees of at most `longest` words that stand together, with the commas that set them off.

    Words are the tokens that are no punctuation. A sentence's root never goes, so no sentence goes whole; whether the
    rest is grammatical is left to whoever scores it. Needs the layers morph and syntax.
    """
    spans: dict[frozenset[int], Span] = {}
    for sentence in analysis.sentences:
        for span in _spans(Tree(sentence, removed), longest):
            spans.setdefault(span.starts, span)
    return list(spans.values())


def _spans(tree: Tree, longest: int) -> Iterator[Span]:
    # What stays when a root was cut from outside hangs on nothing: its tops are as much roots as the first one.
    tops = {n for n in tree.kept if tree.tokens[n].head not in tree.children or tree.tokens[n].head == n}
    words = words_in(tree, tree.kept)
    for number in tree.kept:
        numbers = trimmed(tree, tree.subtree(number))
        if number in tops or not 0 < words_in(tree, numbers) <= min(longest, words - 1):
            continue
        if tree.adjoin(numbers) and tops.isdisjoint(numbers) and not cuts_a_word(tree, numbers):
            yield span_of([tree.tokens[n] for n in with_marks(tree, numbers, number)])


def cuts_a_word(tree: Tree, numbers: list[int]) -> bool:
    """Whether the span begins or ends inside what is written as one word: *do|n't*, *well|-|known*, *John|'s*."""
    before, after = tree.neighbours(numbers)
    left, right = tree.tokens[numbers[0]], tree.tokens[numbers[-1]]
    glued_before = before is not None and tree.tokens[before].stop == left.start
    glued_after = after is not None and tree.tokens[after].start == right.stop
    return (glued_before and before is not None and not _parts(tree.tokens[before].text)) or (
        glued_after and after is not None and not _parts(tree.tokens[after].text)
    )


def _parts(text: str) -> bool:
    """Whether a mark may touch a word without being part of it."""
    return text not in _HYPHENS and not any(c.isalnum() for c in text)


def words_in(tree: Tree, numbers: list[int]) -> int:
    """How many of the tokens are no punctuation."""
    return sum(tree.tokens[n].pos != "PUNCT" for n in numbers)


def trimmed(tree: Tree, numbers: list[int]) -> list[int]:
    """Without the commas, dashes and stops at either end, which may belong to what surrounds the span."""
    while numbers and tree.tokens[numbers[-1]].text in _MARKS | _STOPS:
        numbers = numbers[:-1]
    while numbers and tree.tokens[numbers[0]].text in _MARKS:
        numbers = numbers[1:]
    return numbers


def with_marks(tree: Tree, numbers: list[int], number: int) -> list[int]:
    """The subtree `numbers` of the token `number`, trimmed, with the brackets, quotes or commas that go with it.

    A pair goes whole, except that a comma which by the parse opens what follows it stays. Of a list only the mark
    before its part goes, at the start of a sentence only the one after it.
    """
    before, after = tree.neighbours(numbers)
    if before is not None and after is not None and (tree.tokens[before].text, tree.tokens[after].text) in _PAIRS:
        return with_marks(tree, [before, *numbers, after], number)
    left = [before] if before is not None and tree.tokens[before].text in _MARKS else []
    right = [after] if after is not None and tree.tokens[after].text in _MARKS else []
    if before is None:
        return numbers + right
    if not left or tree.tokens[number].rel.split(":")[0] in {"conj", "amod"}:
        return left + numbers
    if right:
        pair = tree.tokens[left[0]].text == tree.tokens[right[0]].text
        return left + numbers + (right if pair and not _opens(tree, right[0]) else [])
    ends = after is None or tree.tokens[after].text in _STOPS
    return left + numbers if ends or left[0] in tree.subtree(number) else numbers


def _opens(tree: Tree, mark: int) -> bool:
    """Whether a mark hangs on something after it that is not what stands around the cut."""
    head = tree.tokens[mark].head
    return head > mark and tree.tokens[head].rel not in {"root", "conj", "parataxis"}
