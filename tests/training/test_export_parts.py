"""The parts of an export by themselves: sums, figures, sentences to verify with, and what is said of its sources."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

from rewrite.checksums import SUMS, verify_sums, write_sums
from rewrite.errors import BadInput, BadModel
from training.exporting.agreement import Agreement, bounds, require
from training.exporting.card import read_figures
from training.exporting.options import VerifyOptions


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


def test_a_model_that_is_turned_by_rounding_is_refused_with_all_figures() -> None:
    found = Agreement(sentences=12, same=4, gap=1.9804)
    with pytest.raises(BadModel, match=r"4 of 12 greedy texts .* \(at least 50% wanted\), .* 1\.9804 nats") as caught:
        require(found, bounds(VerifyOptions(), "int8"))
    assert "float32" in caught.value.hint
    require(found, bounds(VerifyOptions(same=0.33, gap=1.99), "int8"))
