"""Sources and texts as rows of tokens: by the tokenizer of a packed model, or by one of Hugging Face."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from rerank.evaluator.hf import pair_rows
from rerank.evaluator.pairs import PairRow, row_of
from rerank.masked.packed import Settings
from training.encoders.encoder import read_tokenizer
from training.masked.vocabulary import CLS, MASK, PAD, SEP, UNKNOWN

__all__ = ["MakeRows", "hf_rows", "packed_rows"]

_RECENT = 100
MakeRows = Callable[[Iterable[tuple[str, str]]], Iterator[PairRow]]


def packed_rows(encoder: Path, window: int) -> MakeRows:
    """Rows as `rerank.evaluator.packed` makes them, for the tokenizer in a folder of `training.masked_lm`."""
    tokenizer = read_tokenizer(encoder)
    settings = Settings("", "", window, MASK, PAD, UNKNOWN, (CLS,), (SEP,))

    # Mutations of a text follow it, with the same document.
    @lru_cache(maxsize=_RECENT)
    def tokens(text: str) -> tuple[int, ...]:
        found: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
        return tuple(found) or (UNKNOWN,)

    return lambda pairs: (row_of(source, text, tokens, settings) for source, text in pairs)


def hf_rows(tokenizer: Any, window: int) -> MakeRows:
    """Rows as `rerank.evaluator.hf` makes them."""
    return lambda pairs: pair_rows(tokenizer, pairs, window)
