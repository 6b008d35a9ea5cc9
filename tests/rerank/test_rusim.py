"""RuSimScore against the paper's Table 1, its equations, and odd input."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.analysis import Analyzer, Sentence, Token
from rerank.errors import UnknownName
from rerank.frequency import FrequencyFile
from rerank.rusim import (
    COMPONENTS,
    VARIANTS,
    LexicalScore,
    calibrate,
    component,
    components,
    grade,
    tree_depth,
)
from rerank.scorer import Context, Scorer
from rerank.similarity import Vectors
from rerank.types import Candidate, FloatArray
from rewrite.compression.word_analysis import WordAnalyzer
from tests.paths import need_data

TABLE: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "table1.json").read_text(encoding="utf-8"))


def values(scorer: Scorer, analyzer: Analyzer, source: str, *texts: str) -> FloatArray:
    return scorer.score(source, [Candidate(text) for text in texts], Context(analyzer))


def of_table(analyzer: Analyzer, scorer: Scorer) -> list[tuple[float, float, bool]]:
    """Ours, the paper's, and whether they should agree, for each row."""
    ours = values(scorer, analyzer, TABLE["source"], *(row["text"] for row in TABLE["rows"]))
    return [
        (value, row[scorer.name], scorer.name not in row["ours_differs"])
        for value, row in zip(ours.tolist(), TABLE["rows"], strict=True)
    ]


@pytest.mark.parametrize("name", ["length", "readability", "depth", "entities"])
def test_table_1(analyzer: Analyzer, name: str) -> None:
    rows = of_table(analyzer, component(name))
    for ours, published, agree in rows:
        assert (abs(ours - published) <= 0.01) == agree, f"{name}: {ours:.3f}, published {published}"
    assert sum(agree for *_, agree in rows) >= (4 if name in {"length", "readability"} else 3)


def test_table_1_lexical(analyzer: Analyzer) -> None:
    scorer = component("lexical", frequencies=FrequencyFile(need_data("freqwords", "ru_50k.txt")))
    rows = of_table(analyzer, scorer)
    for ours, published, agree in rows:
        assert (abs(ours - published) <= 0.01) == agree, f"lexical: {ours:.3f}, published {published}"
    assert sum(agree for *_, agree in rows) == 3


def test_table_1_similarity_has_the_same_order(analyzer: Analyzer) -> None:
    rows = of_table(analyzer, component("similarity"))
    ours, published = [row[0] for row in rows], [row[1] for row in rows]
    assert np.argsort(ours).tolist() == np.argsort(published).tolist()
    assert ours[0] == 1.0


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.0, 0.25), (0.5, 0.5), (0.54, 0.52), (0.55, 0.5 + 0.05 / 1.9), (0.62, 0.5 + 0.12 / 1.8), 
     (0.69, 0.5 + 0.19 / 1.7), (0.733, 0.6664), (0.8, 0.5 + 0.3 / 1.1), (0.9, 0.9), (1.0, 1.0)],
)  # fmt: skip
def test_calibration(value: float, expected: float) -> None:
    assert calibrate(np.array([value]))[0] == pytest.approx(expected, abs=1e-4)


def test_calibration_never_falls() -> None:
    assert (np.diff(calibrate(np.linspace(0, 1, 10_001))) >= 0).all()


@pytest.mark.parametrize(
    ("variant", "n", "m", "expected"),
    [
        ("paper", 11, 10, 0.5),
        ("paper", 6, 10, 1.0),
        ("paper", 7, 10, 0.65),
        ("paper", 3, 4, 0.5),
        ("paper", 0, 4, 0.0),
        ("released", 3, 5, 1.0),
        ("released", 6, 10, 0.5 + 0.2 / 1.4),
        ("released", 3, 10, 0.5),
        ("released", 12, 10, 0.5),
    ],
)
def test_length(analyzer: Analyzer, variant: str, n: int, m: int, expected: float) -> None:
    found = values(component("length", variant=variant), analyzer, "дом " * m, "дом " * n)
    assert found[0] == pytest.approx(expected, abs=1e-9)


def test_readability_is_the_equation(analyzer: Analyzer) -> None:
    text = "Мама мыла раму. Ёж спал."
    ease = 206.835 - 1.52 * 5 / 2 - 65.14 * 8 / 5
    found = values(component("readability", variant="paper"), analyzer, text, text, "Сверхпроизводительнейшими.", "...")
    assert found.tolist() == pytest.approx([0.75 + 0.25 * ease / 100, 0.5, 0.75])


def sentence(heads: Sequence[int]) -> Sentence:
    tokens = [Token(str(n), n, n + 1) for n in range(len(heads))]
    for token, head in zip(tokens, heads, strict=True):
        token.head = head
    return Sentence(0, len(heads), "", tokens)


@pytest.mark.parametrize(
    ("heads", "depth"),
    [([], 0), ([-1], 0), ([-1, 0, 1], 2), ([1, -1, 1], 1), ([0, 0, 1], 2), ([1, 0], 2), ([-1, -1, 1], 1), ([5, -1], 0),
     ([1, 2, 0, 2], 3)],
)  # fmt: skip
def test_depth_of_any_heads(heads: list[int], depth: int) -> None:
    assert tree_depth(sentence(heads)) == depth


