"""Perplexity under a masked language model, and how far a candidate's is from its source's (ΔPPL)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rerank.ndd.base import MaskedScorer
from rerank.ndd.reading import predicted
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["PerplexityScorer"]


class PerplexityScorer(MaskedScorer):
    """exp(−|PPL(W′) − PPL(W)|), in [0, 1]; 1 for the same text.

    PPL(W) = 1/n Σ −log pᵢ over the n sub-words of W, where pᵢ is the probability of sub-word i with it alone masked
    (section 2.1 of the paper). That is the logarithm of what is usually called perplexity, and of what Table 10 prints.
    """

    name = "ppl"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        texts = [candidate.text for candidate in candidates]
        gaps = np.abs(self.differences(source, texts))
        return np.exp(-gaps)

    def differences(self, source: str, texts: Sequence[str]) -> FloatArray:
        """ΔPPL = PPL(W′) − PPL(W) of each text, shape `[n]`: negative where it is the more probable one."""
        own, *values = self.perplexities([source, *texts], self.language_of(source)).tolist()
        return np.array([0.0 if value == own else value - own for value in values], dtype=np.float64)

    def perplexities(self, texts: Sequence[str], language: str) -> FloatArray:
        """PPL as printed, a mean of −log p ≥ 0, of each text, shape `[n]`; infinite for a text without words."""
        distinct = list(dict.fromkeys(texts))
        readings = self.read(distinct, language)
        rows = [
            ((number, token), row)
            for number, reading in enumerate(readings)
            for place, tokens in enumerate(reading.tokens)
            for token, row in zip(tokens, reading.rows(place, "piece", by_sentence=not reading.fits), strict=True)
        ]
        totals = np.zeros(len(distinct))
        for (number, token), found in predicted(self.model_for(language), rows):
            totals[number] -= float(found[0, token])
        sizes = np.array([sum(map(len, reading.tokens)) for reading in readings], dtype=np.float64)
        means = np.divide(totals, sizes, out=np.full(len(distinct), np.inf), where=sizes > 0)
        places = {text: number for number, text in enumerate(distinct)}
        values: FloatArray = means[[places[text] for text in texts]]
        return values
