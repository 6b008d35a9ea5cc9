"""`python -m training.tables`: the paper's layout, ours from the same code as the evaluation, its own figures apart."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rewrite.datasets import Example, text_lines
from rewrite.evaluate.resampling import Bootstrap
from rewrite.evaluate.rsse import RsseScoring, ablation, n_curve
from rewrite.evaluate.sets import EvaluationSet
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.training.test_weights_command import SOURCES
from training.tables import main
from training.weighting.weight_options import EXAMPLE

pytestmark = pytest.mark.paper


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "pairs.jsonl"
    rows = [{"source": s, "references": [" ".join(s.split()[::2])]} for s in SOURCES]
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def made(pairs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tables")
    arguments = ["--sources", str(pairs), "--out", str(out), "--n", "10", "--samples", "100", "--counts", "[10, 3, 1]"]
    assert main([*arguments, "--presets", "[balanced, simple]", "--processes", "1", "--report"]) == 0
    return out


def read(out: Path) -> dict[int, dict[str, Any]]:
    found = json.loads((out / "tables.json").read_text(encoding="utf-8"))["tables"]
    return {table["number"]: table for table in found}


def tables(out: Path) -> dict[int, dict[str, list[str]]]:
    return {number: {row[0]: row[1:] for row in table["rows"]} for number, table in read(out).items()}


def test_all_five_tables_are_there(made: Path) -> None:
    ours, all_of = tables(made), read(made)
    assert sorted(ours) == [4, 5, 6, 7, 8]
    assert {"edits + balanced", "edits + simple", "deletion alone, its first candidate"} <= set(ours[4])
    assert {"First half of source text", "Every third word dropped", "Source text unchanged"} <= set(ours[4])
    assert list(ours[5]) == ["10", "3", "1"]
    for number in (4, 5, 6, 7):
        assert all_of[number]["head"][1:] == ["SARI", "95 %"]
        assert all(re.fullmatch(r"\d+\.\d\d", cells[0]) for cells in ours[number].values())
    assert ours[8]["source"][0] == EXAMPLE


def test_the_texts_of_each_preset_are_there_to_read(made: Path) -> None:
    rows = [json.loads(line) for line in (made / "outputs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["source"] for row in rows] == list(SOURCES)
    assert all(row["balanced"] and row["simple"] for row in rows)


def test_our_figures_are_those_of_the_evaluation(made: Path, pairs: Path) -> None:
    rows = map(json.loads, text_lines(pairs))
    examples = [Example(row["source"], tuple(row["references"])) for row in rows]
    results = Pipeline(Options(n=10, best=1)).run([example.source for example in examples])
    scoring = RsseScoring(EvaluationSet("pairs", tuple(examples), "ru"))
    found = tables(made)
    for number, chosen in ((5, n_curve(results, (10, 3, 1))), (7, ablation(results))):
        for label, texts in chosen.items():
            measured = scoring.measured(texts, Bootstrap(100))
            assert found[number][label] == [f"{measured.figures['sari']:.2f}", measured.interval("sari").text()]
    assert found[4]["edits + balanced"][0] == found[7]["all components"][0]


def test_the_markdown_says_what_was_not_held_out(made: Path) -> None:
    text = (made / "tables.md").read_text(encoding="utf-8")
    assert "not cross-validated" in text
    assert "## Table 7" in text
    assert "| edits + balanced |" in text


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "nothing to evaluate on"),
        (["--sources", "PAIRS", "--presets", "[balansed]"], 2, "balansed"),
        (["--sources", "PAIRS", "--generators", "[]"], 2, "--generators is []"),
        (["--sources", "PAIRS", "--counts", "[0]"], 2, "--counts 0 is 0"),
    ],
)
def test_bad_input_is_said_before_any_draw(
    arguments: list[str], status: int, message: str, pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(pairs) if word == "PAIRS" else word for word in arguments]
    assert main([*given, "--out", str(tmp_path)]) == status
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