@pytest.mark.parametrize(
    ("variant", "source", "text", "expected"),
    [
        ("paper", "Тогда Оскар Александрович Шефер уехал в Москву.", "Тогда Шефер уехал в Москву.", 1.0),
        ("paper", "Тогда Оскар Александрович Шефер уехал в Москву.", "Тогда он уехал в Москву.", 0.5),
        (
            "released",
            "Тогда Оскар Александрович Шефер уехал в Москву.",
            "Тогда Шефер уехал в Москву.",
            0.5 + (1 / 3) / 1.1,
        ),
        ("released", "Мы видели Ивана Петрова в Москве.", "Иван Петров жил в Москве.", 1.0),
        ("paper", "Мы видели Ивана Петрова в Москве.", "Иван Петров жил в Москве.", 1.0),
        ("released", "Дождь идёт с утра.", "Идёт дождь.", 1.0),
    ],
)
def test_entities(analyzer: Analyzer, variant: str, source: str, text: str, expected: float) -> None:
    found = values(component("entities", variant=variant), analyzer, source, text)
    assert found[0] == pytest.approx(expected, abs=1e-9)


def test_a_name_that_was_not_there_costs(analyzer: Analyzer) -> None:
    scorer = component("entities")
    kept, changed = values(
        scorer, analyzer, "Иван Петров уехал в Москву.", "Иван уехал в Москву.", "Пётр уехал в Париж."
    )
    assert kept > changed


class Listed:
    """Frequencies written out by hand."""

    def __init__(self, **known: float) -> None:
        self._known = known

    def lookup(self, words: Iterable[str]) -> dict[str, float]:
        return {word: self._known.get(word.lower(), 0.0) for word in words}

    def signature(self) -> str:
        return "listed"


def test_lexical_is_the_equation(analyzer: Analyzer) -> None:
    frequencies = Listed(кошка=np.exp(-8.0), ест=np.exp(-6.0), рыбу=np.exp(-10.0), он=np.exp(-1.0), три=np.exp(-1.0))
    texts = ("Кошка ест рыбу.", "Он ест рыбу.", "Кошка ест три абракадабры.", "Кошка ест. Кошка ест рыбу.", "Ааабвг!")
    paper = values(LexicalScore(variant="paper", frequencies=frequencies), analyzer, "Кошка.", *texts)
    assert paper.tolist() == pytest.approx(
        [1 - 8 / 40 - 10 / 1600, 1 - 8 / 40 - 10 / 1600, 1 - 7 / 40 - 8 / 1600, 1 - 38 / 5 / 40 - 10 / 1600, 1.0]
    )
    released = values(LexicalScore(variant="released", frequencies=frequencies), analyzer, "Кошка.", *texts)
    one = 1 - 4 / 40 + 0.0025 - 24 / 1600
    short = 1 - 3 / 40 + 0.0025 - 14 / 1600
    assert released[0] == pytest.approx(float(calibrate(np.array([one]))[0]))
    assert released[3] == pytest.approx(float(calibrate(np.array([(one + short) / 2]))[0]))
    assert released[4] == 1.0


def test_common_words_score_higher(analyzer: Analyzer) -> None:
    found = values(component("lexical"), analyzer, "Кошка.", "Большой дом стоит.", "Инфернальный барельеф коррелирует.")
    assert found[0] > found[1]


class Opposite:
    """An encoder whose vectors make every cosine −1."""

    name = "opposite"

    def signature(self) -> str:
        return self.name

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.array([[1.0 if n == 0 else -1.0] for n in range(len(texts))], dtype=np.float32)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_negative_cosine_is_nought(analyzer: Analyzer, variant: str) -> None:
    scorer = component("similarity", variant=variant, encoder=Opposite())
    assert values(scorer, analyzer, "Кошка спит.", "Собака лает.").tolist() == [0.0]
    assert "opposite" in scorer.signature()


@settings(max_examples=12, deadline=None)
@given(st.lists(st.text(max_size=40), min_size=2, max_size=5))
def test_any_text_has_finite_values(texts: list[str]) -> None:
    for variant in VARIANTS:
        for scorer in components(variant=variant):
            found = values(scorer, SHARED, texts[0], *texts[1:])
            assert found.shape == (len(texts) - 1,)
            assert np.isfinite(found).all()
            assert ((found >= 0) & (found <= 1)).all()


SHARED = Analyzer()


@pytest.mark.parametrize("variant", VARIANTS)
def test_order_and_company_change_nothing(analyzer: Analyzer, variant: str) -> None:
    texts = [row["text"] for row in TABLE["rows"]]
    for scorer in components(variant=variant):
        forward = values(scorer, analyzer, TABLE["source"], *texts)
        backward = values(scorer, analyzer, TABLE["source"], *reversed(texts))[::-1]
        np.testing.assert_allclose(forward, backward, atol=1e-6)
        assert values(scorer, analyzer, TABLE["source"]).shape == (0,)


def test_names_order_weights_and_signatures() -> None:
    assert COMPONENTS == ("lexical", "depth", "length", "readability", "similarity", "entities")
    assert tuple(scorer.name for scorer in components()) == COMPONENTS
    signatures = [scorer.signature() for variant in VARIANTS for scorer in components(variant=variant)]
    assert len(set(signatures)) == 12


def test_unknown_names_list_the_known() -> None:
    with pytest.raises(UnknownName, match="lexical, depth, length"):
        component("fluency")
    with pytest.raises(UnknownName, match="paper, released"):
        component("depth", variant="draft")


def test_the_grade_has_the_coefficients_of_russian_textbooks() -> None:
    text = WordAnalyzer("ru").analyze_one("Мама мыла раму. Папа читал газету.")
    assert grade(text, language="ru") == pytest.approx(0.36 * 3 + 5.76 * 13 / 6 - 11.97)
    assert grade(text, 1, language="ru") == pytest.approx(0.36 * 6 + 5.76 * 13 / 6 - 11.97)
    assert grade(WordAnalyzer("ru").analyze_one("— !"), language="ru") == 0
