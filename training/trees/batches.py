"""Sentences of treebanks as tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rerank.english.trees.heads import SPELLING, spelling
from training.encoders.batches import LengthBatches
from training.masked.vocabulary import CLS, SEP
from training.trees.examples import Example, Labels

__all__ = ["IGNORED", "TreeBatches"]

IGNORED = -100
"""Of a label that a network does not know, and of places behind the end of a sentence."""


class TreeBatches(LengthBatches):
    """Batches of sentences whose words have the word pieces that `tokens` gives."""

    def __init__(
        self,
        examples: Sequence[Example],
        labels: Labels,
        tokens: Callable[[str], Sequence[int]],
        *,
        size: int,
        seed: int,
        updates: int | None = None,
    ) -> None:
        self.examples = examples
        self._pieces = [[tokens(word) for word in one.words] for one in examples]
        self._relations, self._pos, self._features = (
            {label: number for number, label in enumerate(names)}
            for names in (labels.relations, labels.pos, labels.features)
        )
        lengths = [sum(map(len, words)) for words in self._pieces]
        super().__init__(lengths, tokens=size, seed=seed, updates=updates, around=len((CLS, SEP)))

    def __getitem__(self, number: int) -> dict[str, Any]:
        """The fields of a `training.trees.network.Batch`."""
        import torch

        chosen = self.indices(number)
        longest = max(self._lengths[i] for i in chosen) + len((CLS, SEP))
        words = max(len(self._pieces[i]) for i in chosen)
        pieces, attention = (torch.zeros(len(chosen), longest, dtype=torch.long) for _ in range(2))
        first, last = (torch.zeros(len(chosen), words, dtype=torch.long) for _ in range(2))
        labels = {name: torch.full((len(chosen), words), IGNORED) for name in ("heads", "relations", "pos", "features")}
        letters, there = torch.zeros(len(chosen), words, SPELLING), torch.zeros(len(chosen), words)
        for row, i in enumerate(chosen):
            example, own = self.examples[i], self._pieces[i]
            flat = [CLS, *(piece for word in own for piece in word), SEP]
            pieces[row, : len(flat)] = torch.tensor(flat)
            attention[row, : len(flat)] = 1
            ends = torch.tensor([len(word) for word in own]).cumsum(0)
            last[row, : len(own)] = ends
            first[row, : len(own)] = ends - torch.tensor([len(word) for word in own]) + 1
            letters[row, : len(own)] = torch.tensor(spelling(example.words)).float()
            there[row, : len(own)] = 1
            labels["heads"][row, : len(own)] = torch.tensor(example.heads) + 1
            for name, known in (("relations", self._relations), ("pos", self._pos), ("features", self._features)):
                told = [known.get(label, IGNORED) for label in getattr(example, name)]
                labels[name][row, : len(own)] = torch.tensor(told)
        return {
            "pieces": pieces,
            "attention": attention,
            "first": first,
            "last": last,
            "letters": letters,
            "words": there,
            **labels,
        }
