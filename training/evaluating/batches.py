"""Examples for an evaluator as tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rerank.evaluator.pairs import PairRow
from rerank.masked.base import LogProbs
from training.encoders.batches import LengthBatches
from training.evaluating.examples import NO_GROUP, Taught
from training.evaluating.likelihood import UNTOLD

__all__ = ["NO_LABEL", "TaughtBatches"]

NO_LABEL = -1.0


class TaughtBatches(LengthBatches):
    """Batches of examples whose rows of tokens are `rows`; labels are `[B, outputs]`, or `NO_LABEL`.

    `told` are log-probabilities of each row's tokens, for a network that is to say them (`likelihoods`). With `ranked`
    a good text and its mutations mostly share a batch, and a number in `groups`, `[B]`, `NO_GROUP` for other texts.
    """

    def __init__(
        self,
        examples: Sequence[Taught],
        rows: Sequence[PairRow],
        outputs: Sequence[str],
        *,
        tokens: int,
        seed: int,
        updates: int | None = None,
        most: int | None = None,
        pad: int = 0,
        told: Sequence[LogProbs] | None = None,
        ranked: bool = False,
    ) -> None:
        self._told, self._ranked = told, ranked
        self.examples, self._pairs, self._outputs, self._pad = examples, rows, outputs, pad
        self._most_tokens = tokens
        lengths = [len(row.tokens) for row in rows]
        groups = list(self._numbers()) if ranked else None
        super().__init__(lengths, tokens=tokens, seed=seed, updates=updates, rows=most, groups=groups)

    def _numbers(self) -> Iterator[int]:
        """Of each example that of its group, of a text alone another; a negative one of its own where it has none."""
        for n, one in enumerate(self.examples):
            yield -1 - n if one.group == NO_GROUP else 2 * one.group + (not one.source)

    def of(self, chosen: Sequence[int]) -> TaughtBatches:
        """Batches of some of the examples, by their numbers, each once."""
        examples, rows = [self.examples[n] for n in chosen], [self._pairs[n] for n in chosen]
        return TaughtBatches(examples, rows, self._outputs, tokens=self._most_tokens, seed=0, pad=self._pad)

    def __getitem__(self, number: int) -> dict[str, Any]:
        import torch

        chosen = self.indices(number)
        longest = max(len(self._pairs[i].tokens) for i in chosen)
        pieces = torch.full((len(chosen), longest), self._pad, dtype=torch.long)
        kinds = torch.zeros(len(chosen), longest, dtype=torch.long)
        attention = torch.zeros(len(chosen), longest)
        for place, i in enumerate(chosen):
            row = self._pairs[i]
            pieces[place, : len(row.tokens)] = torch.tensor(row.tokens)
            kinds[place, : len(row.kinds)] = torch.tensor(row.kinds)
            attention[place, : len(row.tokens)] = 1
        labels = [[self.examples[i].labels.get(name, NO_LABEL) for name in self._outputs] for i in chosen]
        batch = {"pieces": pieces, "attention": attention, "kinds": kinds, "labels": torch.tensor(labels)}
        if self._ranked:
            batch["groups"] = torch.tensor([max(NO_GROUP, self._groups[i]) for i in chosen])
        if self._told is not None:
            batch["told"] = torch.full((len(chosen), longest), UNTOLD)
            for place, i in enumerate(chosen):
                batch["told"][place, : len(self._told[i])] = torch.from_numpy(self._told[i])
        return batch
