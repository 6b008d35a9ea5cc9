"""A generator and a scorer of one's own: `pip install examples/plugin`, then

rewrite simplify --generator phrases -w plainness=4 "На сегодняшний день музей закрыт в связи с тем, что крыша течёт."
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from rerank.analysis import Analyzer
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.generators import Sampling

PHRASES = {
    "на сегодняшний день": "сейчас",
    " в связи с тем, что": ", потому что",
    "в целях": "для",
    " в количестве": "",
}


class PhraseGenerator:
    """Office phrases in plain words: every set of those that a sentence has, the largest first."""

    name = "phrases"

    def __init__(self, *, analyzer: Analyzer) -> None:
        pass  # this one reads no parse

    def describe(self) -> Mapping[str, object]:
        return {"phrases": len(PHRASES)}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        return [[Candidate(text, generator=self.name) for text in _texts(s)[: sampling.n]] for s in sources]


def _texts(source: str) -> list[str]:
    phrases = [phrase for phrase in PHRASES if phrase in source.lower()]
    chosen = [set_ for size in range(len(phrases), 0, -1) for set_ in combinations(phrases, size)]
    return [_replaced(source, set_) for set_ in chosen]


def _replaced(text: str, phrases: Sequence[str]) -> str:
    for phrase in phrases:
        text = re.sub(re.escape(phrase), PHRASES[phrase], text, flags=re.IGNORECASE)
    text = " ".join(text.split())
    return text[:1].upper() + text[1:]


class Plainness:
    """1 / (1 + the number of office phrases in a text); the range is (0, 1]."""

    name = "plainness"
    range = (0.0, 1.0)
    needs: frozenset[str] = frozenset()

    def signature(self) -> str:
        return "plainness:1"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        counts = [sum(phrase in candidate.text.lower() for phrase in PHRASES) for candidate in candidates]
        return 1.0 / (1.0 + np.array(counts, dtype=np.float64))
