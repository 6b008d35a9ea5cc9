"""What an evaluator is, whatever engine it runs on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rerank.types import FloatArray

__all__ = ["Evaluator"]


class Evaluator(Protocol):
    """Gives a text beside its source a number in [0, 1] for each thing that it was taught to tell."""

    name: str
    language: str

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the columns of `judge`."""
        ...

    def signature(self) -> str:
        """Name and a checksum of the weights: equal signatures mean equal values for equal pairs."""
        ...

    def judge(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """What it says of each (source, text), `[pairs, outputs]`, each value in [0, 1]."""
        ...
