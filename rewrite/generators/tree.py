"""What is left of a parse while parts of a sentence are being taken away."""

from __future__ import annotations

from collections.abc import Iterable, Set

from rerank.analysis import Sentence, Token

MARKS = frozenset({",", "—", "–"})


class Tree:
    """What is left of a sentence's parse. Heads may form cycles: a subtree is what can be reached downwards."""

    def __init__(self, sentence: Sentence, removed: frozenset[int]) -> None:
        self.tokens = sentence.tokens
        self.kept = [n for n, token in enumerate(self.tokens) if token.start not in removed]
        self.children: dict[int, list[int]] = {n: [] for n in self.kept}
        for number in self.kept:
            head = self.tokens[number].head
            if head != number and head in self.children:
                self.children[head].append(number)

    def subtree(self, number: int) -> list[int]:
        """Tokens of the subtree, in the order of the text."""
        seen: set[int] = set()
        waiting = [number]
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting.extend(self.children[node])
        return sorted(seen)

    def adjoin(self, numbers: list[int]) -> bool:
        """Whether nothing that is left stands between the tokens."""
        return sum(numbers[0] <= n <= numbers[-1] for n in self.kept) == len(numbers)

    def neighbours(self, numbers: list[int]) -> tuple[int | None, int | None]:
        """The tokens left before and after."""
        before = [n for n in self.kept if n < numbers[0]]
        after = [n for n in self.kept if n > numbers[-1]]
        return (before[-1] if before else None), (after[0] if after else None)

    def marks_beside(self, numbers: list[int], marks: Set[str]) -> tuple[list[int], list[int]]:
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

    def word(self, number: int) -> str:
        """Lower-case text of a token."""
        return self.tokens[number].text.lower()

    def relation(self, number: int) -> str:
        """The relation of a token to its head, without what a colon adds to it."""
        return self.tokens[number].rel.split(":")[0]

    def beside(self, number: int) -> set[str]:
        """Relations of the other dependents of a token's head."""
        return {self.relation(c) for c in self.children[self.tokens[number].head] if c != number}

    def hangs(self, number: int) -> bool:
        """Whether a token has a head that is left."""
        return self.tokens[number].head in self.children and self.tokens[number].head != number

    def starts(self, numbers: Iterable[int]) -> frozenset[int]:
        """Where the tokens start in the text."""
        return frozenset(self.tokens[n].start for n in numbers)

    def head(self, number: int) -> Token:
        return self.tokens[self.tokens[number].head]

    def child_words(self, number: int, *rels: str) -> set[str]:
        """Lower-case words of the children, of all or of some relations."""
        return {self.word(child) for child in self.children[number] if not rels or self.tokens[child].rel in rels}
