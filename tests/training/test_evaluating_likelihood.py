"""How likely words are, as an evaluator is to learn it, and what is made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")

from rerank.errors import BadModel
from rerank.evaluator.pair_rows import PairRow, row_of
from rerank.masked.base import Row, Word
from rerank.masked.bundled import load
from rerank.masked.packed import Settings
from rewrite.errors import BadInput
from training.evaluating import likelihood
from training.evaluating.examples import Taught
from training.evaluating.likelihood import UNTOLD, TaughtBatches, bias_for, even_odds, fit, likelihoods, require_texts


def test_scales_are_those_that_make_the_labels_likeliest_at_the_level_of_texts_with_a_source() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(-20, 6, 20_000)
    labels = (rng.random(20_000) < 1 / (1 + np.exp(-(0.3 * values + 5)))).astype(float)
    weight, bias = fit(values, labels)
    assert (weight, bias) == pytest.approx((0.3, 5), abs=0.2)
    # Labels that could be told without a mistake, or are all alike.
    assert np.isfinite([fit(values, (values > -20).astype(float)), fit(values, np.ones(20_000))]).all()
    assert fit(np.array([]), np.array([])).tolist() == [0, 0]
    good = weight * values[labels == 1]
    shifted = good + bias_for(0.93, good)
    assert (1 / (1 + np.exp(-shifted))).mean() == pytest.approx(0.93, abs=1e-6)


def test_words_that_are_to_be_learnt_have_the_probabilities_of_the_masked_model() -> None:
    model = load("en", threads=1)
    settings = Settings("x", "en", 256, model.mask, 0, 1, model.prefix, model.suffix)

    def tokens(text: str) -> list[int]:
        return [token for word in text.split() for token in model.tokens(Word(word))]

    texts = ["she sold the old house in rome last year .", "he left .", "word " * 140]
    rows = [row_of("", text, tokens, settings) for text in texts] + [row_of("he left", "he left .", tokens, settings)]
    first, second, *none = likelihoods(rows, model, seed=3)
    assert [len(one) for one in (first, second, *none)] == [len(row.tokens) for row in rows]
    assert all((one == UNTOLD).all() for one in none)
    for text, found in zip(texts, (first, second), strict=False):
        own = tokens(text)
        (places,) = np.nonzero(found != UNTOLD)
        assert len(places) == max(1, round(0.15 * len(own)))
        hidden = [model.mask if n + 2 in places else token for n, token in enumerate(own)]
        (logs,) = model.predict([Row((*model.prefix, *hidden, *model.suffix), tuple(places - 1))])
        assert found[places] == pytest.approx([logs[n, own[place - 2]] for n, place in enumerate(places)], abs=1e-3)
        assert (found[places] < 0).all()


def _batches(*labelled: tuple[str, dict[str, float]]) -> TaughtBatches:
    examples = [Taught(source, "b", labels, "", 0) for source, labels in labelled]

    def rows(pairs: Iterable[tuple[str, str]]) -> Iterator[PairRow]:
        return (PairRow((2, 3, 5, 3), (0, 0, 3, 3)) for _ in pairs)

    return TaughtBatches(examples, rows, ("quality", "grammar"), tokens=64, seed=0)


@pytest.mark.parametrize(
    ("labelled", "told"),
    [
        ([("", 0.0), ("a", 1.0)], "no good texts without a source"),
        ([("", 1.0), ("a", 1.0)], "no bad texts without a source"),
        ([("", 1.0), ("", 0.0), ("a", 0.0)], "no good texts with their sources"),
    ],
)
def test_scales_need_texts_of_three_kinds(labelled: list[tuple[str, float]], told: str) -> None:
    found = _batches(*((source, {"grammar": label}) for source, label in labelled)).examples
    with pytest.raises(BadInput, match=f"grammar has {told}"):
        require_texts(found, ["grammar"])
    require_texts(found, [])


def test_texts_that_were_mutated_many_times_are_told_as_if_there_were_as_many_good_ones() -> None:
    rows = [("a", {"quality": 1.0, "grammar": 1.0})] + [("a", {"quality": 0.0, "grammar": 0.5})] * 5
    found = _batches(*rows, ("", {"quality": 1.0}))
    assert even_odds(found, ("quality",), ("quality",)) == pytest.approx([np.log(5), 0])
    # Texts alone that nothing else tells count as well.
    assert even_odds(found, ("quality",)) == pytest.approx([np.log(5 / 2), 0])
    assert even_odds(_batches(rows[0]), ("quality",)).tolist() == [0, 0]


def test_a_network_to_which_likelier_texts_are_worse_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("", {"grammar": 1.0}), ("", {"grammar": 0.0}), ("a", {"grammar": 1.0})]
    monkeypatch.setattr(likelihood, "_likelihoods", lambda network, batches: np.array([-9.0, -2.0]))
    monkeypatch.setattr(likelihood, "predictions", lambda network, batches: np.full((1, 2), 0.9))
    with pytest.raises(BadModel, match="the likelier ones are not the better ones for grammar"):
        likelihood.likelihood_scales(None, _batches(*rows), ("grammar",), seed=0)
