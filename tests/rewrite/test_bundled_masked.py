"""Masked models in the bundled format, by their folder, wherever a masked model is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rerank.errors import BadModel, ModelNotFound, UnknownName
from rerank.masked.base import Row, Word
from rerank.masked.bundled import BundledMaskedModel
from rerank.masked.registry import create_masked_model, parse_masked_name
from rerank.ndd.bertscore import BERTScore
from rerank.ndd.scorers import NddScorer

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

Run = Callable[..., int]

SOURCE = "The old woman couldn't find some fresh bread in the evening."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.training.masked import random_model
    from training.masked.packing import pack

    target = tmp_path_factory.mktemp("packed")
    pack(random_model(tmp_path_factory.mktemp("checkpoint")), target, name="tiny", language="en", weights="int8")
    return target


def test_a_folder_is_named_as_a_bundled_one(folder: Path) -> None:
    spec = f"bundled:{folder}"
    model = create_masked_model(spec, language="zh")
    assert isinstance(model, BundledMaskedModel)
    assert model.name == spec
    row = Row((*model.prefix, *model.tokens(Word("the")), model.mask, *model.suffix), (2,))
    np.testing.assert_array_equal(model.predict([row])[0], BundledMaskedModel(folder).predict([row])[0])


@pytest.mark.parametrize(
    ("spec", "for_all", "in_package"),
    [("hf", False, False), ("hf:x", True, False), ("bundled", False, True), ("bundled:en", True, True)],
)
def test_what_a_name_stands_for(spec: str, for_all: bool, in_package: bool) -> None:
    name = parse_masked_name(spec)
    assert (name.for_all_languages, name.is_in_package) == (for_all, in_package)


def test_a_folder_of_ones_own_is_one_model_that_the_signature_tells(folder: Path, tmp_path: Path) -> None:
    other = shutil.copytree(folder, tmp_path / "other")
    settings = other / "masked.json"
    settings.write_text(settings.read_text(encoding="utf-8").replace("tiny", "tinier"), encoding="utf-8")
    name = parse_masked_name(f"bundled:{other}")
    assert (name.for_all_languages, name.is_in_package) == (True, False)
    scorers = [NddScorer(model=f"bundled:{path}") for path in (folder, other)]
    assert scorers[0].model_for("en") is scorers[0].model_for("ru")
    checksums = [scorer.signature().rpartition("@")[2] for scorer in scorers]
    assert checksums[0] != checksums[1]
    assert NddScorer(model="bundled:en").signature().endswith(":bundled:en")


def test_a_command_takes_it(folder: Path, run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_command("compress", "--masked-model", f"bundled:{folder}", "--no-syntax", SOURCE) == 0
    text = capfd.readouterr().out.strip()
    assert 4 <= len(text.split()) < len(SOURCE.split())


def test_a_component_takes_it(
    folder: Path, tmp_path: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    pool = {"source": SOURCE, "candidates": [SOURCE, "The old woman couldn't find bread."]}
    path = tmp_path / "pools.jsonl"
    path.write_text(json.dumps(pool) + "\n", encoding="utf-8")
    options = ("-w", "ndd=1", "--masked-model", f"bundled:{folder}", "--format", "jsonl")
    assert run_command("score", *options, "-i", str(path)) == 0
    same, cut = json.loads(capfd.readouterr().out)["candidates"]
    assert same["components"]["ndd"] == 1.0
    assert 0 < cut["components"]["ndd"] < 1


class TestWrongNames:
    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        for spec in (f"bundled:{tmp_path / 'nowhere'}", "bundled:xx"):
            with pytest.raises(UnknownName, match=r"there is no such folder.*bundled:FOLDER"):
                create_masked_model(spec)

    def test_a_folder_that_is_no_such_model_names_what_it_lacks(self, tmp_path: Path) -> None:
        with pytest.raises(ModelNotFound, match=r"masked\.json, model\.bin.*missing.*training\.masked_lm"):
            create_masked_model(f"bundled:{tmp_path}")

    def test_a_folder_by_itself_is_told_how_to_write_it(self, folder: Path) -> None:
        with pytest.raises(UnknownName, match=f"write hf:{folder} or bundled:{folder}"):
            create_masked_model(str(folder))

    def test_a_packed_folder_is_not_for_transformers(self, folder: Path) -> None:
        with pytest.raises(BadModel, match=f"bundled:{folder}"):
            create_masked_model(f"hf:{folder}").tokens(Word("the"))

    def test_bertscore_takes_none(self, folder: Path) -> None:
        with pytest.raises(UnknownName, match="BERTScore cannot use"):
            BERTScore(model=f"bundled:{folder}")

    def test_the_command_says_it_in_one_line(
        self, tmp_path: Path, run_command: Run, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert run_command("compress", "--masked-model", f"bundled:{tmp_path}", "--no-syntax", SOURCE) == 1
        out, err = capfd.readouterr()
        assert out == ""
        assert err.startswith(f"rewrite: {tmp_path}: it holds no model: masked.json")
        assert err.count("\n") == 1


class TestBrokenFiles:
    @pytest.mark.parametrize("share", [0.5, 0.999])
    def test_a_head_that_was_cut_short(self, folder: Path, tmp_path: Path, share: float) -> None:
        copy = shutil.copytree(folder, tmp_path / "copy")
        data = (copy / "head.npz").read_bytes()
        (copy / "head.npz").write_bytes(data[: int(share * len(data))])
        with pytest.raises(ModelNotFound, match=r"head\.npz: it cannot be read"):
            BundledMaskedModel(copy).predict([Row((2, 4, 3), (1,))])

    def test_a_head_whose_parts_do_not_belong_together(self, folder: Path, tmp_path: Path) -> None:
        copy = shutil.copytree(folder, tmp_path / "copy")
        with np.load(copy / "head.npz") as data:
            parts = {name: data[name] for name in data.files}
        for name in ("words_bias", "norm"):
            np.savez(copy / "head.npz", **{**parts, name: parts[name][:-1]})
            with pytest.raises(ModelNotFound, match=r"head\.npz"):
                BundledMaskedModel(copy).predict([Row((2, 4, 3), (1,))])

    @pytest.mark.parametrize("changed", [{"window": "128"}, {"mask": -1}, {"prefix": []}, {"suffix": [2.5]}])
    def test_settings_that_are_none(self, folder: Path, tmp_path: Path, changed: dict[str, object]) -> None:
        copy = shutil.copytree(folder, tmp_path / "copy")
        settings = json.loads((copy / "masked.json").read_text(encoding="utf-8"))
        (copy / "masked.json").write_text(json.dumps({**settings, **changed}), encoding="utf-8")
        with pytest.raises(ModelNotFound, match=r"masked\.json"):
            BundledMaskedModel(copy)
