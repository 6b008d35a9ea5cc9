"""Examples as tensors, and the openers that are learnt of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rewrite.splitting.features import FLAGS, POS
from rewrite.splitting.network import NOUNS
from training.encoders.batches import LengthBatches
from training.masked.vocabulary import CLS, SEP
from training.splitting.examples import Example

__all__ = ["SplitBatches", "count_openers", "tensors"]

# Openers are made of these words and slots alone, so none can bring in what the source does not say.
_CLOSED = frozenset(
    """
    he she it they this these that those there his her its their i we you the is was are were has have had be been
    does do did also then however , later in at on of from to for by with as after where when who one some others
    both another therefore thus so but still instead additionally furthermore addition 's such now here <full>
    <definite> <short> <last> <past> <present>
    """.split()
)
_NOUNS = frozenset(POS.index(name) for name in NOUNS)


def count_openers(examples: Sequence[Example], least: int) -> list[tuple[str, ...]]:
    """The openers that stand in at least so many examples and hold closed-class words and slots alone."""
    counts = Counter(one.opener for one in examples if one.opener is not None)
    fit = [(opener, count) for opener, count in counts.items() if count >= least and _fits(opener)]
    return [opener for opener, _ in sorted(fit, key=lambda item: (-item[1], item[0]))]


def _fits(opener: tuple[str, ...]) -> bool:
    slots = [part for part in opener if part.startswith("<")]
    return set(opener) <= _CLOSED and len(slots) == len(set(slots))


class SplitBatches(LengthBatches):
    """Batches of sentences; `styles` are the sets by name: which one an example is of is told to the network."""

    def __init__(
        self,
        examples: Sequence[Example],
        openers: Sequence[tuple[str, ...]],
        styles: Sequence[str],
        *,
        tokens: int,
        seed: int,
        updates: int | None = None,
    ) -> None:
        self._examples = examples
        self._openers = {opener: number for number, opener in enumerate(openers)}
        self._styles = {style: number for number, style in enumerate(styles)}
        lengths = [one.features.length for one in examples]
        super().__init__(lengths, tokens=tokens, seed=seed, updates=updates, around=len((CLS, SEP)))

    def __getitem__(self, number: int) -> dict[str, Any]:
        return tensors([self._examples[i] for i in self.indices(number)], self._openers, self._styles)


def tensors(
    examples: Sequence[Example], openers: Mapping[tuple[str, ...], int], styles: Mapping[str, int]
) -> dict[str, Any]:
    """The fields of a `training.splitting.network.Batch`."""
    import torch

    size, length = len(examples), max(one.features.length for one in examples) + 2
    words = max(len(one.features.pieces) for one in examples)
    pieces, attention = torch.zeros(size, length, dtype=torch.long), torch.zeros(size, length, dtype=torch.long)
    first, heads, pos, relations = (torch.zeros(size, words, dtype=torch.long) for _ in range(4))
    flags, there, nouns = torch.zeros(size, words, FLAGS), torch.zeros(size, words), torch.zeros(size, words)
    for row, one in enumerate(examples):
        found = one.features
        flat = [CLS, *(piece for word in found.pieces for piece in word), SEP]
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
    return {
        "pieces": pieces,
        "attention": attention,
        "first": first,
        "heads": heads,
        "pos": pos,
        "relations": relations,
        "flags": flags,
        "words": there,
        "nouns": nouns,
        "style": torch.tensor([styles.get(one.origin.partition(":")[0], 0) for one in examples]),
        **_wanted(examples, openers),
    }


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
