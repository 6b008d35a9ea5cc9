"""Masked language models of Hugging Face: sub-words, batches, the output layer, and what is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rerank.errors import BadModel, ModelNotFound, RewriteError, TextTooLong, UnknownName
from rerank.masked.base import MaskedModel, Row, Word
from rerank.masked.hf import HFMaskedModel, works_on_asked_positions
from rerank.masked.registry import DEFAULT_MODELS, create_masked_model
from rerank.masked.words import LANGUAGES, split_words
from tests.rerank.tiny_masked import FAMILIES

torch = pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
transformers = pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

ModelFolder = Callable[[str], Path]


@pytest.fixture(scope="module", params=FAMILIES)
def folder(request: pytest.FixtureRequest, tiny_masked_model: ModelFolder) -> Path:
    return tiny_masked_model(request.param)


@pytest.fixture
def copy(tiny_masked_model: ModelFolder, tmp_path: Path) -> Path:
    """A BERT to damage."""
    return shutil.copytree(tiny_masked_model("bert"), tmp_path / "model")


def rows_of(model: MaskedModel, *texts: str) -> list[Row]:
    rows = []
    for text in texts:
        inner = [token for word in split_words(text) for token in model.tokens(word)]
        whole = [*model.prefix, *inner, *model.suffix]
        places = tuple(range(1, len(whole), 3))
        rows.append(Row(tuple(model.mask if i in places else t for i, t in enumerate(whole)), places))
    return rows


TEXTS = ("rain", "I am walking in the cold rain .", "snow and rain", "he was running with friends in the dark night")


def test_the_engine_is_a_masked_model_with_the_tokens_around_a_text(folder: Path) -> None:
    model = create_masked_model(f"hf:{folder}")
    assert isinstance(model, MaskedModel)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    assert model.mask == tokenizer.mask_token_id
    assert (*model.prefix, *model.suffix) == (tokenizer.cls_token_id, tokenizer.sep_token_id)
    assert model.window == 160
    assert model.name == f"hf:{folder}"


def test_the_sub_words_of_words_are_those_of_the_text(folder: Path) -> None:
    model = create_masked_model(f"hf:{folder}")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    text = " I am walking (umbrellas) in the cold rain, unhappily."
    expected = tokenizer.encode(text, add_special_tokens=False)
    assert [token for word in split_words(text, "en") for token in model.tokens(word)] == expected


def test_every_word_has_a_sub_word_and_special_marks_in_a_text_are_text(folder: Path) -> None:
    model = create_masked_model(f"hf:{folder}")
    for text in ("日", "\u200b", "\u0301", "[MASK]", "<mask>", "</s>", "[SEP]"):
        for spaced in (True, False):
            tokens = model.tokens(Word(text, spaced))
            assert tokens
            assert not {model.mask, *model.prefix, *model.suffix} & set(tokens)


def test_predictions_are_those_of_each_row_alone(folder: Path) -> None:
    model = HFMaskedModel(str(folder), batch_tokens=40)
    direct = transformers.AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float64).eval()
    rows = rows_of(model, *TEXTS)
    for row, found in zip(rows, model.predict(rows), strict=True):
        with torch.no_grad():
            logits = direct(torch.tensor([row.tokens])).logits[0, list(row.positions)]
        assert found.dtype == np.float32
        assert found == pytest.approx(logits.log_softmax(-1).numpy(), abs=1e-4)
    assert model.predict([]) == []


def test_vectors_are_those_of_each_row_alone(folder: Path) -> None:
    model = HFMaskedModel(str(folder), batch_tokens=40)
    direct = transformers.AutoModel.from_pretrained(folder, dtype=torch.float64, add_pooling_layer=False).eval()
    rows = [row.tokens for row in rows_of(model, *TEXTS)]
    for row, found in zip(rows, model.vectors(rows), strict=True):
        with torch.no_grad():
            expected = direct(torch.tensor([row])).last_hidden_state[0]
        assert found == pytest.approx(expected.numpy(), abs=1e-4)


def test_the_output_layer_sees_the_asked_positions_alone_and_all_where_it_must(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = HFMaskedModel(str(folder))
    rows = rows_of(model, *TEXTS)
    sparse = model.predict(rows)
    seen: list[int] = []
    output = model._model.get_output_embeddings()
    output.register_forward_hook(lambda module, given, found: seen.append(given[0].shape[:-1].numel()))
    model.predict(rows)
    assert sum(seen) == sum(len(row.positions) for row in rows)
    dense = HFMaskedModel(str(folder))
    monkeypatch.setattr("rerank.masked.hf.works_on_asked_positions", lambda *_: False)
    for one, other in zip(sparse, dense.predict(rows), strict=True):
        assert one == pytest.approx(other, abs=1e-4)


def test_an_output_layer_that_looks_at_other_positions_is_given_them_all(tiny_masked_model: ModelFolder) -> None:
    model = transformers.AutoModelForMaskedLM.from_pretrained(tiny_masked_model("bert")).eval()
    assert works_on_asked_positions(model, "cpu", (2, 4, 4, 3))
    model.cls.register_forward_hook(lambda module, given, found: found + found.mean(1, keepdim=True))
    assert not works_on_asked_positions(model, "cpu", (2, 4, 4, 3))
    model.cls.register_forward_hook(lambda module, given, found: found.view(2, 4, -1))
    assert not works_on_asked_positions(model, "cpu", (2, 4, 4, 3))


def test_a_row_beyond_the_window_is_refused(folder: Path) -> None:
    model = create_masked_model(f"hf:{folder}")
    longest = (*model.prefix, *[model.mask] * 158, *model.suffix)
    (found,) = model.predict([Row(longest, (159,))])
    assert np.isfinite(found).all()
    for ask in (lambda row: model.predict([Row(row, (1,))]), lambda row: model.vectors([row])):
        with pytest.raises(TextTooLong, match=r"161 tokens.*160"):
            ask((*longest, *model.suffix))


def test_weights_in_a_pickle_are_not_read(copy: Path) -> None:
    from safetensors.torch import load_file

    torch.save(load_file(copy / "model.safetensors"), copy / "pytorch_model.bin")
    (copy / "model.safetensors").unlink()
    with pytest.raises(BadModel, match="pickle") as caught:
        _ = create_masked_model(f"hf:{copy}").mask
    assert "allow_pickle" not in caught.value.hint


def test_code_that_comes_with_a_model_is_not_run(copy: Path) -> None:
    (copy / "own.py").write_text("raise SystemExit('run')\n", encoding="utf-8")
    config = json.loads((copy / "config.json").read_text(encoding="utf-8"))
    config.update(model_type="own", auto_map={"AutoConfig": "own.Config", "AutoModelForMaskedLM": "own.Model"})
    (copy / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(BadModel):
        _ = create_masked_model(f"hf:{copy}").window


def test_a_model_without_its_output_layer_or_without_a_mask_is_refused(tiny_model: ModelFolder, copy: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = {k: v for k, v in load_file(copy / "model.safetensors").items() if not k.startswith("cls.")}
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(BadModel, match="weights lack cls"):
        _ = create_masked_model(f"hf:{copy}").window
    with pytest.raises(BadModel, match="no mask"):
        _ = create_masked_model(f"hf:{tiny_model('gpt2')}").mask


def test_a_folder_that_is_not_there_and_a_device_that_is_not_are_named(tiny_masked_model: ModelFolder) -> None:
    with pytest.raises((ModelNotFound, BadModel), match="nowhere"):
        _ = create_masked_model("hf:./nowhere/at/all").window
    with pytest.raises(RewriteError, match="'no-device'"):
        _ = create_masked_model(f"hf:{tiny_masked_model('bert')}", device="no-device").window


def test_the_signature_changes_with_the_weights(copy: Path) -> None:
    from safetensors.torch import load_file, save_file

    before = create_masked_model(f"hf:{copy}").signature()
    assert create_masked_model(f"hf:{copy}").signature() == before
    weights = load_file(copy / "model.safetensors")
    weights["cls.predictions.bias"] += 1
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    assert create_masked_model(f"hf:{copy}").signature() != before


def test_every_language_has_a_default_and_unknown_names_list_the_known() -> None:
    assert set(DEFAULT_MODELS) == set(LANGUAGES)
    assert create_masked_model("hf", language="zh").name == "hf:google-bert/bert-base-chinese"
    for wrong in ("bert", "hf:", "bundled:", "", "ct2:x"):
        with pytest.raises(UnknownName, match=r"Known: hf:NAME .*bundled:ru"):
            create_masked_model(wrong)
    for wrong in ("bundled:de", "bundled"):
        with pytest.raises(UnknownName, match="'de' is bundled"):
            create_masked_model(wrong, language="de")
    with pytest.raises(UnknownName, match="'de'"):
        create_masked_model("hf", language="de")
