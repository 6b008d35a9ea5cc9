"""What a masked model knows before its first step."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("sklearn", reason="needs scikit-learn: pip install 'rewrite-rerank[train]'")

from training.masked.masked_options import MaskedOptions
from training.masked.model import _joined, company_vectors, frequencies, new_model, prepare
from training.masked.vocabulary import CLS, SEP

DOG, CAT, BARKS, EATS, CAR, BUS, STOPS, DRIVES = range(5, 13)
SIZE = 40
TEXTS = [[DOG, BARKS], [CAT, BARKS], [DOG, EATS], [CAT, EATS], [CAR, STOPS], [BUS, STOPS], [CAR, DRIVES], [BUS, DRIVES]]
ROWS = [np.array([CLS, *text, SEP], dtype=np.uint16) for text in TEXTS * 5]


def flat() -> np.ndarray:
    return np.concatenate([np.array([*text, *[-1] * 5]) for text in TEXTS])


def test_words_in_like_company_get_like_vectors() -> None:
    found = company_vectors(flat(), size=SIZE, width=4, seed=0)
    assert found[DOG] @ found[CAT] > 0.99 > 0.5 > found[DOG] @ found[CAR]
    assert np.allclose(np.linalg.norm(found, axis=1), 1)


def test_company_does_not_reach_into_the_next_text() -> None:
    near, far = (
        company_vectors(_joined(ROWS) if marks is None else np.concatenate([[*t, *[-1] * marks] for t in TEXTS * 5]),
                        size=SIZE, width=4, seed=0)
        for marks in (None, 50)
    )  # fmt: skip
    assert np.array_equal(near, far)


def test_a_token_that_never_occurs_has_a_share_and_a_vector() -> None:
    assert frequencies(flat(), SIZE)[39] == pytest.approx(1 / (len(TEXTS) * 2 + SIZE))
    assert frequencies(flat(), SIZE).sum() == pytest.approx(1)
    assert np.linalg.norm(company_vectors(flat(), size=SIZE, width=4, seed=0)[39]) == pytest.approx(1)


def test_the_same_rows_and_seed_prepare_the_same_model_and_its_bias_is_frequency() -> None:
    import torch

    options = MaskedOptions.model_validate({"sets": {"abc": 1.0}, "steps": 1, "width": 16, "layers": 1, "heads": 2})
    models = [new_model(options, SIZE, 0) for _ in range(2)]
    for model in models:
        prepare(model, ROWS, seed=3)
    first, second = (model.state_dict() for model in models)
    assert all(torch.equal(first[name], second[name]) for name in first)
    bias = first["cls.predictions.bias"]
    assert bias[DOG] > bias[39]
    assert bias[DOG] == pytest.approx(float(bias[CAR]))


def test_the_turn_between_two_places_is_the_same_everywhere() -> None:
    options = MaskedOptions.model_validate({"sets": {"abc": 1.0}, "steps": 1, "width": 16, "layers": 1, "heads": 2})
    model = new_model(options, SIZE, 0)
    prepare(model, ROWS, seed=3)
    places = model.bert.embeddings.position_embeddings.weight.detach().numpy()
    assert places[3] @ places[5] == pytest.approx(places[40] @ places[42], rel=1e-4)
    assert places[3] @ places[5] > places[3] @ places[20]


def test_fewer_tokens_than_dimensions_fill_up_with_noughts() -> None:
    assert company_vectors(flat(), size=13, width=16, seed=0).shape == (13, 16)
