"""Sentences of treebanks, as a parser learns them, and in batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any

from rerank.english.trees.heads import spelling
from training.heads.batches import LengthBatches, padded, piece_tables
from training.masked.vocabulary import CLS, SEP
from training.parsing.treebanks import Block, unified

IGNORED = -100
"""Of a label that a network does not know, and of places behind the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence: of each word the head (−1 for the root), relation, part of speech and features as one text."""

    words: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    pos: tuple[str, ...]
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """All that a network may say of a word."""

    relations: tuple[str, ...]
    pos: tuple[str, ...]
    features: tuple[str, ...]


def example_of(block: Block) -> Example:
    """A sentence with the labels that treebanks share; words that are written together stand apart."""
    rows = [line.split("\t") for line in unified(block, names=False).split("\n")]
    rows = [row for row in rows if row[0].isdigit()]
    return Example(
        words=tuple(row[1] for row in rows),
        heads=tuple(int(row[6]) - 1 for row in rows),
        relations=tuple(row[7] for row in rows),
        pos=tuple(row[3] for row in rows),
        features=tuple("" if row[5] == "_" else row[5] for row in rows),
    )


def count_labels(examples: Sequence[Example], least: int) -> Labels:
    """The labels of some sentences, sorted; of features those that so many words have."""
    features = Counter(chain.from_iterable(example.features for example in examples))
    return Labels(
        _sorted(chain.from_iterable(example.relations for example in examples)),
        _sorted(chain.from_iterable(example.pos for example in examples)),
        _sorted(key for key, count in features.items() if count >= least),
    )


def _sorted(labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(labels)))


class TreeBatches(LengthBatches):
    """Batches of sentences whose words have the word pieces that `pieces` gives; `settings` as of `LengthBatches`."""

    def __init__(
        self,
        examples: Sequence[Example],
        labels: Labels,
        pieces: Callable[[str], Sequence[int]],
        **settings: Any,
    ) -> None:
        self.labels = labels
        self._pieces = [[pieces(word) for word in example.words] for example in examples]
        self._numbers = {
            name: {label: number for number, label in enumerate(getattr(labels, name))}
            for name in ("relations", "pos", "features")
        }
        lengths = [sum(map(len, words)) for words in self._pieces]
        super().__init__(examples, lengths, around=len((CLS, SEP)), **settings)

    def __getitem__(self, number: int) -> dict[str, Any]:
        """The fields of a `training.parsing.network.Batch`."""
        chosen = self.indices(number)
        examples: list[Example] = [self.examples[i] for i in chosen]
        words = [self._pieces[i] for i in chosen]
        last = [list(accumulate(map(len, row))) for row in words]
        first = [[1, *(end + 1 for end in row[:-1])] for row in last]
        return {
            **piece_tables([[CLS, *chain(*row), SEP] for row in words]),
            "first": padded(first),
            "last": padded(last),
            "letters": padded([spelling(example.words) for example in examples]).float(),
            "words": padded([[1.0] * len(row) for row in words]),
            "heads": padded([[head + 1 for head in example.heads] for example in examples], IGNORED),
            **{
                name: padded([[known.get(label, IGNORED) for label in getattr(row, name)] for row in examples], IGNORED)
                for name, known in self._numbers.items()
            },
        }
