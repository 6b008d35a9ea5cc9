"""A parser of English sentences: a small network says what each word hangs on, and the best tree is taken."""

from rerank.english.trees.model import BUNDLED, LABELS, Tree, TreeModel

__all__ = ["BUNDLED", "LABELS", "Tree", "TreeModel"]
