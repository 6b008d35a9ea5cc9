"""Alignment, attention and divergences by themselves."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from rerank.errors import BadWeights, UnknownName
from rerank.ndd.attention import (
    Adjacent,
    Balanced,
    Exponential,
    Mean,
    align,
    attention_called,
    kept_words,
    longest_common_subsequence,
    position_bias,
)
from rerank.ndd.distance import divergence_of


def longest(left: list[str], right: list[str]) -> int:
    """The length of a longest common subsequence, as it is defined."""
    if not left or not right:
        return 0
    if left[0] == right[0]:
        return 1 + longest(left[1:], right[1:])
    return max(longest(left[1:], right), longest(left, right[1:]))


def test_a_longest_common_subsequence_is_found_whichever_text_comes_first() -> None:
    chance = random.Random(3)
    for _ in range(200):
        left, right = ([chance.choice("abc") for _ in range(chance.randint(0, 7))] for _ in range(2))
        pairs = longest_common_subsequence(left, right)
        assert len(pairs) == longest(left, right)
        assert all(left[i] == right[j] for i, j in pairs)
        assert all(a < c and b < d for (a, b), (c, d) in itertools.pairwise(pairs))
        assert longest_common_subsequence(right, left) == [(j, i) for i, j in pairs]


@pytest.mark.parametrize(
    ("source", "candidate", "distances"),
    [
        ("abcde", "abde", [2, 1, 1, 2]),  # deletion
        ("abde", "abcde", [2, 1, 1, 2]),  # insertion
        ("abcde", "abxde", [2, 1, 1, 2]),  # replacement
        ("abcde", "bcde", [1, 2, 3, 4]),  # at the start
        ("abcde", "abcd", [4, 3, 2, 1]),  # at the end
        ("abcdefg", "abdefxg", [2, 1, 1, 2, 1, 1]),  # two edits
    ],
)
def test_words_know_how_far_the_nearest_edit_is_in_either_text(
    source: str, candidate: str, distances: list[int]
) -> None:
    alignment = align(list(source), list(candidate))
    assert alignment.distance.tolist() == distances
    assert not alignment.identical


def test_what_is_kept_is_aligned_as_it_was_and_not_as_it_could_be() -> None:
    alignment = kept_words(4, [1, 2, 3])
    assert alignment.source.tolist() == [1, 2, 3]
    assert alignment.distance.tolist() == [1, 2, 3]
    assert kept_words(2, [0, 1]).identical
    for wrong in ([1, 0], [0, 0], [4], [-1, 2]):
        with pytest.raises(ValueError, match="rising"):
            kept_words(4, wrong)


@pytest.mark.parametrize("length", [1, 2, 5])
def test_every_span_of_a_text_has_the_same_balanced_weight_and_none_the_same_exponential_one(length: int) -> None:
    size, mu = 12, 0.9
    cuts = [kept_words(size, [k for k in range(size) if not i <= k < i + length]) for i in range(size - length + 1)]
    left = size - length
    expected = 2 * sum(mu**d for d in range(1, left + 1))
    assert [Balanced(mu)(cut).sum() for cut in cuts] == pytest.approx([expected] * len(cuts))
    plain = [Exponential(mu)(cut).sum() for cut in cuts]
    assert plain[0] < plain[len(cuts) // 2]


def test_balanced_weight_falls_with_the_distance_on_either_side() -> None:
    weights = Balanced(0.8)(kept_words(10, [0, 1, 2, 5, 6, 7, 8, 9]))
    assert (np.diff(weights[:3]) > 0).all()
    assert (np.diff(weights[3:]) < 0).all()
    assert weights[2] == pytest.approx(0.8 + 0.8**6)
    assert weights[3] == pytest.approx(0.8 + 0.8**4)


def test_the_mean_gives_every_word_its_share_and_fast_ndd_those_beside_the_edit() -> None:
    cut = kept_words(6, [0, 1, 4, 5])
    assert Mean()(cut).tolist() == [0.25] * 4
    assert Adjacent(Exponential(0.5))(cut).tolist() == [0.0, 0.5, 0.5, 0.0]
    assert Adjacent(Exponential(0.5), reach=2)(cut).tolist() == [0.25, 0.5, 0.5, 0.25]


def test_later_words_of_the_source_count_less_with_a_bias() -> None:
    assert position_bias(kept_words(5, [0, 3, 4]), 0.5).tolist() == [1.0, 0.125, 0.0625]
    assert position_bias(kept_words(3, [0, 1]), 1.0).tolist() == [1.0, 1.0]


def test_attention_by_name() -> None:
    assert attention_called("mean") == Mean()
    assert attention_called("exponential", mu=0.5) == Exponential(0.5)
    assert attention_called("balanced", mu=0.5) == Balanced(0.5)
    assert attention_called("adjacent", mu=0.5) == Adjacent(Balanced(0.5))
    with pytest.raises(UnknownName, match=r"'none'.*mean, exponential, balanced, adjacent"):
        attention_called("none")
    with pytest.raises(BadWeights, match=r"mu is 0\."):
        attention_called("balanced", mu=0.0)


def logprobs(*values: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.log(np.array(values, dtype=np.float32))


def test_divergences_have_the_values_of_their_equations() -> None:
    q, edited = logprobs(0.5, 0.25, 0.25), logprobs(0.25, 0.5, 0.25)
    assert divergence_of("kl")(q, edited) == pytest.approx(0.25 * np.log(0.5) + 0.5 * np.log(2))
    q, edited = logprobs(0.8, 0.1, 0.1), logprobs(0.25, 0.5, 0.25)
    forth = 0.25 * np.log(0.25 / 0.8) + 0.5 * np.log(5) + 0.25 * np.log(2.5)
    back = 0.8 * np.log(0.8 / 0.25) + 0.1 * np.log(0.2) + 0.1 * np.log(0.4)
    assert divergence_of("kl")(q, edited) == pytest.approx(forth, rel=1e-6)
    assert divergence_of("kl-reverse")(q, edited) == pytest.approx(back, rel=1e-6)
    roots = np.sqrt([0.8, 0.1, 0.1]) - np.sqrt([0.25, 0.5, 0.25])
    assert divergence_of("hellinger")(q, edited) == pytest.approx(np.sqrt((roots**2).sum()) / np.sqrt(2), rel=1e-6)


@pytest.mark.parametrize("name", ["hellinger", "kl", "kl-reverse"])
def test_divergences_are_nothing_for_equals_and_keep_their_bounds(name: str) -> None:
    draw = np.random.default_rng(2)
    logits = draw.normal(size=(50, 30)).astype(np.float32) * 4
    rows = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    assert divergence_of(name)(rows, rows).tolist() == [0.0] * 50
    almost = rows + np.float32(1e-7)
    assert (divergence_of(name)(rows, almost) >= 0).all()
    far = divergence_of(name)(np.array([[0.0, -80.0]], dtype=np.float32), np.array([[-80.0, 0.0]], dtype=np.float32))
    assert far == pytest.approx(1.0 if name == "hellinger" else 80.0)
    assert far.max() <= 1.0 or name != "hellinger"
