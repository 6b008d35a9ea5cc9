"""Examples for a splitter as tensors, and the openers that are learnt of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

from rewrite.splitting.features import FLAGS, POS
from rewrite.splitting.network import NOUNS
from training.heads.batches import LengthBatches, padded, piece_tables
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
        self._openers = {opener: number for number, opener in enumerate(openers)}
        self._styles = {style: number for number, style in enumerate(styles)}
        lengths = [one.features.length for one in examples]
        super().__init__(examples, lengths, tokens=tokens, seed=seed, updates=updates, around=len((CLS, SEP)))

    def __getitem__(self, number: int) -> dict[str, Any]:
        return tensors([self.examples[i] for i in self.indices(number)], self._openers, self._styles)


def tensors(
    examples: Sequence[Example], openers: Mapping[tuple[str, ...], int], styles: Mapping[str, int]
) -> dict[str, Any]:
    """The fields of a `training.splitting.network.Batch`."""
    import torch

    features = [one.features for one in examples]
    first = [list(accumulate(map(len, one.pieces[:-1]), initial=1)) for one in features]
    flags = [[[float(bits >> bit & 1) for bit in range(FLAGS)] for bits in one.flags] for one in features]
    openers_of = [openers.get(one.opener, -1) if one.start and one.opener is not None else -1 for one in examples]
    has_slot = [any(part.startswith("<") for part in one.opener or ()) for one in examples]
    return {
        **piece_tables([[CLS, *chain(*one.pieces), SEP] for one in features]),
        "first": padded(first),
        "heads": padded([one.heads for one in features]),
        "pos": padded([one.pos for one in features]),
        "relations": padded([one.relations for one in features]),
        "flags": padded(flags),
        "words": padded([[1.0] * len(one.pieces) for one in features]),
        "nouns": padded([[float(tag in _NOUNS) for tag in one.pos] for one in features]),
        "style": torch.tensor([styles.get(one.set_name, 0) for one in examples]),
        "end": torch.tensor([one.end for one in features]),
        "start": torch.tensor([one.start for one in examples]),
        "stop": torch.tensor([one.stop for one in examples]),
        "dropped": torch.tensor([one.dropped for one in examples]),
        "opener": torch.tensor(openers_of),
        "antecedent": torch.tensor(
            [
                one.antecedent if opener >= 0 and slot else -1
                for one, opener, slot in zip(examples, openers_of, has_slot, strict=True)
            ]
        ),
    }
