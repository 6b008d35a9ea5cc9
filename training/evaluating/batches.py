"""Examples for an evaluator as tensors, and how well a network does on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from rerank.masked.base import LogProbs
from rerank.types import FloatArray
from training.evaluating.base import MakeRows
from training.evaluating.examples import HUMAN_LABELLED, NO_GROUP, Taught, groups
from training.finetuning.judging import measuring
from training.heads.batches import LengthBatches, padded, piece_tables

NO_LABEL = -1.0
UNTOLD = 1.0
"""In place of the log-probability of a token that was not asked for."""


class TaughtBatches(LengthBatches):
    """Batches of examples, of which `rows` makes rows of tokens; labels are `[B, outputs]`, or `NO_LABEL`.

    `told` are log-probabilities of the tokens of all rows, for a network that is to say them (`likelihoods`), one row
    behind the other. With `ranked` a good text and its mutations mostly share a batch, and a number in `groups`, `[B]`,
    `NO_GROUP` for other texts. `settings` are those of `LengthBatches`.
    """

    def __init__(
        self,
        examples: Sequence[Taught],
        rows: MakeRows,
        outputs: Sequence[str],
        *,
        pad: int = 0,
        told: LogProbs | None = None,
        ranked: bool = False,
        **settings: Any,
    ) -> None:
        self.outputs = outputs
        self._rows_of, self._pad, self._told, self._ranked = rows, pad, told, ranked
        lengths = [len(row.tokens) for row in rows((one.source, one.text) for one in examples)]
        self._starts = list(accumulate(lengths, initial=0))
        numbers = list(self._numbers(examples)) if ranked else None
        super().__init__(examples, lengths, groups=numbers, **settings)

    @staticmethod
    def _numbers(examples: Sequence[Taught]) -> Iterator[int]:
        """Of each example that of its group, of a text alone another; a negative one of its own where it has none."""
        for n, one in enumerate(examples):
            yield -1 - n if one.group == NO_GROUP else 2 * one.group + (not one.source)

    def of(self, chosen: Sequence[int]) -> TaughtBatches:
        """Batches of some of the examples, by their numbers, each once."""
        examples = [self.examples[n] for n in chosen]
        return TaughtBatches(examples, self._rows_of, self.outputs, tokens=self._most_tokens, seed=0, pad=self._pad)

    def __getitem__(self, number: int) -> dict[str, Any]:
        import torch

        chosen = self.indices(number)
        examples: list[Taught] = [self.examples[i] for i in chosen]
        rows = list(self._rows_of((one.source, one.text) for one in examples))
        batch = {
            **piece_tables([row.tokens for row in rows], self._pad),
            "kinds": padded([row.kinds for row in rows]),
            "labels": torch.tensor([[one.labels.get(name, NO_LABEL) for name in self.outputs] for one in examples]),
        }
        if self._ranked:
            batch["groups"] = torch.from_numpy(np.maximum(NO_GROUP, self._groups[chosen]))
        if self._told is not None:
            batch["told"] = padded([self._told[self._starts[i] : self._starts[i + 1]] for i in chosen], UNTOLD)
        return batch


def said(network: Any, batches: TaughtBatches, say: Callable[..., Any] | None = None) -> FloatArray:
    """What the network says of each example, in their order, `[examples, outputs]`; or what `say` makes of a batch."""
    import torch

    found: dict[int, FloatArray] = {}
    with measuring(network, batches) as every:
        for number, batch in enumerate(every):
            values = say(batch) if say is not None else torch.sigmoid(network(**batch)["logits"].float())
            found |= zip(batches.indices(number), values.float().cpu().numpy().astype(np.float64), strict=True)
    return np.array([found[number] for number in range(len(batches.examples))])


def measure(network: Any, batches: TaughtBatches) -> dict[str, float]:
    """The mean squared error of all outputs, `error`, and of each, with its pairwise accuracy in all and by kind.

    The names of an output's own figures begin with its name; its error is NaN where no example has a label for it.
    """
    values = said(network, batches)
    labels = np.array([[one.labels.get(name, NO_LABEL) for name in batches.outputs] for one in batches.examples])
    there = labels != NO_LABEL
    figures = {"error": float(np.square(values - labels)[there].mean())}
    for column, name in enumerate(batches.outputs):
        chosen = there[:, column]
        figures[f"{name} error"] = float(np.square(values - labels)[chosen, column].mean())
        figures |= {f"{name} {kind}": share for kind, share in pairwise(batches, values[:, column], chosen).items()}
    return figures


def pairwise(batches: TaughtBatches, values: FloatArray, there: FloatArray) -> dict[str, float]:
    """The share in [0, 1] of mutations that get less than the text that they were made of, a tie being half of one.

    By kind, and `pairs` for all of them; a text alone is compared with texts alone.
    """
    wins: defaultdict[str, list[float]] = defaultdict(list)
    for numbers in groups(batches.examples).values():
        own = [n for n in numbers if there[n] and batches.examples[n].kind != HUMAN_LABELLED]
        good = {not batches.examples[n].source: values[n] for n in own if not batches.examples[n].kind}
        for n in own:
            one = batches.examples[n]
            best = good.get(not one.source)
            if one.kind and best is not None:
                win = float(best > values[n]) + 0.5 * float(best == values[n])
                wins[one.kind].append(win)
                wins["pairs"].append(win)
    return {kind: float(np.mean(found)) for kind, found in sorted(wins.items())}
