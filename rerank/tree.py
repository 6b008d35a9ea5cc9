"""What hangs on what: the parse of a sentence or a text as a graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import cached_property

from rerank.analysis import Token

MARKS = frozenset({",", "—", "–"})


class _Children(dict[int, list[int]]):
    """What hangs on each token that is left; on −1, no token, nothing does."""

    def __missing__(self, number: int) -> list[int]:
        return []


class Tree:
    """Tokens with the number of the token on which each hangs, −1 for none.

    Heads may form cycles: a subtree is what can be reached downwards. Of the tokens that start at `removed` nothing is
    left: they are not `kept`, and nothing hangs on them.
    """

    def __init__(self, tokens: Sequence[Token], removed: Set[int] = frozenset()) -> None:
        self.tokens = tokens
        self.heads = [-1 if token.head == number else token.head for number, token in enumerate(tokens)]
        self.rels = [token.rel for token in tokens]
        self.kept = [number for number, token in enumerate(tokens) if token.start not in removed]
        self._subtrees: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """What hangs on each token that is left, in order; nothing on any other number."""
        children = _Children({number: [] for number in self.kept})
        for number in self.kept:
            if self.heads[number] in children:
                children[self.heads[number]].append(number)
        return children

    def subtree(self, number: int) -> list[int]:
        """A token and all that hangs on it, in the order of the text."""
        if number not in self._subtrees:
            reached, waiting = {number}, [number]
            while waiting:
                new = [child for child in self.children[waiting.pop()] if child not in reached]
                reached.update(new)
                waiting.extend(new)
            self._subtrees[number] = sorted(reached)
        return list(self._subtrees[number])

    def word(self, number: int) -> str:
        """Lower-case text of a token; empty outside the text."""
        return self.tokens[number].text.lower() if 0 <= number < len(self.tokens) else ""

    def relation(self, number: int) -> str:
        """The relation of a token to its head, without what a colon adds to it."""
        return self.rels[number].partition(":")[0]

    def head(self, number: int) -> Token:
        return self.tokens[self.tokens[number].head]

    def hangs(self, number: int) -> bool:
        """Whether a token has a head that is left."""
        return self.heads[number] in self.children

    def beside(self, number: int) -> set[str]:
        """Relations of the other dependents of a token's head."""
        return {self.relation(c) for c in self.children[self.heads[number]] if c != number}

    def child_words(self, number: int, *rels: str) -> set[str]:
        """Lower-case words of the children, of all or of some relations."""
        return {self.word(child) for child in self.children[number] if not rels or self.rels[child] in rels}

    def adjoin(self, numbers: Sequence[int]) -> bool:
        """Whether nothing that is left stands between the tokens."""
        return sum(numbers[0] <= n <= numbers[-1] for n in self.kept) == len(numbers)

    def neighbours(self, numbers: Sequence[int]) -> tuple[int | None, int | None]:
        """The tokens left before and after."""
        before = [n for n in self.kept if n < numbers[0]]
        after = [n for n in self.kept if n > numbers[-1]]
        return (before[-1] if before else None), (after[0] if after else None)

    def marks_beside(self, numbers: Sequence[int], marks: Set[str]) -> tuple[list[int], list[int]]:
        """The tokens right before and right after, each where it is one of `marks`."""
        before, after = (
            [n] if n is not None and self.tokens[n].text in marks else [] for n in self.neighbours(numbers)
        )
        return before, after

    def isolated(self, number: int) -> bool:
        """Whether commas, dashes or the ends of the sentence set the subtree off from all around it."""
        numbers = [n for n in self.subtree(number) if self.tokens[n].text not in MARKS]
        inner = [n for n in self.kept if numbers[0] <= n <= numbers[-1] and self.tokens[n].pos != "PUNCT"]
        before, after = self.neighbours(numbers)
        left = before is not None and self.tokens[before].text in MARKS
        right = after is None or self.tokens[after].pos == "PUNCT"
        return len(inner) == len(numbers) and left and right

    def starts(self, numbers: Iterable[int]) -> frozenset[int]:
        """Where the tokens start in the text."""
        return frozenset(self.tokens[n].start for n in numbers)
