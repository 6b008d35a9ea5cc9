"""The encoder that small models share, and the activation of their heads."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rerank.errors import ModelNotFound, TextTooLong
from rerank.masked.base import Word
from rerank.masked.bundled import load
from rerank.masked.packed import ENCODER, TOKENIZER, PackedNetwork, gelu

HINT = "Install it again."


class Network(PackedNetwork):
    """One without a head of its own."""

    kind, step = "mine", "training.mine"


def encoder(folder: Path, *, batch_tokens: int = 1024) -> Network:
    return Network(folder, threads=1, batch_tokens=batch_tokens, reinstall=HINT)


@pytest.fixture(scope="module")
def folder() -> Path:
    return load("en").folder


@pytest.fixture
def rows(folder: Path) -> list[tuple[int, ...]]:
    found = encoder(folder)
    texts = ["He left.", "A much longer sentence about an old house in the north of Rome", "so", "He left ."]
    pieces = [tuple(piece for word in text.split() for piece in found.pieces(word)) for text in texts]
    return [(*found._settings.prefix, *row, *found._settings.suffix) for row in pieces]


def test_gelu_is_that_of_the_error_function() -> None:
    x = np.linspace(-12, 12, 4001, dtype=np.float32)
    exact = [0.5 * value * (1 + math.erf(value / math.sqrt(2))) for value in x.tolist()]
    found = gelu(x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, exact, atol=2e-6)
    np.testing.assert_array_equal(gelu(x.reshape(-1, 1))[:, 0], found)


def test_vectors_are_those_of_the_masked_model(folder: Path, rows: list[tuple[int, ...]]) -> None:
    model, own = load("en", threads=1), encoder(folder)
    for found, expected, row in zip(own.vectors(rows), model.vectors(rows), rows, strict=True):
        assert found.shape == (len(row), 256)
        np.testing.assert_array_equal(found, expected)


def test_a_row_has_the_vectors_that_it_has_alone(folder: Path, rows: list[tuple[int, ...]]) -> None:
    found = encoder(folder)
    for row, together in zip(rows, found.vectors(rows), strict=True):
        (alone,) = found.vectors([row])
        # Weights are rounded to 8 bits, and inputs by the largest of each row.
        np.testing.assert_allclose(together, alone, atol=1e-4)


@pytest.mark.parametrize("tokens", [1, 16, 40, 1024])
def test_batches_hold_every_row_once_and_no_more_tokens_than_asked(
    folder: Path, rows: list[tuple[int, ...]], tokens: int
) -> None:
    found: list[list[int]] = []

    def run(batch: list[int]) -> list[Any]:
        found.append(batch)
        return batch

    assert encoder(folder, batch_tokens=tokens).in_batches(range(len(rows)), run, rows) == [*range(len(rows))]
    assert sorted(i for batch in found for i in batch) == list(range(len(rows)))
    assert all(len(batch) == 1 or len(batch) * max(len(rows[i]) for i in batch) <= tokens for batch in found)


def test_no_rows_have_no_vectors(folder: Path) -> None:
    assert encoder(folder).vectors([]) == []


def test_words_have_pieces_whatever_they_are(folder: Path) -> None:
    found, model = encoder(folder), load("en")
    for text in ("house", "Antidisestablishmentarian", "[MASK]", "5", "\u200b", ""):
        assert found.pieces(text)
        assert found.pieces(text) == model.tokens(Word(text))
    assert found._settings.mask not in found.pieces("[MASK]")


def test_a_row_beyond_the_window_is_refused_by_the_models_name(folder: Path) -> None:
    found = encoder(folder)
    with pytest.raises(TextTooLong, match="mine"):
        found.vectors([(5,) * (found._settings.window + 1)])


@pytest.mark.parametrize(("name", "told"), [(TOKENIZER, TOKENIZER), (ENCODER, "CTranslate2 cannot load it")])
def test_a_broken_file_is_named(folder: Path, tmp_path: Path, name: str, told: str) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    (copy / name).write_bytes(b"{")
    broken = encoder(copy)
    with pytest.raises(ModelNotFound) as refused:
        broken.vectors([(2, *broken.pieces("house"), 3)])
    assert told in str(refused.value)
    assert str(copy) in str(refused.value)
    assert refused.value.hint == HINT
