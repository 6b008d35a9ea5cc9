"""How long the longest sentence of a text is, whatever the text leaves out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rerank.analysis import Analysis
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["ShortSentences"]

# Words that a reader takes in at once; a sentence of twice as many counts e times less.
_EASY = 15
_FLOOR = 1e-9


class ShortSentences:
    """exp(−max(0, w − 15) / 15), w = words of the source × the longest sentence's share of the candidate's words.

    So w is how long the longest sentence would be if nothing were left out: cutting a sentence in two counts, dropping
    words does not. Range [1e-9, 1].
    """

    name = "brevity"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def signature(self) -> str:
        return f"brevity:{_EASY}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        whole, *texts = map(_sentence_words, context.analyzer.analyze([source, *(c.text for c in candidates)], ()))
        longest = np.array([sum(whole) * max(words, default=0) / max(1, sum(words)) for words in texts])
        values: FloatArray = np.exp(-np.maximum(0.0, longest - _EASY) / _EASY).clip(_FLOOR, 1.0)
        return values


def _sentence_words(text: Analysis) -> list[int]:
    """The number of words of each sentence."""
    return [sum(any(c.isalnum() for c in token.text) for token in s.tokens) for s in text.sentences]
