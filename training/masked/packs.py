"""Texts as tokens, with a mark at each token that begins a word; kept as a pack of pairs of these two."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from training.packed import write_pack

__all__ = ["begins", "encoded", "write_rows"]

_CHUNK = 5_000
_JOINERS = frozenset("-.,/:&'’")


def begins(text: str, tokens: Sequence[str], offsets: Sequence[tuple[int, int]]) -> list[int]:
    """For each token 1 where a word begins, 0 where it goes on: `well-known` and `1,300` are one word each."""
    found: list[int] = []
    for i, (token, (start, end)) in enumerate(zip(tokens, offsets, strict=True)):
        touches = i > 0 and offsets[i - 1][1] == start
        if text[start:end] in _JOINERS:
            goes_on = touches and text[start - 1].isalnum() and text[end : end + 1].isalnum()
        else:
            # After a joiner that goes on itself, and so stands between two letters or numbers.
            goes_on = touches and text[start - 1] in _JOINERS and not found[-1]
        found.append(0 if goes_on or token.startswith("##") else 1)
    return found


def encoded(tokenizer: Any, texts: Iterable[str], window: int) -> Iterator[tuple[list[int], list[int]]]:
    """Tokens and marks of each text that fits the window, special tokens included (each a word of its own)."""
    left = iter(texts)
    while chunk := list(itertools.islice(left, _CHUNK)):
        for text, one in zip(chunk, tokenizer.encode_batch(chunk), strict=True):
            if 2 < len(one.ids) <= window:
                marks = begins(text, one.tokens[1:-1], one.offsets[1:-1])
                yield one.ids, [1, *marks, 1]


def write_rows(folder: Path, tokenizer: Any, texts: Iterable[str], window: int) -> int:
    """Write the texts to a pack; returns how many fit. Raises `CannotWrite`."""
    return write_pack(folder, encoded(tokenizer, texts, window))
