"""What a deletion may take away from a Russian text: cuts of the generator `edits` that a reader is likely to pass."""

from __future__ import annotations

from functools import cached_property, lru_cache

from rerank.analysis import Analysis, Analyzer
from rerank.tree import Tree
from rewrite.generators.edits.consistent import inconsistency
from rewrite.generators.edits.edit_acceptance import Acceptance
from rewrite.generators.edits.protect import protected_by
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.spans import Span, brackets, span_of, with_marks
from rewrite.generators.valency import RussianValency

_SHORTEST_REST = 4
# What may go with its figures; readers of single edits passed phrases with figures as well, which then were missed.
_CLAUSES = frozenset({"acl", "acl:relcl", "advcl"})
_REMEMBERED = 256


class LikelyCuts:
    """Whole subtrees that no rule of `edits` keeps and that pass with a chance of `least`, and brackets, with the marks
    that set them off.

    Left alone is what verbs call for, a phrase with a figure, and what would leave a sign of a wrong cut, or fewer than
    four words. Needs the layers morph, syntax and entities.
    """

    def __init__(self, analyzer: Analyzer, *, least: float) -> None:
        self._analyzer = analyzer
        self._least = least
        # A search asks for the spans of a text again after each cut.
        self._likely = lru_cache(maxsize=_REMEMBERED)(self._judged)

    @cached_property
    def _acceptance(self) -> Acceptance:
        return Acceptance.load()

    @cached_property
    def _valency(self) -> RussianValency:
        return RussianValency(self._analyzer.morphology)

    def __call__(self, analysis: Analysis, removed: frozenset[int]) -> list[Span]:
        """The spans of a text without the tokens at `removed`."""
        spans: dict[frozenset[int], Span] = {}
        for tree, nodes in self._likely(analysis):
            rest = Tree(tree.tokens, removed)
            subtrees = [with_marks(rest, self._kept(tree, node, rest), node) for node in nodes if node in rest.children]
            cuts = [span_of([tree.tokens[n] for n in numbers]) for numbers in subtrees]
            for span in (*cuts, *brackets(rest)):
                gone = removed | span.starts
                if not inconsistency(tree, {n for n, token in enumerate(tree.tokens) if token.start in gone}):
                    spans.setdefault(span.starts, span)
        kept = {t.start for t in analysis.tokens if t.start not in removed and t.pos != "PUNCT"}
        return [span for span in spans.values() if len(kept - span.starts) >= _SHORTEST_REST]

    @staticmethod
    def _kept(tree: RepairedTree, node: int, rest: Tree) -> list[int]:
        first, last = tree.span(node)
        return [n for n in range(first, last + 1) if n in rest.children]

    def _judged(self, analysis: Analysis) -> list[tuple[RepairedTree, list[int]]]:
        trees = [RepairedTree(sentence, analysis.entities) for sentence in analysis.sentences]
        return [(tree, self._nodes(tree)) for tree in trees]

    def _nodes(self, tree: RepairedTree) -> list[int]:
        valency = self._valency
        nodes = [i for i in range(len(tree)) if not protected_by(tree, i, valency)]
        chances = self._acceptance.cuts(tree, nodes, valency, self._analyzer.navec).tolist()
        likely = (i for i, chance in zip(nodes, chances, strict=True) if chance >= self._least)
        usual = (i for i in likely if tree.rels[i] != "obl" or not valency.is_usual(tree, i))
        return [i for i in usual if tree.rels[i] in _CLAUSES or not _has_figure(tree, i)]


def _has_figure(tree: RepairedTree, node: int) -> bool:
    first, last = tree.span(node)
    return any(character.isdigit() for token in tree.tokens[first : last + 1] for character in token.text)
