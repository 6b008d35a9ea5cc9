"""What a deletion may take away: words of a source, chosen by place or by its parse, whatever the language.

All spans are sets of the source's tokens, and subtrees are those of the source's own parse: the parse of a half-deleted
text would drift with every cut. What a language's grammar can spare is in `spans_ru` and `spans_en`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from rerank.analysis import Analysis, Sentence, Token
from rerank.tree import Tree

BREAKS = frozenset({",", ";", ":", "—", "–", "-", "--"})
FUNCTION_RELATIONS = frozenset("aux aux:pass case cc compound:prt cop expl fixed flat goeswith mark".split())
"""What Universal Dependencies makes leaves of the tree though little can be said without it."""
_HYPHENS = frozenset({"-", "‐", "‑", "–", "/"})
_STOPS = frozenset({".", "!", "?", "…", "..."})
_PAIRS = frozenset({("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"), ("„", "“"), ('"', '"'), ("``", "''"), ("'", "'")})
_OPENING, _CLOSING = "(«„[", ")»“]"
_OPENING_QUOTES, _CLOSING_QUOTES = "«„", "»“"
# The relations of Universal Dependencies between a word and one that makes a phrase with it.
_BOUND = frozenset("aux case cc compound cop det fixed flat goeswith mark nummod expl".split())


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens to take out of a text, by the offsets where they start, with the words they hold."""

    starts: frozenset[int]
    text: str


SpanFinder = Callable[[Analysis, frozenset[int]], list[Span]]
"""Spans of a source, given the offsets of the tokens that are gone already."""


def text_without(analysis: Analysis, removed: frozenset[int]) -> str:
    """The text without the tokens that start at `removed`; a space stays where each was."""
    kept: list[str] = []
    position = 0
    for token in analysis.tokens:
        if token.start in removed:
            kept.append(analysis.text[position : token.start])
            position = token.stop
    return " ".join((*kept, analysis.text[position:]))


def span_of(tokens: Sequence[Token]) -> Span:
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


def whole_phrases(analysis: Analysis, removed: frozenset[int], *, longest: int = 5) -> list[Span]:
    """Every run of up to `longest` tokens that parts no function word, number or name from its head.

    Neither goes a preposition, article, auxiliary or conjunction alone, nor what it stands before without it. The main
    predicate and its subject stay. Less strict than subtrees: a word may go without what else depends on it. Needs the
    layer syntax.
    """
    bound = [pair for sentence in analysis.sentences for pair in _bound(sentence) if removed.isdisjoint(pair)]
    main = frozenset(start for sentence in analysis.sentences for start in _main(sentence))
    return [
        span
        for span in adjacent_words(analysis, removed, longest=longest)
        if main.isdisjoint(span.starts) and all((word in span.starts) == (head in span.starts) for word, head in bound)
    ]


def _main(sentence: Sentence) -> list[int]:
    """Offsets of the head of a sentence and of its subject's."""
    tokens = sentence.tokens
    roots = {n for n, token in enumerate(tokens) if not 0 <= token.head < len(tokens) or token.head == n}
    return [t.start for n, t in enumerate(tokens) if n in roots or (t.rel.startswith("nsubj") and t.head in roots)]


def _bound(sentence: Sentence) -> list[tuple[int, int]]:
    """Offsets of words that belong together."""
    tokens = sentence.tokens
    return [
        (token.start, tokens[token.head].start)
        for token in tokens
        if token.rel.split(":")[0] in _BOUND and 0 <= token.head < len(tokens) and tokens[token.head] is not token
    ]


def every_subtree(
    analysis: Analysis, removed: frozenset[int], *, longest: int = 9, kept: Collection[str] = ()
) -> list[Span]:
    """The subtrees of at most `longest` words that stand together, with the commas that set them off.

    The subtree constraint of NDD (Peng et al., 2023, section 4.1). Words are the tokens that are no punctuation.
    Subtrees under a relation of `kept` stay: none in the paper, whose parser hangs nouns on prepositions;
    `FUNCTION_RELATIONS` keeps *to* or *was* from going alone. A sentence's root never goes, so no sentence goes whole;
    whether the rest is grammatical is left to whoever scores it. Needs the layers morph and syntax.
    """
    spans: dict[frozenset[int], Span] = {}
    for sentence in analysis.sentences:
        for span in _subtrees(Tree(sentence.tokens, removed), longest, kept):
            spans.setdefault(span.starts, span)
    return list(spans.values())


def _subtrees(tree: Tree, longest: int, kept: Collection[str]) -> Iterator[Span]:
    # What stays when a root was cut from outside hangs on nothing: its tops are as much roots as the first one.
    tops = {n for n in tree.kept if not tree.hangs(n)}
    words = words_in(tree, tree.kept)
    for number in tree.kept:
        numbers = trimmed(tree, tree.subtree(number))
        if number in tops or tree.tokens[number].rel in kept:
            continue
        if not 0 < words_in(tree, numbers) <= min(longest, words - 1):
            continue
        if tree.adjoin(numbers) and tops.isdisjoint(numbers) and not cuts_a_word(tree, numbers):
            yield span_of([tree.tokens[n] for n in with_marks(tree, numbers, number)])


def segments(analysis: Analysis, removed: frozenset[int], *, longest: int) -> list[Span]:
    """What stands between two marks, or a mark and the end, one segment or several side by side, each with the mark
    before it, of at most `longest` words in all.

    The first segment of a sentence stays, and so does any on which a word outside depends, or that holds the head of
    the parse. Needs the layer syntax.
    """
    trees = (Tree(sentence.tokens, removed) for sentence in analysis.sentences)
    return [span for tree in trees for span in _segments(analysis, tree, longest)]


