"""What a deletion may take away from an English text without hurting its grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rerank.analysis import Analysis, Sentence
from rewrite.generators.any_subtree import cuts_a_word, trimmed, with_marks, words_in
from rewrite.generators.asides_en import is_aside
from rewrite.generators.needed_en import is_needed
from rewrite.generators.spans import Span, brackets, span_of, unit_of
from rewrite.generators.tree import Tree

__all__ = ["english_subtrees"]

_PAIRS = (("“", "”"), ("(", ")"), ("[", "]"))


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
    sentence fewer than `shortest_rest` words. With `asides` only what `rewrite.generators.asides_en` takes for a remark
    beside the main clause goes. *a* and *an* are for `rewrite.generators.tidy` to mend. Needs the layers morph, syntax
    and entities of `rerank.english.EnglishAnalyzer`.
    """
    goes = is_aside if asides else _is_spared
    spans: dict[frozenset[int], Span] = {}
    for sentence in analysis.sentences:
        tree = Tree(sentence, removed)
        rest = {tree.tokens[n].start for n in tree.kept if tree.tokens[n].pos != "PUNCT"}
        for span in _sentence_spans(analysis, sentence, tree, goes):
            words = len(rest & span.starts)
            if words <= (longest or words) and len(rest) - words >= shortest_rest:
                spans.setdefault(span.starts, span)
    return list(spans.values())


def _is_spared(tree: Tree, number: int) -> bool:
    return not is_needed(tree, number)


def _sentence_spans(
    analysis: Analysis, sentence: Sentence, tree: Tree, goes: Callable[[Tree, int], bool]
) -> Iterator[Span]:
    for number in tree.kept:
        if not goes(tree, number):
            continue
        numbers = trimmed(tree, unit_of(tree, number))
        if words_in(tree, numbers) and tree.adjoin(numbers) and _edges_whole(analysis, tree, numbers):
            yield span_of([sentence.tokens[n] for n in with_marks(tree, numbers, number)])
    yield from brackets(tree)


def _edges_whole(analysis: Analysis, tree: Tree, numbers: list[int]) -> bool:
    return (
        not cuts_a_word(tree, numbers)
        and _keeps_names(analysis, tree, numbers)
        and _keeps_pairs(analysis.text, tree, numbers)
        and _leaves_no_orphan(tree, numbers)
    )


def _keeps_names(analysis: Analysis, tree: Tree, numbers: list[int]) -> bool:
    start, stop = tree.tokens[numbers[0]].start, tree.tokens[numbers[-1]].stop
    return not any(
        entity.start < stop and start < entity.stop and not (start <= entity.start and entity.stop <= stop)
        for entity in analysis.entities
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
