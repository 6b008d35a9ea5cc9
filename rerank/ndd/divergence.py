"""How far apart two distributions over a vocabulary are, from their log-probabilities."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rerank.errors import UnknownName
from rerank.masked.base import LogProbs
from rerank.types import FloatArray

__all__ = ["Divergence", "divergence", "hellinger", "kullback_leibler", "reverse_kullback_leibler"]

Divergence = Callable[[LogProbs, LogProbs], FloatArray]
"""Takes natural-log probabilities of the initial and of the edited text, `[…, vocabulary]`; gives values ≥ 0, `[…]`."""


def hellinger(initial: LogProbs, edited: LogProbs) -> FloatArray:
    """The Hellinger distance, √(½ Σ (√q − √q′)²), in [0, 1] and symmetric (section 3 of the paper)."""
    gaps = np.exp(initial * 0.5) - np.exp(edited * 0.5)
    # Rounding must not carry it over its bound.
    return np.sqrt(np.minimum(_sum(gaps * gaps) / 2, 1.0))


def kullback_leibler(initial: LogProbs, edited: LogProbs) -> FloatArray:
    """KL(q′ ‖ q) = Σ q′ log(q′ / q), in [0, ∞): the initial text's q is the approximation (section 4.2)."""
    return _divergence(edited, initial)


def reverse_kullback_leibler(initial: LogProbs, edited: LogProbs) -> FloatArray:
    """KL(q ‖ q′) = Σ q log(q / q′), in [0, ∞): the paper's NDD* (Table 12)."""
    return _divergence(initial, edited)


def _divergence(true: LogProbs, approximation: LogProbs) -> FloatArray:
    # Of two distributions that are nearly equal, rounding makes it a little less than nothing.
    return np.maximum(_sum(np.exp(true) * (true - approximation)), 0.0)


def _sum(terms: LogProbs) -> FloatArray:
    total: FloatArray = terms.sum(axis=-1, dtype=np.float64)
    return total


_KNOWN: dict[str, Divergence] = {
    "hellinger": hellinger,
    "kl": kullback_leibler,
    "kl-reverse": reverse_kullback_leibler,
}


def divergence(name: str) -> Divergence:
    """The function called `name`: `hellinger`, `kl` (as printed) or `kl-reverse`. Raises `UnknownName`."""
    if name not in _KNOWN:
        raise UnknownName(f"Unknown divergence {name!r}.", hint=f"Known: {', '.join(_KNOWN)}.")
    return _KNOWN[name]
