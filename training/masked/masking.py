"""Which tokens of a batch are masked: drawn anew for each batch, and the same again for the same random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["choose"]

Flags = NDArray[np.bool_]


def choose(
    starts: NDArray[Any], lengths: NDArray[np.int64], rng: np.random.Generator, *, share: float, whole: float
) -> Flags:
    """True at each token to be masked, (rows, longest); never a special token, and in each row at least one.

    `starts` (rows, longest) is 1 where a word begins. A row's own share is drawn from 0.5 to 1.5 times `share`. In the
    share `whole` of rows words are masked with all their tokens, in the others each token for itself.
    """
    rows, longest = starts.shape
    places = np.arange(longest)
    free = (places > 0) & (places < lengths[:, None] - 1)
    words = np.cumsum(starts, axis=1) - 1
    by_token = rng.random((rows, longest))
    by_word = np.take_along_axis(rng.random((rows, longest)), np.minimum(words, longest - 1), axis=1)
    drawn = np.where(rng.random((rows, 1)) < whole, by_word, by_token)
    drawn = np.where(free, drawn, 2.0)
    bound = share * (0.5 + rng.random((rows, 1)))
    chosen: Flags = free & (drawn <= np.maximum(bound, drawn.min(axis=1, keepdims=True)))
    return chosen
