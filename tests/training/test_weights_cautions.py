"""What makes figures of tuned weights flatter is told: on the console, in the report and in the preset."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from rerank.types import Candidate
from rerank.weights import load_preset
from rewrite.datasets import Example
from rewrite.generators.replay import Recorder
from training.recipe import Run, load_recipe
from training.weighting.tune import FEW, FLATTERED, warnings_of
from training.weighting.weight_options import WeightOptions
from training.weights import main

SOURCES = (
    "Город, основанный в 1703 году, является крупным портом на берегу моря.",
    "Известный писатель Лев Толстой закончил в этом году свой новый большой роман.",
    "Отряд быстро вошёл в старый город, который стоит на берегу широкой реки.",
    "Учёные из Новосибирска, изучавшие ледники Алтая, установили, что площадь льда уменьшилась.",
)
EXAMPLES = [Example(source, (source.partition(",")[0] + ".",)) for source in SOURCES]


def _run(folder: Path, **sections: Any) -> Run:
    path = folder / "recipe.yaml"
    path.write_text(yaml.safe_dump({"name": "tiny", **sections}, allow_unicode=True), encoding="utf-8")
    return Run(load_recipe(path), folder / "out")


@pytest.mark.parametrize(
    ("generator", "cross_fit", "told"),
    [("edits", False, True), ("edits+deletion", False, True), ("edits", True, False), ("deletion", False, False)],
)
def test_the_bundled_edit_model_is_told_to_flatter_unless_each_fold_has_its_own(
    generator: str, cross_fit: bool, told: bool
) -> None:
    found = warnings_of(WeightOptions(generator=generator, cross_fit=cross_fit), FEW)
    assert any(FLATTERED in line for line in found) == told


def test_few_sources_are_told() -> None:
    options = WeightOptions(generator="deletion")
    assert warnings_of(options, FEW) == []
    (line,) = warnings_of(options, FEW - 1)
    assert f"Only {FEW - 1} sources" in line


def test_what_is_told_stands_on_the_console_in_the_report_and_in_the_preset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    recorder = Recorder(str(tmp_path / "out" / "drawn.jsonl"))
    for source in SOURCES:
        parts = (source.partition(",")[0] + ".", " ".join(source.split()[1:]))
        recorder.write(source, [Candidate(text) for text in parts])
    sources = tmp_path / "sources.tsv"
    sources.write_text("".join(f"{e.source}\t{e.references[0]}\n" for e in EXAMPLES), encoding="utf-8")
    weights = {"sources": str(sources), "generator": "edits+replay:{out}/drawn.jsonl", "folds": 2, "settings": 20}
    run = _run(tmp_path, weights={**weights, "samples": 100, "n": 3})
    assert main([str(tmp_path / "recipe.yaml"), "--out", str(run.out), "--processes", "1"]) == 0
    shown = capsys.readouterr().out
    preset = (run.out / "preset.yaml").read_text(encoding="utf-8")
    told = json.loads((run.out / "report.json").read_text(encoding="utf-8"))["warnings"]
    assert [line.split()[0] for line in told] == ["Not", "Only"]
    for line in told:
        assert f"warning: {line}\n" in shown
        assert f"# Warning: {line}\n" in preset
    assert load_preset(run.out / "preset.yaml")[0] == "tuned"
