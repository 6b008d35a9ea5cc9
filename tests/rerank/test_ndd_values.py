"""NDD has the values of its equations, read directly: on random pairs, in all its ways, and by sentence."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path

import pytest

from rerank.masked.base import MaskedModel, Word
from rerank.masked.registry import create_masked_model
from rerank.masked.words import split_words
from rerank.ndd.attention import Adjacent, Attention, Balanced, Exponential, Mean
from rerank.ndd.distance import Ndd
from rerank.ndd.reading import Masking
from tests.rerank.random_pairs import alignments, random_pairs

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

from tests.rerank.ndd_oracle import Oracle

MU = 0.8
ATTENTIONS: dict[str, Attention] = {
    "mean": Mean(),
    "exponential": Exponential(MU),
    "balanced": Balanced(MU),
    "adjacent": Adjacent(Balanced(MU)),
}
DIVERGENCES = ("hellinger", "kl", "kl-reverse")
MASKINGS: tuple[Masking, ...] = ("word", "piece", "one")
BIASES = (1.0, 0.95)
TOLERANCE = 1e-5


@pytest.fixture(scope="module", params=["bert", "roberta"])
def folder(request: pytest.FixtureRequest, tiny_masked_model: Callable[[str], Path]) -> Path:
    return tiny_masked_model(request.param)


@pytest.fixture(scope="module")
def model(folder: Path) -> MaskedModel:
    return create_masked_model(f"hf:{folder}")


@pytest.fixture(scope="module")
def oracle(folder: Path, model: MaskedModel) -> Oracle:
    return Oracle(folder, model)


def _words(text: str) -> list[Word]:
    return list(split_words(text, "en"))


def _distance(ndd: Ndd, source: list[Word], target: list[Word]) -> float:
    reading = ndd.read(source)
    return float(ndd.distances([(reading, [reading.compare(target)])])[0][0])


@pytest.mark.paper
def test_random_pairs_in_all_settings_have_the_value_of_the_equations(
    oracle: Oracle, model: MaskedModel, folder: Path
) -> None:
    settings = list(product(DIVERGENCES, ATTENTIONS, MASKINGS, BIASES))
    random.Random(3).shuffle(settings)
    # Each model has half of the settings.
    half = slice("roberta" in folder.name, None, 2)
    pairs = random_pairs(len(settings))[half]
    bare = edited_twice = repeating = 0
    for (source, target), (divergence, attention, masking, bias) in zip(pairs, settings[half], strict=True):
        ndd = Ndd(model, divergence=divergence, attention=ATTENTIONS[attention], bias=bias, masking=masking)
        ways = alignments([word.text for word in source], [word.text for word in target])
        expected = [
            oracle.ndd(source, target, way, divergence=divergence, attention=attention, masking=masking, mu=MU, nu=bias)
            for way in ways
        ]
        found = _distance(ndd, source, target)
        # Which of several longest common subsequences counts, the paper does not say.
        assert min(abs(found - value) for value in expected) < TOLERANCE, (source, target, found, expected)
        assert found > TOLERANCE or max(expected) < 1e-3, (source, target)
        bare += not ways[0]
        repeating += len({word.text for word in source}) < len(source)
        edited_twice += _edits(ways[0], len(source), len(target)) > 1
    # What the pairs are good for.
    assert edited_twice >= 10
    assert repeating >= 10
    assert 1 <= bare <= 8


def _edits(way: tuple[tuple[int, int], ...], n: int, m: int) -> int:
    places = [(-1, -1), *way, (n, m)]
    return sum(b[0] - a[0] > 1 or b[1] - a[1] > 1 for a, b in pairwise(places))


@pytest.mark.parametrize("masking", MASKINGS)
def test_a_masked_word_is_a_single_mask_whatever_its_sub_words(
    oracle: Oracle, model: MaskedModel, masking: Masking
) -> None:
    source = _words("I am candlelight walking in the cold rain .")
    assert len(model.tokens(source[2])) > 1
    ndd = Ndd(model, divergence="kl", masking=masking)
    reading = ndd.read(source)
    (found,) = ndd.distances([(reading, [reading.mask([2])])])[0]
    assert found == pytest.approx(oracle.masked(source, 2, divergence="kl", masking=masking), abs=TOLERANCE, rel=0)


def test_bare_texts_longer_than_the_window_are_compared_before_their_first_and_after_their_last_sentence(
    oracle: Oracle, model: MaskedModel
) -> None:
    one, last = _words("I am walking in the cold rain ."), _words("He was running under hot sunshine ;  .")
    source = [*one * 10, *last * 12]
    target = _words("yesterday 's weatherman forecasted")
    ndd = Ndd(model, divergence="hellinger", attention=Exponential(MU))
    reading = ndd.read(source)
    assert not reading.reading.fits
    expected = MU * sum(
        oracle.between(left, place, target, there, divergence="hellinger", masking="word")
        for left, place, there in ((one, -1, -1), (last, len(last), len(target)))
    )
    assert _distance(ndd, source, target) == pytest.approx(expected, abs=TOLERANCE, rel=0)
