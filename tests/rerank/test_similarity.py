"""Cosines, the embedded encoder and encoders by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.encoders import create_encoder
from rerank.encoders.word_vectors import NavecEncoder
from rerank.errors import UnknownName
from rerank.similarity import CalibratedEncoder, SentenceEncoder, Vectors, cosines, similarities
from tests.paths import need_data
from training.calibrate_similarity import correlations, cross_validated, fit, read_pairs

SOURCE = "Филипп женился на знатной македонянке Клеопатре."


class Flipping:
    """Opposite vectors for different texts."""

    name = "flipping"

    def signature(self) -> str:
        return self.name

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.array([[1.0, 0.0] if text == texts[0] else [-1.0, 0.0] for text in texts], dtype=np.float32)


@pytest.fixture(scope="module")
def encoder(analyzer: Analyzer) -> NavecEncoder:
    return NavecEncoder(analyzer=analyzer)


def test_cosines() -> None:
    left = np.array([[3.0, 4.0], [0.0, 0.0], [1.0, 0.0]], dtype=np.float32)
    right = np.array([[4.0, 3.0], [1.0, 1.0], [-2.0, 0.0]], dtype=np.float32)
    np.testing.assert_allclose(cosines(left, right), [0.96, 0.0, -1.0], atol=1e-7)
    np.testing.assert_allclose(cosines(left[:1], right), [0.96, 0.98994949, -0.6], atol=1e-6)


def test_a_negative_cosine_is_no_similarity() -> None:
    assert similarities(Flipping(), "да", ["нет", "да"]).tolist() == [0.0, 1.0]


def test_no_texts(encoder: NavecEncoder) -> None:
    assert similarities(encoder, SOURCE, []).shape == (0,)


def test_it_is_an_encoder(encoder: NavecEncoder) -> None:
    assert isinstance(encoder, SentenceEncoder)
    assert isinstance(encoder, CalibratedEncoder)
    assert not isinstance(Flipping(), CalibratedEncoder)


def test_shape_type_and_batch_independence(encoder: NavecEncoder) -> None:
    texts = [SOURCE, "Кошка спит.", "", "...", "hello 123"]
    vectors = encoder.encode(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape == (5, 812)
    assert not vectors[2].any()
    assert not vectors[3].any()
    np.testing.assert_allclose(vectors, np.concatenate([encoder.encode([text]) for text in texts]), atol=1e-6)


def test_the_same_text_has_one(encoder: NavecEncoder) -> None:
    assert similarities(encoder, SOURCE, [SOURCE])[0] == 1.0
    assert similarities(encoder, "", [""])[0] == 1.0


def test_order_of_closeness(encoder: NavecEncoder) -> None:
    texts = [
        "Филипп женился на македонянке Клеопатре.",
        "Царь взял в жёны Клеопатру.",
        "Биржевые индексы упали на три процента.",
    ]
    values = similarities(encoder, SOURCE, texts)
    assert values[0] > values[1] > values[2]
    assert values[2] < 0.1


def test_inflection_matters_less_than_another_name(encoder: NavecEncoder) -> None:
    same, other = similarities(encoder, "Приехал Шуфутдинзон.", ["Встретили Шуфутдинзона.", "Встретили Бурпулькина."])
    assert same > other + 0.2


def test_calibration_is_monotone_within_bounds(encoder: NavecEncoder) -> None:
    values = encoder.calibrate(np.linspace(-1, 1, 401))
    assert (np.diff(values) >= 0).all()
    assert values[0] == 0.0
    assert values[-1] == 1.0


def test_fit_ends_at_nought_and_one() -> None:
    rng = np.random.default_rng(0)
    cosine = rng.uniform(-0.2, 1, 500)
    x, y = fit(cosine, np.sign(cosine - rng.uniform(0, 1, 500)))
    assert (x[0], y[0], x[-1], y[-1]) == (0.0, 0.0, 1.0, 1.0)
    assert (np.diff(x) > 0).all()
    assert (np.diff(y) >= 0).all()


def test_correlation_with_people(encoder: NavecEncoder) -> None:
    left, right, classes = read_pairs(need_data("paraphraser_ru", "paraphrases.xml"))
    assert len(classes) == 7227
    left, right, classes = left[::4], right[::4], classes[::4]
    cosine = cosines(encoder.encode(left), encoder.encode(right))
    pearson, spearman = correlations(cosine, classes)
    assert pearson > 0.6
    assert spearman > 0.6
    assert correlations(cross_validated(cosine, classes), classes)[0] > pearson


def test_by_name(analyzer: Analyzer) -> None:
    assert create_encoder("navec", analyzer=analyzer).name == "navec"
    assert create_encoder("laser:models/laser2").name == "laser:laser2"


@pytest.mark.parametrize("spec", ["", "labse", "laser", "laser:", "labse:x", "navec:x"])
def test_unknown_names_list_the_known(spec: str) -> None:
    with pytest.raises(UnknownName, match=r"Known: navec, laser:PATH"):
        create_encoder(spec)
