"""A language model judges splits once more: what it tells of them, and which it is not asked about."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rewrite.acceptance.verdict import LineAcceptance, VerdictModel
from rewrite.splitting.likelihood import FEATURES, LikelihoodJudge
from tests.fakes import WordModel

SOURCE = "He left, but she stayed."
GOOD, BAD = ("He left.", "But she stayed."), ("He left, but.", "She stayed.")
# A word that ends a sentence of BAD, and the chance that a reader passes it.
UNLIKELY, DOUBTED = {"but.": -4.0}, {" ".join(BAD): math.log(0.1)}


def judge(model: WordModel) -> LikelihoodJudge:
    return LikelihoodJudge(VerdictModel(model))


def test_what_it_tells_of_a_split() -> None:
    model = WordModel(words=UNLIKELY, ends={" ".join(GOOD): math.log(0.75), **DOUBTED})
    (rows,) = judge(model).features([(SOURCE, [GOOD, BAD])])
    assert rows.shape == (2, len(FEATURES))
    # What the model says of an end is the verdict, and no part of the change.
    assert rows == pytest.approx(np.array([[0.0, math.log(3)], [-3.9, -math.log(9)]]))
    assert [text for _, text in model.asked] == [SOURCE, " ".join(GOOD), " ".join(BAD)]
    assert {text for text, _ in model.asked} == {f"{SOURCE}\n3824\n"}


def test_the_bundled_line_prefers_what_a_reader_would_pass() -> None:
    (chances,) = judge(WordModel(words=UNLIKELY, ends=DOUBTED)).judged([(SOURCE, {GOOD: 0.5, BAD: 0.5})])
    assert chances[GOOD] > 0.5 > chances[BAD]


def test_of_what_is_unlikely_or_too_long_the_first_chance_stays() -> None:
    model = WordModel(window=30)
    long = ("He left at once with his dog.", "But she stayed.")
    offered = [(SOURCE, {BAD: 0.05}), (SOURCE, {GOOD: 0.5, long: 0.5}), (SOURCE, {})]
    assert judge(model).judged(offered) == [chances for _, chances in offered]
    assert model.asked == []


def test_a_sentence_of_over_a_hundred_words_is_not_asked_about() -> None:
    model = WordModel(window=2_000)
    for words, asked in ((100, 2), (101, 0)):
        model.asked.clear()
        judge(model).judged([("word " * words, {GOOD: 0.5})])
        assert len(model.asked) == asked


def test_sentences_are_asked_about_together() -> None:
    other = ("She came.", "He saw her.")
    model = WordModel(ends={" ".join(other): math.log(0.2)})
    together = judge(model).judged([(SOURCE, {GOOD: 0.5}), ("She came, and he saw her.", {other: 0.7})])
    assert together[0] == judge(WordModel()).judged([(SOURCE, {GOOD: 0.5})])[0]
    assert together[0][GOOD] > together[1][other]
    assert len(model.asked) == 4


def test_the_model_and_what_hears_it_are_told() -> None:
    line = LineAcceptance(
        {"change": 0.0, "verdict": 1.0}, 0.0, {"change": -99, "verdict": -9}, {"change": 99, "verdict": 9}
    )
    bundled, other = judge(WordModel()).describe(), LikelihoodJudge(VerdictModel(WordModel()), line).describe()
    assert bundled["verdicts.model"] == other["verdicts.model"] == "words"
    assert str(bundled["splits"]).startswith("splits_lm_en:")
    assert bundled["splits"] != other["splits"]
