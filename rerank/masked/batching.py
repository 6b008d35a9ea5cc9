"""Rows of tokens in batches of about one length, for the engines of masked language models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rerank.errors import TextTooLong

__all__ = ["batches"]


def batches(rows: Sequence[tuple[int, ...]], *, tokens: int, window: int, name: str) -> Iterator[list[int]]:
    """Indices of `rows`, longest first, each time as many as make at most `tokens` tokens, padding included.

    Raises `TextTooLong` for a row longer than `window`, that of the model `name`, before the first batch.
    """
    order = sorted(range(len(rows)), key=lambda i: -len(rows[i]))
    if order and len(rows[order[0]]) > window:
        longest = len(rows[order[0]])
        raise TextTooLong(f"A text takes {longest:,} tokens, the model {name} {window:,}.", hint="Split the text.")
    start = 0
    while start < len(order):
        size = max(1, tokens // max(1, len(rows[order[start]])))
        yield order[start : start + size]
        start += size
