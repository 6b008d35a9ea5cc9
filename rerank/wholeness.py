"""Whether all sentences of a candidate are whole: none a fragment, none torn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["Judge", "Wholeness"]

_FLOOR = 1e-6


class Judge(Protocol):
    """What tells the chance in [0, 1] of each text that it is one complete and well-formed sentence."""

    def probabilities(self, sentences: Sequence[str]) -> npt.NDArray[np.float64]: ...

    def signature(self) -> str: ...


class Wholeness:
    """min over the sentences of P(the sentence is complete and well formed), by a learned judge. Range [1e-6, 1].

    A candidate has its sentences a line each; those that are the source's count as whole, for they were there before.
    The source itself has 1.
    """

    name = "wholeness"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(self, judge: Callable[[], Judge]) -> None:
        self._load = judge

    @cached_property
    def _judge(self) -> Judge:
        return self._load()

    def signature(self) -> str:
        return f"wholeness:1,{self._judge.signature()}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        parts = [[part for part in c.text.split("\n") if part.strip() and part != source] for c in candidates]
        texts = list(dict.fromkeys(part for own in parts for part in own))
        chances = dict(zip(texts, self._judge.probabilities(texts).tolist(), strict=True))
        least = [min((chances[part] for part in own), default=1.0) for own in parts]
        values: FloatArray = np.array(least, dtype=np.float64).clip(_FLOOR, 1.0)
        return values
