"""The splitter's heads in torch and in numpy are the same function."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

import torch

from rewrite.splitting.network import MOST_DROPPED, Heads, Reading, features_of
from tests.rewrite.splitting.marking import words_in
from tests.training.heads import write_encoder
from training.splitting.examples import Example, tensors
from training.splitting.network import Batch, SplitNetwork

OPENERS = [(), ("he",), ("<full>",), ("it", "was"), ("however", ",")]
TEXTS = (
    "Alan Shepard was born in Rome and he wrote a long book in 1950.",
    "Anna left (in May).",
    "“The mayor of Paris,” said Tom, who had lost a red car, “left for London, and the club played there.”",
    "He left and she came",
)
assert_close = partial(np.testing.assert_allclose, atol=1e-4, rtol=1e-4)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = SplitNetwork(write_encoder(tmp_path_factory.mktemp("encoder")), len(OPENERS), 2, 0.1)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for weights in made.parameters():
            weights.add_(0.1 * torch.randn(weights.shape, generator=generator))
    return made.eval()


def examples() -> list[Example]:
    def tokens(text: str) -> tuple[int, ...]:
        return tuple(5 + ord(letter) % 90 for letter in text[:2])

    found = []
    for number, text in enumerate(TEXTS):
        one = features_of(words_in(text), tokens)
        found.append(Example(one, 2 if number % 2 == 0 else 0, one.end, 1, OPENERS[1], -1, "first:1"))
    return found


@pytest.fixture(scope="module")
def batch() -> Batch:
    return Batch(**tensors(examples(), {opener: i for i, opener in enumerate(OPENERS)}, {"first": 0, "other": 1}))


@pytest.fixture(scope="module")
def heads(network: Any) -> Heads:
    weights = {k: v.numpy() for k, v in network.state_dict().items() if not k.startswith("encoder.")}
    weights["word.bias"] = weights["word.bias"] + weights.pop("style.weight")[0]
    return Heads(weights)


@pytest.fixture(scope="module")
def readings(network: Any, batch: Batch, heads: Heads) -> list[Reading]:
    with torch.no_grad():
        hidden = network.encoder(input_ids=batch.pieces, attention_mask=batch.attention).last_hidden_state.numpy()
    return [heads.read(one.features, hidden[row, : one.features.length + 2]) for row, one in enumerate(examples())]


@pytest.fixture(scope="module")
def vectors(network: Any, batch: Batch) -> Any:
    with torch.no_grad():
        return network.words(batch)


def test_a_network_is_made_without_a_report(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    encoder = write_encoder(tmp_path)
    capfd.readouterr()
    SplitNetwork(encoder, len(OPENERS), 2, 0.1)
    assert capfd.readouterr() == ("", "")


def test_words_have_the_same_vectors(vectors: Any, readings: list[Reading]) -> None:
    for row, reading in enumerate(readings):
        count = len(reading.vectors)
        assert_close(reading.vectors, vectors[row, :count].numpy())
        assert not reading.vectors[-1].any()


def test_cuts(network: Any, vectors: Any, batch: Batch, heads: Heads, readings: list[Reading]) -> None:
    with torch.no_grad():
        scores, whole = network.cuts(vectors, batch)
        table = torch.cat([whole.unsqueeze(1), scores.flatten(1)], 1).log_softmax(-1)
    for row, reading in enumerate(readings):
        count = len(reading.vectors) - 1
        found, none = heads.cuts(reading)
        expected = table[row, 1:].reshape(scores.shape[1:])[:count, : count + 1].numpy()
        possible = np.isfinite(found)
        assert_close(found[possible], expected[possible])
        assert none == pytest.approx(float(table[row, 0]), abs=1e-4)
        # What cannot be is as good as impossible in torch, too, and all that can be adds up to one.
        assert (expected[~possible] < -1e3).all()
        assert np.exp(found[possible]).sum() + np.exp(none) == pytest.approx(1, abs=1e-4)
        starts, stops = np.nonzero(possible)
        assert ((starts >= 1) & (stops >= starts + 2) & (stops <= reading.end)).all()


def test_dropped_words(network: Any, vectors: Any, batch: Batch, heads: Heads, readings: list[Reading]) -> None:
    shortest = min(len(reading.vectors) - 1 for reading in readings)
    for start in range(1, shortest):
        with torch.no_grad():
            expected = network.kept(vectors, batch, torch.full((len(TEXTS),), start)).log_softmax(-1).numpy()
        for row, reading in enumerate(readings):
            found = heads.dropped(reading, start)
            assert found.shape == (MOST_DROPPED + 1,)
            assert_close(found, expected[row])


def test_openers_and_nouns(network: Any, vectors: Any, batch: Batch, heads: Heads, readings: list[Reading]) -> None:
    start, kept = torch.full((len(TEXTS),), 2), torch.full((len(TEXTS),), 3)
    with torch.no_grad():
        openers, nouns = network.openers(vectors, batch, start, kept, batch.end)
    for row, reading in enumerate(readings):
        found, said = heads.openers(reading, 2, 3, reading.end)
        assert_close(found, openers[row].log_softmax(-1).numpy())
        expected = nouns[row].log_softmax(-1).numpy()[: len(said)]
        if reading.nouns.any():
            assert_close(said[reading.nouns], expected[reading.nouns])
            assert (np.exp(said[~reading.nouns]) < 1e-6).all()


def test_a_sentences_losses_do_not_depend_on_what_shares_its_batch(network: Any) -> None:
    openers = {opener: i for i, opener in enumerate(OPENERS)}
    found = []
    with torch.no_grad():
        for rows in (examples()[:1], examples()[:3], examples()[2:3]):
            tables = tensors(rows, openers, {"first": 0})
            words = network.words(Batch(**tables))
            found.append((network.cuts(words, Batch(**tables)), len(rows)))
    (alone, _), (together, _), _ = found
    size = alone[0].shape[1]
    assert_close(together[0][0, :size, : size + 1], alone[0][0])
    assert float(together[1][0]) == pytest.approx(float(alone[1][0]), abs=1e-4)


def test_an_unsplit_sentence_teaches_nothing_but_not_to_cut(network: Any) -> None:
    rows = [one for one in examples() if not one.start]
    with torch.no_grad():
        found = network(**tensors(rows, {}, {}))
    assert set(found["losses"]) == {"cut"}
    assert float(found["loss"]) == pytest.approx(float(found["losses"]["cut"]))
