"""The fast paths of analysis give slovnet's tags, exactly."""

from __future__ import annotations

import random
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.analysis import Analyzer
from rerank.taggers import Windows
from tests.paths import need_data


@given(st.lists(st.lists(st.sampled_from("абвг"), max_size=12), min_size=1, max_size=8))
@settings(max_examples=30, deadline=None)
def test_windows_are_numbered_by_what_they_hold(sequences: list[list[str]]) -> None:
    windows = Windows(sequences)
    held: list[tuple[object, ...]] = []
    for sequence in sequences:
        padded = [None] * 3 + sequence + [None] * 3
        held += [tuple(padded[i : i + 7]) for i in range(len(sequence))]
    assert len(windows.tokens) == len(held)
    for number, other in zip(windows.tokens.tolist(), held, strict=True):
        same = [n for n, window in zip(windows.tokens.tolist(), held, strict=True) if window == other]
        assert set(same) == {number}
    assert len(set(windows.tokens.tolist())) == len(set(held))


def texts_to_tag() -> list[str]:
    dev = need_data("rsse", "dev_sents.csv")
    from rewrite.datasets import load_rsse

    rng = random.Random(5)
    found = []
    for item in load_rsse(dev)[::60]:
        words = item.source.split()
        dropped = [" ".join(word for word in words if rng.random() > 0.25) for _ in range(3)]
        found += [item.source, *item.references, *dropped]
    return list(dict.fromkeys(found))


def test_tags_are_those_of_slovnet_one_text_at_a_time(analyzer: Analyzer) -> None:
    texts = texts_to_tag()
    fresh = Analyzer()
    vars(fresh).update({k: v for k, v in vars(analyzer).items() if k not in vars(fresh)})
    fresh.load()
    for text, analysis in zip(texts, fresh.analyze(texts, ("morph", "syntax", "entities")), strict=True):
        for sentence in analysis.sentences:
            words = [token.text for token in sentence.tokens]
            morph = fresh._morph._slovnet(words).tokens
            syntax = fresh._syntax._slovnet(words).tokens
            assert [(t.pos, t.feats) for t in sentence.tokens] == [(t.pos, t.feats) for t in morph]
            heads = [int(t.head_id) - 1 for t in syntax]
            assert [(t.head, t.rel) for t in sentence.tokens] == list(zip(heads, [t.rel for t in syntax], strict=True))
        spans = fresh._ner._slovnet(text).spans
        assert [(e.start, e.stop, e.type) for e in analysis.entities] == [(s.start, s.stop, s.type) for s in spans]


def test_close_decisions_are_left_to_slovnet(analyzer: Analyzer, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["Филипп", "женился", "на", "Клеопатре", "."]
    analyzer.load()
    windows = Windows([words])
    expected = analyzer._syntax([words], windows)
    monkeypatch.setattr("rerank.taggers._CLOSE", np.inf)
    alone = Mock(wraps=analyzer._syntax._alone)
    monkeypatch.setattr(analyzer._syntax, "_alone", alone)
    assert analyzer._syntax([words], windows) == expected
    alone.assert_called_once_with(words)


def test_a_long_text_is_cut_not_refused(analyzer: Analyzer) -> None:
    analysis = analyzer.analyze_one("слово " * 1000, ("morph", "syntax", "entities"))
    assert len(analysis.tokens) == 1000
    assert all(token.pos for token in analysis.tokens)
    assert all(-1 <= token.head < 1000 for token in analysis.tokens)
