"""A packed masked model is unpacked to be trained further, and says then what it said packed."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

from rerank.errors import ModelNotFound
from rerank.masked.base import Word
from rerank.masked.bundled import load
from rewrite.errors import BadModel
from tests.processor import needs_vnni
from training.heads.encoder import open_encoder, read_encoder, read_tokenizer, window_of
from training.masked.packing import unpack
from training.recipe import Recipe, Run


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("unpacked")


@pytest.fixture(scope="module")
def folder(work: Path) -> Path:
    return open_encoder("bundled:en", Run(Recipe(name="a", language="en"), work), work, "trees")


@needs_vnni
def test_its_vectors_are_those_of_the_packed_model(folder: Path) -> None:
    import torch

    model = load("en", threads=1)
    words = "The soup was very hot , and Tom did n't eat it .".split()
    row = (*model.prefix, *(piece for word in words for piece in model.tokens(Word(word))), *model.suffix)
    network = read_encoder(folder, 0.0).eval()
    with torch.no_grad():
        found = network(input_ids=torch.tensor([row])).last_hidden_state[0].numpy()
    # CTranslate2 reckons in 8 bits, torch in 32 with the same weights.
    assert np.abs(found - model.vectors([row])[0]).max() < 0.2
    assert np.abs(found).max() > 3


def test_it_has_the_window_and_the_tokens_of_the_packed_model(folder: Path) -> None:
    assert window_of(folder) == load("en").window
    text = "A text [MASK] of some words."
    ids = read_tokenizer(folder).encode(text, add_special_tokens=False).ids
    assert tuple(ids) == load("en").tokens(Word(text))


def test_it_is_unpacked_once(folder: Path, work: Path) -> None:
    (folder / "kept").touch()
    assert open_encoder("bundled:en", Run(Recipe(name="a", language="en"), work), work, "trees") == folder
    assert (folder / "kept").exists()


def test_what_is_no_encoder_is_named(tmp_path: Path) -> None:
    copy = shutil.copytree(load("en").folder, tmp_path / "copy")
    (copy / "model.bin").write_bytes((copy / "model.bin").read_bytes()[:1000])
    with pytest.raises(BadModel, match=r"model\.bin: it is no encoder"):
        unpack(copy, tmp_path / "out")
    (copy / "model.bin").unlink()
    with pytest.raises(ModelNotFound, match=r"model\.bin"):
        unpack(copy, tmp_path / "out")


def test_a_model_that_is_not_bundled_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadModel, match=r"trees\.encoder: .*'fr'"):
        open_encoder("bundled:fr", Run(Recipe(name="a", language="en"), tmp_path), tmp_path, "trees")


def test_a_model_of_another_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        BadModel, match=r"trees.encoder: bundled:ru has not learnt the recipe's language, en.*bundled:en"
    ):
        open_encoder("bundled:ru", Run(Recipe(name="a", language="en"), tmp_path), tmp_path, "trees")