def _segments(analysis: Analysis, tree: Tree, longest: int) -> Iterator[Span]:
    inner = list(tree.kept)
    while inner and tree.tokens[inner[-1]].text in _STOPS:
        inner.pop()
    starts = [place for place, number in enumerate(inner) if place and _breaks(tree, number)]
    ends = [*starts[1:], len(inner)]
    for first, start in enumerate(starts):
        for end in ends[first:]:
            numbers = inner[start:end]
            if not 0 < words_in(tree, numbers) <= longest or _is_needed_outside(tree, numbers):
                continue
            # *A — B*: what stands before a dash is not cut off from it, but for what stands between two of them.
            if end < len(inner) and _is_dash(tree, inner[end]) and not _is_dash(tree, inner[start]):
                continue
            if keeps_names_and_brackets(analysis, tree, numbers):
                yield span_of([tree.tokens[n] for n in numbers])


def _is_needed_outside(tree: Tree, numbers: list[int]) -> bool:
    """Whether a word outside depends on one of these, or one of these on nothing."""
    inside = set(numbers)
    outside = (n for n in tree.kept if n not in inside and tree.tokens[n].pos != "PUNCT")
    return not all(map(tree.hangs, numbers)) or any(tree.tokens[n].head in inside for n in outside)


def _is_dash(tree: Tree, number: int) -> bool:
    return tree.tokens[number].text not in ",;:"


def _breaks(tree: Tree, number: int) -> bool:
    """A comma or its like, or a dash that is no hyphen."""
    token = tree.tokens[number]
    before, _ = tree.neighbours([number])
    return token.text in BREAKS and (token.text in ",;:" or before is None or tree.tokens[before].stop < token.start)


def keeps_names(analysis: Analysis, tree: Tree, numbers: list[int]) -> bool:
    """Whether no named entity is parted."""
    start, stop = tree.tokens[numbers[0]].start, tree.tokens[numbers[-1]].stop
    return not any(
        entity.start < stop and start < entity.stop and not (start <= entity.start and entity.stop <= stop)
        for entity in analysis.entities
    )


def keeps_names_and_brackets(analysis: Analysis, tree: Tree, numbers: list[int]) -> bool:
    """Whether no named entity, pair of brackets or pair of quotes is parted."""
    start, stop = tree.tokens[numbers[0]].start, tree.tokens[numbers[-1]].stop
    before, inside = analysis.text[:start], analysis.text[start:stop]
    depth = 0
    for character in inside:
        depth += (character in _OPENING) - (character in _CLOSING)
        if depth < 0:
            return False
    quoted = sum((c in _OPENING_QUOTES) - (c in _CLOSING_QUOTES) for c in before)
    straight = before.count('"') % 2 == 0 == inside.count('"') % 2
    return depth == 0 and quoted <= 0 and straight and keeps_names(analysis, tree, numbers)


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


def words_in(tree: Tree, numbers: Sequence[int]) -> int:
    """How many of the tokens are no punctuation."""
    return sum(tree.tokens[n].pos != "PUNCT" for n in numbers)


def unit_of(tree: Tree, number: int) -> list[int]:
    """The subtree; the last of a list with all before it but the first, since *A, B* alone wants its *and C*."""
    siblings = [c for c in tree.children[tree.tokens[number].head] if tree.tokens[c].rel == "conj"]
    if siblings and number == siblings[-1]:
        return sorted({n for sibling in siblings for n in tree.subtree(sibling)})
    return tree.subtree(number)


def trimmed(tree: Tree, numbers: list[int]) -> list[int]:
    """Without the commas, dashes and stops at either end, which may belong to what surrounds the span."""
    while numbers and tree.tokens[numbers[-1]].text in BREAKS | _STOPS:
        numbers = numbers[:-1]
    while numbers and tree.tokens[numbers[0]].text in BREAKS:
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


def with_marks(tree: Tree, numbers: list[int], number: int) -> list[int]:
    """The subtree `numbers` of the token `number`, trimmed, with the brackets, quotes or commas that go with it.

    Two commas both go, but for one that by the parse closes what stands before or opens what follows. Of a list only
    the mark before its part goes, at the start of a sentence only the one after it.
    """
    before, after = tree.neighbours(numbers)
    if before is not None and after is not None and (tree.tokens[before].text, tree.tokens[after].text) in _PAIRS:
        return with_marks(tree, [before, *numbers, after], number)
    left, right = tree.marks_beside(numbers, BREAKS)
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
    token = tree.tokens[number]
    before, after = tree.neighbours([*left, *numbers, *right])
    for neighbour, mark, marked in ((before, left, left + numbers), (after, right, numbers + right)):
        other = tree.tokens[neighbour] if neighbour is not None else None
        if mark and other is not None and (other.head, other.rel) == (token.head, token.rel):
            return marked
    return numbers


def _parts_others(tree: Tree, left: int, right: int) -> bool:
    """Whether one of two commas, by the parse, has a task beside the cut: it opens what follows, or closes a lead."""
    opened, closed = tree.tokens[right].head, tree.tokens[left].head
    opens = opened > right and tree.tokens[opened].rel not in {"root", "conj", "parataxis"}
    return opens or (0 <= closed < left and tree.tokens[closed].head > right)
