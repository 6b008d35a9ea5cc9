"""One change to a sentence, and the part of it that a cut would take, as the rules about cuts ask for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.valency import RussianValency


@dataclass(frozen=True, slots=True)
class Edit:
    """A change that can be made or not.

    `node` is the word whose subtree is cut out (−1: none). `changes` maps tokens to their new text, `touched` are the
    tokens that no other edit may change at the same time, `risk` is −log of the chance that an editor passes it.
    `label` says what was done, for `--explain`, `entry` which row of the dictionary was used.
    """

    kind: str
    label: str
    node: int = -1
    changes: tuple[tuple[int, str], ...] = ()
    touched: frozenset[int] = frozenset()
    risk: float = 0.0
    entry: str = ""


class Part:
    """Token `i` with all that hangs on it.

    `above` is the head, `words` are the tokens of the subtree but for punctuation, `first` and `last` the ends of them.
    """

    def __init__(self, tree: RepairedTree, i: int, valency: RussianValency) -> None:
        self.tree, self.i, self.valency = tree, i, valency
        self.token, self.rel, self.head = tree.tokens[i], tree.rels[i], tree.heads[i]
        self.above, self.above_rel = tree.tokens[self.head], tree.rels[self.head]
        self.words = tree.words(i)
        self.first, self.last = (self.words[0], self.words[-1]) if self.words else (i, i)
        self.lemma, self.above_lemma = valency.lemma(self.token), valency.lemma(self.above)

    def has(self, *rels: str) -> bool:
        """Whether a word hangs on the token by one of these relations."""
        return self.tree.child(self.i, *rels) is not None

    def above_has(self, *rels: str) -> bool:
        """The same of the head."""
        return self.tree.child(self.head, *rels) is not None

    def before(self, n: int) -> list[str]:
        """The last `n` tokens before the first word, in lower case."""
        return [self.tree.word(j) for j in range(max(0, self.first - n), self.first)]

    def after(self, n: int) -> list[str]:
        """The first `n` tokens after the last word, in lower case."""
        return [self.tree.word(j) for j in range(self.last + 1, min(self.last + 1 + n, len(self.tree)))]

    def siblings(self, *rels: str) -> list[int]:
        """The dependents of the head by these relations, the part itself among them."""
        return [c for c in self.tree.children[self.head] if self.tree.rels[c] in rels]


Rule = Callable[[Part], bool]
"""Whether it holds for a part."""
