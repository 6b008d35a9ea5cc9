"""Examples as batches of token numbers, of like length and about as many tokens each."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from training.papers.websplit.copying import PAD
from training.papers.websplit.examples import Example

__all__ = ["Encoded", "batches", "encode", "padded"]

Encoded = tuple[tuple[list[int], ...], list[int]]
"""Token numbers of the sources and of the target; all with their begin and end."""
# Rows are sorted by length within so many batches, so that an epoch is still in random order.
_SORTED = 50


def encode(tokenizer: Any, examples: Sequence[Example], *, longest: int) -> list[Encoded]:
    """The examples none of whose texts is longer than `longest` tokens."""
    count = len(examples[0].sources) if examples else 0
    sides = [
        [row.ids for row in tokenizer.encode_batch(texts)]
        for texts in (
            *([example.sources[place] for example in examples] for place in range(count)),
            [example.target for example in examples],
        )
    ]
    rows = (((*sources,), target) for *sources, target in zip(*sides, strict=True))
    return [(s, t) for s, t in rows if max(map(len, (*s, t))) <= longest]


def batches(rows: Sequence[Encoded], *, tokens: int, seed: int) -> Iterator[list[Encoded]]:
    """Batches of at most `tokens` tokens of sources and targets, padding counted, epoch after epoch without end."""
    draw = random.Random(seed)
    while True:
        order = draw.sample(range(len(rows)), len(rows))
        chunk = max(1, _SORTED * tokens // 60)
        epoch: list[list[Encoded]] = []
        for start in range(0, len(order), chunk):
            near = sorted((rows[i] for i in order[start : start + chunk]), key=_size)
            epoch += _filled(near, tokens)
        draw.shuffle(epoch)
        yield from epoch


def _size(row: Encoded) -> int:
    return sum(map(len, row[0])) + len(row[1])


def _filled(rows: Sequence[Encoded], tokens: int) -> list[list[Encoded]]:
    found: list[list[Encoded]] = []
    for row in rows:
        # Sorted, so the row that comes is the longest.
        if found and _size(row) * (len(found[-1]) + 1) <= tokens:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def padded(rows: Sequence[Sequence[int]]) -> Any:
    """The rows as one tensor of int64, padded at the end."""
    import torch

    longest = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in rows])
