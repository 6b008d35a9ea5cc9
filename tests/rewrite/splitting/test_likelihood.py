"""A language model judges splits once more: what it tells of them, and which it is not asked about."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from rewrite.engines.base import ModelInput
from rewrite.errors import ContextTooLong
from rewrite.forest import TreeAcceptance
from rewrite.splitting.likelihood import _FILE, FEATURES, LikelihoodJudge

SOURCE = "He left, but she stayed."
GOOD, BAD = ("He left.", "But she stayed."), ("He left, but.", "She stayed.")


class WordModel:
    """Finds every word likely, −0.1, but *but.*, −4; each text ends with −0.5."""

    def __init__(self, *, window: int = 100) -> None:
        self.window = window
        self.asked: list[tuple[str, str]] = []

    def describe(self) -> dict[str, object]:
        return {"model": "words"}

    def too_long(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> dict[int, Exception]:
        return {i: ContextTooLong(9, 8) for i, text in enumerate(texts) if len(text) > self.window}

    def token_logprobs(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[list[tuple[str, float]]]:
        self.asked += [(asked.text, text) for asked, text in zip(inputs, texts, strict=True)]
        return [[*((w, -4.0 if w == "but." else -0.1) for w in text.split()), ("<eos>", -0.5)] for text in texts]


@pytest.fixture(scope="module")
def bundled() -> TreeAcceptance:
    return TreeAcceptance.load(_FILE, FEATURES)


def test_what_it_tells_of_a_split() -> None:
    model = WordModel()
    (rows,) = LikelihoodJudge(model).features([(SOURCE, {GOOD: 0.5, BAD: 0.9})])
    expected = [[0.0, 0.0, 0.0, -0.1, -0.5], [math.log(9), -3.9, -3.9 / 6, -4.0, -0.5]]
    assert rows == pytest.approx(np.array(expected))
    assert [text for _, text in model.asked] == [SOURCE, " ".join(GOOD), " ".join(BAD)]
    assert {text for text, _ in model.asked} == {f"{SOURCE}\n3824\n"}


def test_the_bundled_trees_prefer_what_the_model_finds_likely(bundled: TreeAcceptance) -> None:
    (chances,) = LikelihoodJudge(WordModel(), bundled).judged([(SOURCE, {GOOD: 0.5, BAD: 0.5})])
    assert chances[GOOD] > 0.5 > chances[BAD]


def test_of_what_is_unlikely_or_too_long_the_first_chance_stays(bundled: TreeAcceptance) -> None:
    model = WordModel(window=30)
    long = ("He left at once with his dog.", "But she stayed.")
    offered = [(SOURCE, {BAD: 0.05}), (SOURCE, {GOOD: 0.5, long: 0.5}), (SOURCE, {})]
    assert LikelihoodJudge(model, bundled).judged(offered) == [chances for _, chances in offered]
    assert model.asked == []


def test_sentences_are_asked_about_together(bundled: TreeAcceptance) -> None:
    judge = LikelihoodJudge(WordModel(), bundled)
    together = judge.judged([(SOURCE, {GOOD: 0.5}), ("She came, and he saw her.", {("She came.", "He saw her."): 0.7})])
    alone = judge.judged([(SOURCE, {GOOD: 0.5})])
    assert together[0] == alone[0]
