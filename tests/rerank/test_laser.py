"""Our LASER network against the `laserembeddings` package, on one checkpoint with random weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rerank.encoders import create_encoder
from rerank.encoders.laser import LaserEncoder
from rerank.errors import MissingExtra, ModelNotFound
from rerank.similarity import similarities

TEXTS = ["Мама мыла раму.", "Мама — мыла «раму», 25 раз!", "Кошка ест.", "а", "Мама мыла " * 30]
CODES = ["м а 9", "ма ма</w> 8", "р а 7", "м у</w> 6", "к о 5", "ко ш 4", "ра му</w> 3", "е с 2"]


def _units() -> list[str]:
    letters = "абвгдежзийклмнопрстуфхцчшщъыьэюяё0123456789.,!-\"'"
    words = ["мама", "ма@@", "раму", "ра@@", "му", "ко@@", "кош@@", "ес@@"]
    return [*letters, *(f"{letter}@@" for letter in letters), *words]


def _checkpoint(folder: Path, *, layers: int = 2, pieces: Sequence[str] = ()) -> None:
    torch = pytest.importorskip("torch", reason="LASER needs the [encoders] extra")
    torch.manual_seed(0)
    units = dict.fromkeys(["<s>", "<pad>", "</s>", "<unk>", *_units(), *pieces])
    dictionary = {unit: n for n, unit in enumerate(units)}
    params = {
        "num_embeddings": len(dictionary),
        "padding_idx": 1,
        "embed_dim": 12,
        "hidden_size": 16,
        "num_layers": layers,
        "bidirectional": True,
        "left_pad": True,
        "padding_value": 0.0,
    }
    lstm = torch.nn.LSTM(12, 16, num_layers=layers, bidirectional=True)
    weights = {f"lstm.{name}": value for name, value in lstm.state_dict().items()}
    weights["embed_tokens.weight"] = torch.randn(len(dictionary), 12)
    torch.save({"params": params, "model": weights, "dictionary": dictionary}, folder / "bilstm.pt")
    (folder / "93langs.fcodes").write_text("\n".join(CODES) + "\n", encoding="utf-8")
    vocabulary = "\n".join(f"{unit} {n + 1}" for n, unit in enumerate(_units()))
    (folder / "93langs.fvocab").write_text(vocabulary + "\n", encoding="utf-8")


@pytest.mark.parametrize("layers", [1, 5])
def test_same_vectors_as_laserembeddings(tmp_path: Path, layers: int) -> None:
    _checkpoint(tmp_path, layers=layers)
    oracle = pytest.importorskip("laserembeddings", reason="the oracle is not installed").Laser(
        str(tmp_path / "93langs.fcodes"), str(tmp_path / "93langs.fvocab"), str(tmp_path / "bilstm.pt")
    )
    ours = LaserEncoder(tmp_path).encode(TEXTS)
    assert ours.dtype == np.float32
    assert ours.shape == (len(TEXTS), 32)
    np.testing.assert_allclose(ours, oracle.embed_sentences(TEXTS, lang="ru"), atol=1e-5)


def test_laser2_units_are_sentencepieces(tmp_path: Path) -> None:
    spm = pytest.importorskip("sentencepiece", reason="LASER2 needs sentencepiece")
    pytest.importorskip("sacremoses", reason="LASER needs sacremoses")
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(["мама мыла раму", "кошка ест рыбу", "рыба плывёт в реке"] * 20), encoding="utf-8")
    spm.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=str(tmp_path / "laser2"), vocab_size=40, hard_vocab_limit=False, minloglevel=2
    )
    (tmp_path / "laser2.model").rename(tmp_path / "laser2.spm")
    processor = spm.SentencePieceProcessor(model_file=str(tmp_path / "laser2.spm"))
    _checkpoint(tmp_path, pieces=[processor.id_to_piece(n) for n in range(3, processor.get_piece_size())])
    encoder = LaserEncoder(tmp_path)
    expected = encoder.encode_units([processor.encode(text, out_type=str) for text in ("мама ест", "кошка в реке")])
    np.testing.assert_array_equal(encoder.encode(["МАМА ест", "кошка в реке"]), expected)
    assert np.abs(expected[0] - expected[1]).max() > 1e-3


def test_padding_and_order_change_nothing(tmp_path: Path) -> None:
    _checkpoint(tmp_path)
    encoder = LaserEncoder(tmp_path)
    lines = [["мама", "раму"], ["ма@@"] * 40, [], ["неведомое"]]
    together = encoder.encode_units(lines)
    alone = np.concatenate([encoder.encode_units([line]) for line in lines])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    assert not together[2].any()


def test_similarity_of_the_same_text_is_one(tmp_path: Path) -> None:
    _checkpoint(tmp_path)
    pytest.importorskip("sacremoses", reason="LASER needs sacremoses")
    pytest.importorskip("subword_nmt", reason="LASER needs subword-nmt")
    values = similarities(create_encoder(f"laser:{tmp_path}"), "мама", ["мама", "кошка ест", ""])
    assert values[0] == 1.0
    assert values[2] == 0.0
    assert ((values >= 0) & (values <= 1)).all()


def test_a_folder_without_a_checkpoint_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match=r"0 files \*\.pt"):
        LaserEncoder(tmp_path).encode_units([["мама"]])


def test_another_file_is_no_checkpoint(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="LASER needs the [encoders] extra")
    torch.save({"weights": torch.zeros(2)}, tmp_path / "other.pt")
    with pytest.raises(ModelNotFound, match=r"no LASER BiLSTM checkpoint"):
        LaserEncoder(tmp_path).encode_units([["мама"]])


def test_missing_torch_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bilstm.pt").write_bytes(b"")
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rewrite-rerank\[encoders\]'"):
        LaserEncoder(tmp_path).encode_units([["мама"]])
