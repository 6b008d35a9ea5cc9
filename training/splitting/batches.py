"""Examples as tensors: sentences of like length share a batch, drawn anew in each epoch."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rewrite.splitting.features import FLAGS, POS
from training.splitting.examples import Example
from training.splitting.network import Batch

__all__ = ["batches", "count_openers", "tensors"]

# Openers are made of these words and slots alone, so none can bring in what the source does not say.
_CLOSED = frozenset(
    """
    he she it they this these that those there his her its their i we you the is was are were has have had be been
    does do did also then however , later in at on of from to for by with as after where when who one some others
    both another therefore thus so but still instead additionally furthermore addition 's such now here <full>
    <definite> <short> <last> <past> <present>
    """.split()
)
_NOUNS = frozenset(POS.index(name) for name in ("NOUN", "PROPN", "NUM"))


def count_openers(examples: Sequence[Example], least: int) -> list[tuple[str, ...]]:
    """The openers that stand in at least so many examples and hold closed-class words and slots alone."""
    counts = Counter(one.opener for one in examples if one.opener is not None)
    fit = [(opener, count) for opener, count in counts.items() if count >= least and _fits(opener)]
    return [opener for opener, _ in sorted(fit, key=lambda item: (-item[1], item[0]))]


def _fits(opener: tuple[str, ...]) -> bool:
    slots = [part for part in opener if part.startswith("<")]
    return set(opener) <= _CLOSED and len(slots) == len(set(slots))


def batches(examples: Sequence[Example], tokens: int, seed: int) -> Iterator[list[Example]]:
    """All examples once, in batches of at most so many pieces, padding included, in an order drawn by the seed."""
    rng = random.Random(seed)
    order = sorted(examples, key=lambda one: one.features.length + rng.uniform(-3, 3))
    made: list[list[Example]] = []
    batch: list[Example] = []
    for one in order:
        longest = max([one.features.length, *(other.features.length for other in batch[-40:])])
        if batch and (len(batch) + 1) * (longest + 2) > tokens:
            made.append(batch)
            batch = []
        batch.append(one)
    made += [batch] if batch else []
    rng.shuffle(made)
    yield from made


def tensors(examples: Sequence[Example], openers: Mapping[tuple[str, ...], int], prefix: int, suffix: int) -> Batch:
    """A batch of examples as tensors; `prefix` and `suffix` are the pieces before and after a sentence."""
    import torch

    size, length = len(examples), max(one.features.length for one in examples) + 2
    words = max(len(one.features.pieces) for one in examples)
    pieces, attention = torch.zeros(size, length, dtype=torch.long), torch.zeros(size, length, dtype=torch.long)
    first, heads, pos, relations = (torch.zeros(size, words, dtype=torch.long) for _ in range(4))
    flags, there, nouns = torch.zeros(size, words, FLAGS), torch.zeros(size, words), torch.zeros(size, words)
    for row, one in enumerate(examples):
        found = one.features
        flat = [prefix, *(piece for word in found.pieces for piece in word), suffix]
        pieces[row, : len(flat)] = torch.tensor(flat)
        attention[row, : len(flat)] = 1
        count, place = len(found.pieces), 1
        for number, word in enumerate(found.pieces):
            first[row, number] = place
            place += len(word)
        heads[row, :count] = torch.tensor(found.heads)
        pos[row, :count] = torch.tensor(found.pos)
        relations[row, :count] = torch.tensor(found.relations)
        bits = torch.tensor(found.flags)
        flags[row, :count] = torch.stack([(bits >> bit) & 1 for bit in range(FLAGS)], 1).float()
        there[row, :count] = 1
        nouns[row, :count] = torch.tensor([float(tag in _NOUNS) for tag in found.pos])
    return Batch(
        pieces=pieces, attention=attention, first=first, heads=heads, pos=pos, relations=relations, flags=flags,
        words=there, nouns=nouns, **_wanted(examples, openers),
    )  # fmt: skip


def _wanted(examples: Sequence[Example], openers: Mapping[tuple[str, ...], int]) -> dict[str, Any]:
    import torch

    opener = [openers.get(one.opener, -1) if one.start and one.opener is not None else -1 for one in examples]
    noun = [
        one.antecedent if known >= 0 and any(part.startswith("<") for part in one.opener or ()) else -1
        for one, known in zip(examples, opener, strict=True)
    ]
    return {
        "end": torch.tensor([one.features.end for one in examples]),
        "start": torch.tensor([one.start for one in examples]),
        "stop": torch.tensor([one.stop for one in examples]),
        "dropped": torch.tensor([one.dropped for one in examples]),
        "opener": torch.tensor(opener),
        "antecedent": torch.tensor(noun),
    }
