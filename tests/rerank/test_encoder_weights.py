"""Weights of encoders: read, and kept as what differs from a bundled encoder, without loss."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from rerank.errors import BadInput, ModelNotFound
from rerank.masked.base import Word
from rerank.masked.bundled import BundledMaskedModel, load
from rerank.masked.packed import ENCODER, SETTINGS, TOKENIZER, encoder_bytes, read_settings
from rerank.masked.weights import DIFFERENCE, read_weights, restored, write_difference
from rewrite import catalogue
from rewrite.checksums import verify_sums
from training.masked.packing import keep_difference, main

NETWORKS = [*catalogue.OF_SPLITTER.values(), *catalogue.EVALUATORS.values()]
HINT = "Install it again."
EN = load("en").folder
ROW = (2, 17, 900, 12_000, 3)


def other_encoder(data: bytes) -> bytes:
    """The file with other numbers in the last rows of its embeddings, and their scales halved."""
    weights = read_weights(data)
    words, scales = (weights.arrays[f"encoder/embeddings_0/{name}"] for name in ("weight", "weight_scale"))
    changed = words.copy()
    changed[-100:] = np.arange(100 * words.shape[1]).reshape(100, -1) % 255 - 127
    found = data.replace(words.tobytes(), changed.tobytes()).replace(scales.tobytes(), (scales / 2).tobytes())
    assert found != data
    assert len(found) == len(data)
    return found


@pytest.mark.parametrize("folder", NETWORKS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_bundled_networks_are_near_their_base_and_come_back_whole(folder: Path) -> None:
    settings = read_settings(folder, HINT)
    assert settings.base == f"mlm-{settings.language}"
    assert not (folder / ENCODER).exists()
    assert (folder / DIFFERENCE).stat().st_size < 0.75 * (load(settings.language).folder / ENCODER).stat().st_size
    weights = read_weights(encoder_bytes(folder, settings))
    assert weights.plain("embeddings_0/weight").shape == (16_000, 256)


def test_an_encoder_comes_back_to_the_bit_even_where_a_difference_is_beyond_eight_bits(tmp_path: Path) -> None:
    base = (EN / ENCODER).read_bytes()
    encoder = other_encoder(base)
    write_difference(encoder, base, tmp_path / DIFFERENCE)
    assert restored(tmp_path / DIFFERENCE, base) == encoder


def test_with_another_base_nothing_comes_back(tmp_path: Path) -> None:
    base = (EN / ENCODER).read_bytes()
    write_difference(base, base, tmp_path / DIFFERENCE)
    with pytest.raises(ValueError, match="another model than the one of this release"):
        restored(tmp_path / DIFFERENCE, (load("ru").folder / ENCODER).read_bytes())


def test_the_output_layer_of_a_masked_model_has_the_encoders_embeddings() -> None:
    model = load("en")
    vectors = model.vectors([ROW])[0]
    weights = read_weights((EN / ENCODER).read_bytes())
    words, scales = weights.arrays["encoder/embeddings_0/weight"], weights.arrays["encoder/embeddings_0/weight_scale"]
    logits = model._transformed(vectors) @ (words / scales[:, None]).T + model._head["words_bias"]
    expected = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(model._logprobs(vectors), expected, atol=1e-3)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A model with files of its own, in a folder where one may write."""
    return shutil.copytree(EN, tmp_path / "model")


def vectors_of(folder: Path) -> list[np.ndarray]:
    return BundledMaskedModel(folder, threads=1, reinstall=HINT).vectors([ROW])


def test_a_network_kept_as_a_difference_says_the_same(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (whole / ENCODER).write_bytes(other_encoder((whole / ENCODER).read_bytes()))
    before, house = vectors_of(whole), BundledMaskedModel(whole).tokens(Word("house"))
    assert main([str(whole)]) == 0
    assert "MB" in capsys.readouterr().out
    assert not {ENCODER, TOKENIZER} & {path.name for path in whole.iterdir()}
    np.testing.assert_array_equal(vectors_of(whole)[0], before[0])
    assert BundledMaskedModel(whole).tokens(Word("house")) == house
    assert verify_sums(whole)
    with pytest.raises(BadInput, match="already"):
        keep_difference(whole, "mlm-en")


def test_other_tokens_are_no_base_and_nothing_is_lost(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(path.name for path in whole.iterdir())
    with pytest.raises(BadInput, match=r"tokenizer\.json: it is not that of mlm-ru"):
        keep_difference(whole, "mlm-ru")
    with pytest.raises(ModelNotFound, match="mlm-de"):
        keep_difference(whole, "mlm-de")
    (whole / ENCODER).write_bytes(b"no model")
    assert main([str(whole)]) != 0
    assert "no difference from mlm-en" in capsys.readouterr().err
    assert sorted(path.name for path in whole.iterdir()) == before


@pytest.mark.parametrize("base", ["", "../../models/mlm-en", 3])
def test_the_base_is_the_name_of_a_bundled_model(whole: Path, base: object) -> None:
    keep_difference(whole, "mlm-en")
    settings = json.loads((whole / SETTINGS).read_bytes())
    (whole / SETTINGS).write_text(json.dumps({**settings, "base": base}))
    with pytest.raises(ModelNotFound, match=SETTINGS):
        read_settings(whole, HINT)


@pytest.mark.parametrize("damage", ["empty", "no archive", "flipped"])
def test_a_broken_difference_is_named(whole: Path, damage: str) -> None:
    keep_difference(whole, "mlm-en")
    data = bytearray((whole / DIFFERENCE).read_bytes())
    middle = len(data) // 2
    data[middle : middle + 64] = bytes(255 - byte for byte in data[middle : middle + 64])
    (whole / DIFFERENCE).write_bytes({"empty": b"", "no archive": b"no archive", "flipped": bytes(data)}[damage])
    with pytest.raises(ModelNotFound, match=DIFFERENCE):
        vectors_of(whole)
