"""How long the longest sentence of a text is, as a component."""

from __future__ import annotations

import math

import pytest

from rerank.analysis import Analyzer
from rerank.scorer import Context
from rerank.structure import ShortSentences
from rerank.types import Candidate


def test_fifteen_words_are_easy_and_thirty_count_e_times_less(analyzer: Analyzer) -> None:
    half = " ".join(["слово"] * 15) + "."
    whole = " ".join(["слово"] * 30) + "."
    texts = [whole, f"{half} {half.capitalize()}", half, "…"]
    values = ShortSentences().score(whole, [Candidate(text) for text in texts], Context(analyzer))
    # Half of the words left out is as long a sentence as before.
    assert values.tolist() == pytest.approx([math.exp(-1), 1.0, math.exp(-1), 1.0])
