"""Every dependency subtree as a span of a deletion, whatever the language.

The subtree constraint of NDD (Peng et al., 2023, section 4.1) lets a deletion take whole subtrees of the parse and
nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rerank.analysis import Analysis
from rewrite.generators.spans import Span, span_of
from rewrite.generators.tree import Tree

__all__ = ["BREAKS", "FUNCTION_RELATIONS", "cuts_a_word", "every_subtree", "trimmed", "with_marks", "words_in"]

BREAKS = frozenset({",", ";", ":", "—", "–", "-", "--"})
_HYPHENS = frozenset({"-", "‐", "‑", "–", "/"})
_STOPS = frozenset({".", "!", "?", "…", "..."})
_PAIRS = frozenset({("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"), ("„", "“"), ('"', '"'), ("``", "''"), ("'", "'")})
FUNCTION_RELATIONS = frozenset("aux aux:pass case cc compound:prt cop expl fixed flat goeswith mark".split())
"""What Universal Dependencies makes leaves of the tree though little can be said without it."""


def every_subtree(
    analysis: Analysis, removed: frozenset[int], *, longest: int = 9, kept: Collection[str] = ()
) -> list[Span]:
    """The subtrees of at most `longest` words that stand together, with the commas that set them off.

    Words are the tokens that are no punctuation. Subtrees under a relation of `kept` stay: none in the paper, whose
    parser hangs nouns on prepositions; `FUNCTION_RELATIONS` keeps *to* or *was* from going alone. A sentence's root
    never goes, so no sentence goes whole; whether the rest is grammatical is left to whoever scores it. Needs the
    layers morph and syntax.
    """
    spans: dict[frozenset[int], Span] = {}
    for sentence in analysis.sentences:
        for span in _spans(Tree(sentence, removed), longest, kept):
            spans.setdefault(span.starts, span)
    return list(spans.values())


def _spans(tree: Tree, longest: int, kept: Collection[str]) -> Iterator[Span]:
    # What stays when a root was cut from outside hangs on nothing: its tops are as much roots as the first one.
    tops = {n for n in tree.kept if tree.tokens[n].head not in tree.children or tree.tokens[n].head == n}
    words = words_in(tree, tree.kept)
    for number in tree.kept:
        numbers = trimmed(tree, tree.subtree(number))
        if number in tops or tree.tokens[number].rel in kept:
            continue
        if not 0 < words_in(tree, numbers) <= min(longest, words - 1):
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
    while numbers and tree.tokens[numbers[-1]].text in BREAKS | _STOPS:
        numbers = numbers[:-1]
    while numbers and tree.tokens[numbers[0]].text in BREAKS:
        numbers = numbers[1:]
    return numbers


def with_marks(tree: Tree, numbers: list[int], number: int) -> list[int]:
    """The subtree `numbers` of the token `number`, trimmed, with the brackets, quotes or commas that go with it.

    Two commas both go, but for one that by the parse closes what stands before or opens what follows. Of a list only
    the mark before its part goes, at the start of a sentence only the one after it.
    """
    before, after = tree.neighbours(numbers)
    if before is not None and after is not None and (tree.tokens[before].text, tree.tokens[after].text) in _PAIRS:
        return with_marks(tree, [before, *numbers, after], number)
    left = [before] if before is not None and tree.tokens[before].text in BREAKS else []
    right = [after] if after is not None and tree.tokens[after].text in BREAKS else []
    if tree.tokens[number].rel == "amod":
        return _in_series(tree, numbers, number, left, right)
    if before is None:
        return numbers + right
    # What stands before its head is no second part of it.
    if not left or (tree.tokens[number].rel == "conj" and tree.tokens[number].head < number):
        return left + numbers
    if right:
        pair = tree.tokens[left[0]].text == tree.tokens[right[0]].text
        return left + numbers + (right if pair and not _parts_others(tree, left[0], right[0]) else [])
    ends = after is None or tree.tokens[after].text in _STOPS
    return left + numbers if ends or left[0] in tree.subtree(number) else numbers


def _in_series(tree: Tree, numbers: list[int], number: int, left: list[int], right: list[int]) -> list[int]:
    """An adjective with the comma that parts it from another one of the same noun; nothing where there is none."""
    before, after = tree.neighbours([*left, *numbers, *right])
    for neighbour, marked in ((before, left + numbers), (after, numbers + right)):
        if neighbour is not None and len(marked) > len(numbers) and _are_siblings(tree, neighbour, number):
            return marked
    return numbers


def _are_siblings(tree: Tree, one: int, other: int) -> bool:
    return tree.tokens[one].head == tree.tokens[other].head and tree.tokens[one].rel == tree.tokens[other].rel


def _parts_others(tree: Tree, left: int, right: int) -> bool:
    """Whether one of two commas, by the parse, has a task beside the cut: it opens what follows, or closes a lead."""
    opened, closed = tree.tokens[right].head, tree.tokens[left].head
    opens = opened > right and tree.tokens[opened].rel not in {"root", "conj", "parataxis"}
    return opens or (0 <= closed < left and tree.tokens[closed].head > right)
