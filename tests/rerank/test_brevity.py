"""How long the longest sentence of a text is, as a component."""

from __future__ import annotations

import math

import pytest

from rerank.analysis import Analyzer
from rerank.brevity import ShortSentences
from rerank.scorer import Context
from rerank.types import Candidate


def test_fifteen_words_are_easy_and_thirty_count_e_times_less(analyzer: Analyzer) -> None:
    words = ["слово"] * 15
    texts = [" ".join(words) + ".", " ".join(words * 2) + ".", f"Слово {' '.join(words[1:])}. Слово.", "…"]
    values = ShortSentences().score(texts[0], [Candidate(text) for text in texts], Context(analyzer))
    assert values.tolist() == pytest.approx([1.0, math.exp(-1), 1.0, 1.0])
