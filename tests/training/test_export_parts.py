"""The parts of an export by themselves: sums, figures, sentences to verify with, and what is said of its sources."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

from rewrite.checksums import SUMS, verify_sums, write_sums
from rewrite.errors import BadInput, BadModel
from training.exporting.agreement import Agreement, bounds, require, sentences
from training.exporting.card import remarks
from training.exporting.figures import read_figures
from training.exporting.options import VerifyOptions
from training.recipe import Recipe, load_recipe


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/../../secret", ".."])
def test_a_sum_that_points_out_of_the_folder_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    empty = hashlib.sha256(b"").hexdigest()
    (tmp_path / SUMS).write_text(f"{empty}  a\n{empty}  {name}\n")
    with pytest.raises(BadModel, match=r"SHA256SUMS, line 2: .* is no sum with a file's name"):
        verify_sums(tmp_path)
    with pytest.raises(BadModel, match="line 2"):
        verify_sums(tmp_path, part=True)


def test_all_files_that_are_missing_are_named_unless_a_part_is_asked_for(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text(name)
    write_sums(tmp_path)
    (tmp_path / "a").unlink()
    (tmp_path / "c").unlink()
    with pytest.raises(BadModel, match=r"a, c are missing, but SHA256SUMS names them\. Fetch or export"):
        verify_sums(tmp_path)
    with pytest.raises(BadModel, match="Do that"):
        verify_sums(tmp_path, hint="Do that.")
    assert verify_sums(tmp_path, part=True) == 1
    (tmp_path / "b").write_text("other")
    with pytest.raises(BadModel, match=r"b: it differs"):
        verify_sums(tmp_path, part=True)


def test_the_figures_of_the_step_finetune_are_read_with_their_baselines(tmp_path: Path) -> None:
    dev = {"metric": "sari", "best": 36.5, "sources": 100, "n": 10, "preset": "paper", "baselines": {"source": 12.1}}
    path = tmp_path / "figures.json"
    path.write_text(json.dumps({"name": "tiny", "steps": 900, "kept": 500, "dev": dev}))
    (found,) = read_figures(path)
    assert (found.name, found.value, found.baselines) == ("SARI", 36.5, {"source": 12.1})
    assert "100 sources of dev" in found.on
    assert found.command.startswith("python -m training.finetune")
    path.write_text(json.dumps({"name": "tiny", "steps": 900, "dev": {"metric": "loss", "best": 1.25}}))
    assert [figure.value for figure in read_figures(path)] == [1.25]
    for without in ({"name": "tiny", "steps": 900}, {"steps": 900, "dev": dev | {"best": None}}):
        path.write_text(json.dumps(without))
        assert read_figures(path) == ()
    path.write_text(json.dumps({"sari": 40}))
    with pytest.raises(BadInput, match="no list of `figures`"):
        read_figures(path)


def test_sentences_of_a_file_are_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_bytes("\ufeffДождь\u2028идёт.\r\n\r\nСнег.".encode())
    assert sentences(VerifyOptions(file="texts.txt"), "ru", path) == ("Дождь\u2028идёт.", "Снег.")


@pytest.mark.parametrize("quantization", ["int8", "float16", "float32"])
def test_what_to_write_instead_is_told_where_a_model_is_turned_by_rounding(quantization: Any) -> None:
    found = Agreement(sentences=12, same=4, gap=1.9804)
    with pytest.raises(BadModel) as caught:
        require(found, bounds(VerifyOptions(), quantization), quantization)
    finer = re.findall(r"(float\d\d)", caught.value.hint)
    assert finer == {"int8": ["float32", "float16"], "float16": ["float32"]}.get(quantization, [])
    # What the hint says to write lets the same model pass.
    told = re.search(r"export\.verify: (\{.*\})", caught.value.hint)
    assert told is not None
    require(found, bounds(VerifyOptions(**yaml.safe_load(told[1])), quantization), quantization)


def _recipe_of(tmp_path: Path, data: list[dict[str, Any]], pairs: list[str], **sections: Any) -> Recipe:
    section = {"licence": "mit", "data": [{"licence": "CC0", **item} for item in data]}
    recipe = {"name": "tiny", "finetune": {"model": "m/m", "pairs": pairs}, "export": section, **sections}
    (tmp_path / "recipe.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
    return load_recipe(tmp_path / "recipe.yaml")


@pytest.mark.parametrize(
    ("data", "pairs", "told"),
    [
        ([{"name": "A"}], ["a.tsv"], []),
        ([{"name": "A"}], ["a.tsv", "b.tsv"], ["learns from 2 files, and no set in export.data names a.tsv, b.tsv."]),
        ([{"name": "A", "files": ["a.tsv"]}], ["a.tsv", "b.tsv"], ["no set in export.data names b.tsv."]),
        ([{"name": "A", "files": ["a.tsv", "b.tsv"]}], ["a.tsv", "b.tsv"], []),
        ([{"name": "A", "files": ["a.tsv"]}, {"name": "before, by another recipe"}], ["a.tsv"], []),
        ([{"name": "A", "files": ["x.tsv"]}], ["a.tsv"], ["names a.tsv.", "does not learn from: x.tsv."]),
        ([{"name": "A"}, {"name": "B"}], ["{out}/pairs.jsonl", "b.tsv"], ["learns from 3 files"]),
        ([{"name": "A"}, {"name": "B"}, {"name": "C"}], ["{out}/pairs.jsonl", "b.tsv"], []),
    ],
)
def test_files_that_no_set_of_the_card_names_are_told(
    data: list[dict[str, Any]], pairs: list[str], told: list[str], tmp_path: Path
) -> None:
    recipe = _recipe_of(tmp_path, data, pairs, filter={"pairs": ["noisy.tsv", "more.tsv"]})
    assert recipe.export is not None
    found = list(remarks(recipe, recipe.export))
    assert len(found) == len(told)
    assert all(part in line for part, line in zip(told, found, strict=True))


@pytest.mark.parametrize(
    ("licence", "told"), [("apache2", "did you mean apache-2.0?"), ("zzz", "none that the hub"), ("mit", "")]
)
def test_a_licence_that_the_hub_does_not_know_is_told(licence: str, told: str, tmp_path: Path) -> None:
    recipe = _recipe_of(tmp_path, [{"name": "A"}], ["a.tsv"])
    assert recipe.export is not None
    found = list(remarks(recipe, recipe.export.model_copy(update={"licence": licence})))
    assert bool(found) == bool(told)
    assert told in "".join(found)
