"""How little a candidate risks, by its generator's own account."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["Caution"]

_FLOOR = 1e-6


class Caution:
    """exp(−risk), where risk is what the generator says against its own candidate (`Candidate.risk`, ≥ 0).

    Range [1e-6, 1]; 1 for a candidate that risks nothing, for one whose generator does not say, and for the source.
    The `edits` generator gives −log of the chance that an editor would pass all of its edits, as learnt from judged
    ones: caution is then that chance.
    """

    name = "caution"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def signature(self) -> str:
        return "caution:2"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        risks = np.array([candidate.risk for candidate in candidates], dtype=np.float64)
        values: FloatArray = np.exp(-risks).clip(_FLOOR, 1.0)
        return values
