"""What a deletion may take away from an English text without hurting its grammar."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.analysis import Analysis
from rerank.tree import Tree
from rewrite.generators.needed_en import is_condition, is_needed
from rewrite.generators.spans import (
    BREAKS,
    Span,
    brackets,
    cuts_a_word,
    keeps_names,
    span_of,
    trimmed,
    unit_of,
    with_marks,
    words_in,
)

_PAIRS = (("“", "”"), ("(", ")"), ("[", "]"))
# Relations of what commas, dashes and semicolons may set off.
_SET_OFF = frozenset("acl advcl appos conj discourse nmod obl parataxis vocative".split())
_HOLDS = frozenset({"not", "rather", "instead"})


def english_subtrees(
    analysis: Analysis,
    removed: frozenset[int],
    *,
    longest: int | None = None,
    shortest_rest: int = 4,
    asides: bool = False,
) -> list[Span]:
    """Dependency subtrees that a clause can do without, and round brackets, with the commas that set them off.

    Left alone are the subtrees that `rewrite.generators.needed_en` finds the rest to need, those of more than `longest`
    words, part of a named entity or of a written word, half a pair of brackets or quotes, and whatever would leave its
    sentence fewer than `shortest_rest` words. With `asides` only remarks beside the main clause go. *a* and *an* are
    for `rewrite.generators.tidy` to mend. Needs the layers morph, syntax and entities of
    `rerank.english.EnglishAnalyzer`.
    """
    spans: dict[frozenset[int], Span] = {}
    for sentence in analysis.sentences:
        tree = Tree(sentence.tokens, removed)
        rest = {tree.tokens[n].start for n in tree.kept if tree.tokens[n].pos != "PUNCT"}
        for span in _sentence_spans(analysis, tree, asides):
            words = len(rest & span.starts)
            if words <= (longest or words) and len(rest) - words >= shortest_rest:
                spans.setdefault(span.starts, span)
    return list(spans.values())


def _sentence_spans(analysis: Analysis, tree: Tree, asides: bool) -> Iterator[Span]:
    for number in tree.kept:
        if not (_is_aside(tree, number) if asides else not is_needed(tree, number)):
            continue
        numbers = trimmed(tree, unit_of(tree, number))
        if words_in(tree, numbers) and tree.adjoin(numbers) and _edges_whole(analysis, tree, numbers):
            yield span_of([tree.tokens[n] for n in with_marks(tree, numbers, number)])
    yield from brackets(tree)


def _edges_whole(analysis: Analysis, tree: Tree, numbers: list[int]) -> bool:
    return (
        not cuts_a_word(tree, numbers)
        and keeps_names(analysis, tree, numbers)
        and _keeps_pairs(analysis.text, tree, numbers)
        and _leaves_no_orphan(tree, numbers)
    )


def _keeps_pairs(text: str, tree: Tree, numbers: list[int]) -> bool:
    start, stop = tree.tokens[numbers[0]].start, tree.tokens[numbers[-1]].stop
    inside = text[start:stop]
    balanced = all(inside.count(opening) == inside.count(closing) for opening, closing in _PAIRS)
    # Nothing goes from within a quotation, for then it would not be one.
    quoted = text[:start].count('"') % 2 or text[:start].count("“") > text[:start].count("”")
    return balanced and inside.count('"') % 2 == 0 and not quoted


def _leaves_no_orphan(tree: Tree, numbers: list[int]) -> bool:
    """No article or preposition is left with nothing after it, whatever the parse says."""
    before, after = tree.neighbours(numbers)
    waits = before is not None and tree.tokens[before].pos in {"DET", "ADP", "CCONJ"} and before != tree.kept[0]
    return not waits or (after is not None and tree.tokens[after].pos not in {"PUNCT", "ADP", "VERB", "AUX", "CCONJ"})


def _is_aside(tree: Tree, number: int) -> bool:
    """Whether marks set the subtree of a token off, and the rest says no more and no less without it.

    Clauses that follow with a subject of their own, relative and adverbial clauses, appositions, and who said it.
    Conditions and contrasts stay.
    """
    relation = tree.relation(number)
    if relation not in _SET_OFF or not tree.hangs(number):
        return False
    if relation == "conj" and not any(tree.relation(child) == "nsubj" for child in tree.children[number]):
        return False
    numbers = [n for n in tree.subtree(number) if tree.tokens[n].text not in BREAKS]
    if not numbers or {tree.word(n) for n in numbers[:2]} & _HOLDS or is_condition(tree, number):
        return False
    return _parted(tree, numbers)


def _parted(tree: Tree, numbers: list[int]) -> bool:
    """Whether a break or an end of the sentence stands on either side."""
    before, after = tree.neighbours(numbers)
    left = before is None or tree.tokens[before].text in BREAKS
    right = after is None or tree.tokens[after].pos == "PUNCT"
    return left and right and (before is not None or after is not None)
