"""How long the longest sentence of a text is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["ShortSentences"]

# Words that a reader takes in at once; a sentence of twice as many counts e times less.
_EASY = 15
_FLOOR = 1e-9


class ShortSentences:
    """exp(−max(0, w − 15) / 15), where w is the number of words of the longest sentence. Range [1e-9, 1]."""

    name = "brevity"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def signature(self) -> str:
        return f"brevity:{_EASY}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        longest = [
            max((sum(any(c.isalnum() for c in t.text) for t in s.tokens) for s in text.sentences), default=0)
            for text in context.analyzer.analyze([c.text for c in candidates], ())
        ]
        over = np.maximum(0.0, np.array(longest, dtype=np.float64) - _EASY)
        values: FloatArray = np.exp(-over / _EASY).clip(_FLOOR, 1.0)
        return values
