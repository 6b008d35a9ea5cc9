"""What a masked language model is asked for: distributions at masked positions, and vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from rerank.errors import TextTooLong

LogProbs = npt.NDArray[np.float32]
_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Word:
    """A word or punctuation mark of a text, and whether a space stands before it."""

    text: str
    spaced: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """One line of tokens for the model, special tokens and masks in place, and the places whose words are asked for.

    `positions` count tokens from 0, special tokens included.
    """

    tokens: tuple[int, ...]
    positions: tuple[int, ...]


@runtime_checkable
class MaskedModel(Protocol):
    """A masked language model behind any engine.

    Texts reach it word by word: the tokens of a text are those of its words one after the other, between `prefix` and
    `suffix`, so that a text without some of its words needs no new tokenising, and words that two texts share have the
    same tokens in both.
    """

    @property
    def name(self) -> str: ...

    @property
    def window(self) -> int:
        """How many tokens a row may have, special tokens included."""
        ...

    @property
    def mask(self) -> int:
        """The token that stands for a masked one."""
        ...

    @property
    def prefix(self) -> tuple[int, ...]:
        """Tokens before every text ([CLS], <s>)."""
        ...

    @property
    def suffix(self) -> tuple[int, ...]:
        """Tokens after every text ([SEP], </s>)."""
        ...

    def signature(self) -> str:
        """Name, version and a checksum of the weights: equal signatures mean equal values for equal input."""
        ...

    def tokens(self, word: Word) -> tuple[int, ...]:
        """The sub-words of a word, at least one: the unknown token where the model has none."""
        ...

    def predict(self, rows: Sequence[Row]) -> list[LogProbs]:
        """Natural-log probabilities over the vocabulary, for each row an array `[len(row.positions), vocabulary]`.

        Rows may have any lengths and come in any order; batching, sorting and padding are the engine's matter, and no
        row's values depend on the others beyond rounding. Raises `TextTooLong` for a row longer than `window`.
        """
        ...

    def vectors(self, rows: Sequence[tuple[int, ...]]) -> list[LogProbs]:
        """The last layer's vectors, for each row of tokens an array `[tokens, size]`."""
        ...


def in_batches(
    items: Sequence[_Item],
    run: Callable[[list[_Item]], Iterable[_Answer]],
    *,
    lengths: Sequence[int],
    tokens: int,
    window: int,
    name: str,
) -> list[_Answer]:
    """What `run` answers to each of `items`, in their order; it is given as many as make at most `tokens`, long first.

    `lengths` are the tokens of each, padding to the longest of a batch counts. Raises `TextTooLong` for an item longer
    than `window`, that of the model `name`, before the first batch.
    """
    order = sorted(range(len(items)), key=lambda i: -lengths[i])
    if order and lengths[order[0]] > window:
        longest = lengths[order[0]]
        raise TextTooLong(f"A text takes {longest:,} tokens, the model {name} {window:,}.", hint="Split the text.")
    answers: dict[int, _Answer] = {}
    start = 0
    while start < len(order):
        batch = order[start : start + max(1, tokens // max(1, lengths[order[start]]))]
        answers.update(zip(batch, run([items[i] for i in batch]), strict=True))
        start += len(batch)
    return [answers[i] for i in range(len(items))]
