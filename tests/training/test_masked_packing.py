"""A packed masked model says what its checkpoint says, without torch, whatever company a row has."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

import torch

from rerank.errors import ModelNotFound, TextTooLong, UnknownName
from rerank.masked.base import MaskedModel, Row, Word
from rerank.masked.bundled import BundledMaskedModel, load
from tests.processor import needs_vnni
from tests.training.masked import random_model
from training.masked.packing import pack


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_model(tmp_path_factory.mktemp("checkpoint"))


@pytest.fixture(scope="module")
def exact(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> BundledMaskedModel:
    folder = tmp_path_factory.mktemp("float32")
    pack(checkpoint, folder, name="tiny", language="en", weights="float32")
    return BundledMaskedModel(folder, threads=1, batch_tokens=64)


@pytest.fixture(scope="module")
def small(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> BundledMaskedModel:
    folder = tmp_path_factory.mktemp("int8")
    pack(checkpoint, folder, name="tiny", language="en", weights="int8")
    return BundledMaskedModel(folder, threads=1)


def _rows(model: MaskedModel, count: int = 40) -> list[Row]:
    rng = random.Random(0)
    words = [Word(text) for text in "the old woman couldn't find some fresh bread 1,300 zzz".split()]
    rows = []
    for _ in range(count):
        tokens = [t for _ in range(rng.randrange(1, 9)) for t in model.tokens(rng.choice(words))]
        line = (*model.prefix, *tokens[:40], *model.suffix)
        places = sorted(rng.sample(range(1, len(line) - 1), min(len(line) - 2, rng.randrange(1, 4))))
        line = tuple(model.mask if i in places else token for i, token in enumerate(line))
        rows.append(Row(line, tuple(places)))
    return rows


def _expected(checkpoint: Path, rows: list[Row]) -> list[Any]:
    import transformers

    model = transformers.BertForMaskedLM.from_pretrained(checkpoint).eval()
    with torch.no_grad():
        logits = [model(input_ids=torch.tensor([row.tokens])).logits[0, list(row.positions)] for row in rows]
    return [torch.log_softmax(part.double(), dim=-1).numpy() for part in logits]


def test_it_fulfils_the_protocol(small: BundledMaskedModel) -> None:
    assert isinstance(small, MaskedModel)
    assert (small.window, small.language, small.name) == (48, "en", "bundled:tiny")
    assert small.tokens(Word("Woman", spaced=False)) == small.tokens(Word("woman"))
    assert small.tokens(Word("[MASK]")) != (small.mask,)
    assert len(small.tokens(Word("漢"))) == 1
    assert len(small.tokens(Word("\u00ad"))) == 1


def test_packed_in_32_bits_it_equals_torch(checkpoint: Path, exact: BundledMaskedModel) -> None:
    rows = _rows(exact)
    for mine, theirs, row in zip(exact.predict(rows), _expected(checkpoint, rows), rows, strict=True):
        assert mine.shape == (len(row.positions), theirs.shape[1])
        assert mine.dtype == np.float32
        np.testing.assert_allclose(mine, theirs, atol=1e-4)
        np.testing.assert_allclose(np.exp(mine.astype(np.float64)).sum(axis=1), 1.0, atol=1e-5)


@needs_vnni
def test_packed_in_8_bits_it_is_near_torch(checkpoint: Path, small: BundledMaskedModel) -> None:
    rows = _rows(small)
    mine, theirs = np.concatenate(small.predict(rows)), np.concatenate(_expected(checkpoint, rows))
    assert np.ptp(theirs) > 3
    assert np.abs(mine - theirs).mean() < 0.05
    assert (mine.argmax(axis=1) == theirs.argmax(axis=1)).mean() > 0.8


def test_vectors_equal_those_of_torch(checkpoint: Path, exact: BundledMaskedModel) -> None:
    import transformers

    body = transformers.BertForMaskedLM.from_pretrained(checkpoint).eval().bert
    rows = [row.tokens for row in _rows(exact, 7)]
    for mine, row in zip(exact.vectors(rows), rows, strict=True):
        with torch.no_grad():
            theirs = body(input_ids=torch.tensor([row])).last_hidden_state[0].numpy()
        np.testing.assert_allclose(mine, theirs, atol=1e-4)


def test_company_and_order_of_rows_make_no_difference(exact: BundledMaskedModel, small: BundledMaskedModel) -> None:
    for model in (exact, small):
        rows = _rows(model)
        together = model.predict(rows)
        for found, again in zip(model.predict(rows[::-1])[::-1], together, strict=True):
            np.testing.assert_allclose(found, again, atol=1e-4)
        for row, again in list(zip(rows, together, strict=True))[:5]:
            np.testing.assert_allclose(model.predict([row])[0], again, atol=1e-4)
        np.testing.assert_array_equal(np.concatenate(model.predict(rows)), np.concatenate(together))


def test_no_rows_and_rows_without_questions_are_answered(small: BundledMaskedModel) -> None:
    assert small.predict([]) == []
    assert small.vectors([]) == []
    (nothing,) = small.predict([Row((2, 5, 3), ())])
    assert nothing.shape[0] == 0
    mixed = small.predict([Row((2, 5, 3), ()), Row((2, 4, 3), (1,))])
    assert [len(one) for one in mixed] == [0, 1]


def test_a_row_that_is_too_long_is_told_with_both_numbers(small: BundledMaskedModel) -> None:
    with pytest.raises(TextTooLong, match=r"49 tokens.* 48\b"):
        small.predict([Row((2, 4, 3), (1,)), Row((2, *[5] * 47, 3), (1,))])
    with pytest.raises(TextTooLong):
        small.vectors([(2, *[5] * 47, 3)])


@pytest.mark.parametrize("name", ["model.bin", "head.npz", "tokenizer.json", "masked.json"])
@pytest.mark.parametrize("how", ["missing", "broken"])
def test_a_broken_folder_is_told_with_a_way_out(small: BundledMaskedModel, tmp_path: Path, name: str, how: str) -> None:
    folder = shutil.copytree(small.folder, tmp_path / "copy")
    if how == "missing":
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(b"{}")
    with pytest.raises(ModelNotFound, match=name if how == "missing" else "copy") as caught:
        BundledMaskedModel(folder, reinstall="Mend it.").predict([Row((2, *_first_token(folder), 3), (1,))])
    assert caught.value.hint == "Mend it."


def _first_token(folder: Path) -> tuple[int, ...]:
    return BundledMaskedModel(folder, reinstall="Mend it.").tokens(Word("the"))


def test_a_language_without_a_model_is_told() -> None:
    with pytest.raises(UnknownName, match="'xx'"):
        load("xx")


def test_signatures_tell_weights_apart(exact: BundledMaskedModel, small: BundledMaskedModel) -> None:
    assert small.signature() == BundledMaskedModel(small.folder).signature()
    assert small.signature() != exact.signature()


def test_it_runs_where_torch_cannot_be_imported(small: BundledMaskedModel) -> None:
    code = (
        "import sys; sys.modules.update(torch=None, transformers=None)\n"
        "from pathlib import Path; from rerank.masked.bundled import BundledMaskedModel; "
        "from rerank.masked.base import Row\n"
        f"model = BundledMaskedModel(Path({str(small.folder)!r}))\n"
        "assert 'ctranslate2' not in sys.modules\n"
        "print(model.predict([Row((2, 4, 3), (1,))])[0].shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("(1, ")
