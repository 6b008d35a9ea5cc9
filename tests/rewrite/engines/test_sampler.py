"""The sampler of the engine hf: the same distribution as by the book, and random numbers that belong to one sample."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from rewrite.engines.base import first_stop
from rewrite.engines.hf_model import RowEnds, TokenDrawer, draw_tokens, uniforms
from rewrite.generators.base import Sampling

torch = pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")

# Of seed 1, sample 0 of «текст».
FIRST_NUMBERS = [0.58335525, 0.10534412, 0.43345058]
LOGITS = [0.3, 2.0, -1.0, 1.5, 0.0, 1.1, -3.0, 0.9]
SETTINGS = [
    Sampling(top_p=1.0, top_k=0),
    Sampling(top_p=0.6, top_k=0),
    Sampling(top_p=0.01, top_k=0),
    Sampling(top_p=1.0, top_k=3),
    Sampling(top_p=0.8, top_k=4, temperature=2.0),
    Sampling(top_p=0.9, top_k=100, temperature=0.5),
]


def by_the_book(logits: list[float], sampling: Sampling) -> npt.NDArray[np.float64]:
    """The probability of each token, in plain numpy."""
    scaled = np.array(logits) / sampling.temperature
    order = np.argsort(-scaled, kind="stable")[: sampling.top_k or len(logits)]
    masses = np.exp(scaled[order] - scaled.max())
    masses /= masses.sum()
    kept: list[int] = []
    for place, token in enumerate(order):
        kept.append(int(token))
        if masses[: place + 1].sum() >= sampling.top_p:
            break
    result = np.zeros(len(logits))
    result[kept] = masses[: len(kept)] / masses[: len(kept)].sum()
    return result


@pytest.mark.parametrize("sampling", SETTINGS, ids=str)
def test_each_token_gets_its_share_of_the_numbers(sampling: Sampling) -> None:
    # With numbers spread evenly, shares are exact to one number for each token.
    count = 20_000
    numbers = (torch.arange(count) + 0.5) / count
    drawn = draw_tokens(torch.tensor(LOGITS).repeat(count, 1), numbers, sampling)
    shares = np.bincount(drawn.numpy(), minlength=len(LOGITS)) / count
    np.testing.assert_allclose(shares, by_the_book(LOGITS, sampling), atol=2 / count)


def test_tokens_come_as_often_as_they_are_probable() -> None:
    sampling = Sampling(top_p=0.8, top_k=6, temperature=1.3)
    numbers = torch.from_numpy(uniforms(7, "текст", 0, 20_000))
    drawn = draw_tokens(torch.tensor(LOGITS).repeat(20_000, 1), numbers, sampling)
    shares = np.bincount(drawn.numpy(), minlength=len(LOGITS)) / 20_000
    np.testing.assert_allclose(shares, by_the_book(LOGITS, sampling), atol=4 * math.sqrt(0.25 / 20_000))


def test_rows_are_cut_each_by_itself() -> None:
    rows = torch.tensor([[5.0, 0.0, 0.0, 0.0], [0.0, 0.1, 0.0, 0.1]])
    last = torch.full((2,), 1 - 2**-24)
    assert draw_tokens(rows, last, Sampling(top_p=0.9, top_k=0))[0] == 0
    assert draw_tokens(rows, last, Sampling(top_p=0.9, top_k=0))[1] in (0, 2)


@pytest.mark.parametrize(
    "sampling", [Sampling(temperature=0), Sampling(top_k=1), Sampling(temperature=1e-300)], ids=str
)
def test_greedy_and_nearly_greedy_take_the_most_probable(sampling: Sampling) -> None:
    numbers = torch.tensor([0.0, 0.5, 1 - 2**-24])
    assert draw_tokens(torch.tensor([LOGITS] * 3), numbers, sampling).tolist() == [1, 1, 1]


def test_what_has_no_probability_is_never_drawn() -> None:
    logits = torch.tensor([[-math.inf, 0.0, -math.inf, 0.0]] * 3)
    numbers = torch.tensor([0.0, 0.5, 1 - 2**-24])
    assert draw_tokens(logits, numbers, Sampling(top_p=1.0, top_k=0)).tolist() in ([1, 3, 3], [3, 1, 1])


def test_the_drawer_leaves_one_token_and_keeps_its_probability_among_those_allowed() -> None:
    logits = torch.tensor([LOGITS, LOGITS[::-1]])
    before = logits.clone()
    drawer = TokenDrawer(torch.tensor([[0.0], [0.0]]), torch.tensor([1]), Sampling(temperature=3.0, top_k=2))
    scores = drawer(None, logits)
    # Token 1 would be the most probable of the first row.
    assert scores.argmax(dim=-1).tolist() == [3, 6]
    assert scores.isfinite().sum(dim=-1).tolist() == [1, 1]
    assert torch.equal(logits, before)
    before[:, 1] = -math.inf
    expected = before.log_softmax(dim=-1)
    np.testing.assert_allclose(drawer.logprobs(), [[expected[0, 3]], [expected[1, 6]]], rtol=1e-6)


def test_numbers_belong_to_seed_text_and_sample() -> None:
    first = uniforms(1, "текст", 0, 40)
    assert first.dtype == np.float32
    assert first.min() >= 0
    assert first.max() < 1
    assert np.array_equal(first, uniforms(1, "текст", 0, 40))
    assert np.array_equal(first[:7], uniforms(1, "текст", 0, 7))
    for other in (uniforms(2, "текст", 0, 40), uniforms(1, "тексты", 0, 40), uniforms(1, "текст", 1, 40)):
        assert not np.any(first == other)
    # Written down so that a change of the scheme, which changes everybody's results, is seen.
    np.testing.assert_allclose(first[:3], FIRST_NUMBERS, atol=1e-7)


class Letters:
    """A tokenizer with a letter for each number."""

    def decode(self, tokens: list[int], **_: object) -> str:
        return "".join(chr(token) for token in tokens)


def test_a_row_is_over_at_its_limit_or_its_first_stop_string() -> None:
    ends = RowEnds(Letters(), 1, torch.tensor([9, 2, 9, 9]), ("bc",), ends={ord("!")})
    texts = ["?abcbc", "?aaaaa", "?!bcbc", "?aaaab"]
    done = [ends(torch.tensor([[ord(c) for c in text[:length]] for text in texts]), None) for length in range(2, 7)]
    assert [step.tolist() for step in done] == [
        [False, False, False, False],
        [False, True, False, False],
        [True, True, False, False],
        [True, True, False, False],
        [True, True, False, False],
    ]
    assert ends.stopped == {0: 3}


def test_the_earliest_stop_string_counts() -> None:
    assert first_stop("один два три", ("три", "два")) == 5
    assert first_stop("один", ("два",)) is None
