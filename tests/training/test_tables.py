"""`python -m training.tables`: the paper's layout, its own figures, and ours from the same code as the evaluation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rewrite.datasets import load_examples
from rewrite.evaluate.rsse import Evaluation, ablation, n_curve
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.training.test_weights_command import SOURCES
from training.tables import main
from training.weighting import paper


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
    assert main([*arguments, "--presets", "[balanced, simple]", "--processes", "1"]) == 0
    return out


def tables(out: Path) -> dict[int, dict[str, list[str]]]:
    found = json.loads((out / "tables.json").read_text(encoding="utf-8"))["tables"]
    return {table["number"]: {row[0]: row[1:] for row in table["rows"]} for table in found}


def test_all_five_tables_are_there_with_the_papers_figures(made: Path) -> None:
    found = tables(made)
    assert sorted(found) == [4, 5, 6, 7, 8]
    assert found[4]["edits + balanced"][2] == "39.28"
    assert found[4]["edits + simple"][2] == "–"
    assert found[4]["deletion alone, its first candidate"][2] == "32.40"
    assert found[4]["Official benchmark (mBART), public test"] == ["–", "–", "30.15"]
    assert found[4]["Source text unchanged"][2] == "11.04"
    assert found[5]["10"][2] == "39.16"
    assert found[5]["100"] == ["–", "–", "39.28"]
    assert found[6]["ruGPT3-medium"] == ["–", "–", "39.34"]
    assert found[7]["all components - SimS"][2] == "37.22"
    assert found[8]["source"][0] == paper.EXAMPLE
    assert found[8]["balanced"][1] == paper.EXAMPLES["balanced"]


def test_our_figures_are_those_of_the_evaluation(made: Path, pairs: Path) -> None:
    examples = load_examples(pairs)
    results = Pipeline(Options(n=10, best=1)).run([example.source for example in examples])
    evaluation = Evaluation(examples, samples=100)
    found = tables(made)
    for number, rows in ((5, n_curve(evaluation, results, (10, 3, 1))), (7, ablation(evaluation, results))):
        for row in rows:
            assert found[number][row.label][0] == f"{row.sari:.2f}"
    assert found[4]["edits + balanced"][0] == found[7]["all components"][0]


def test_the_markdown_names_the_test_set_and_says_what_was_not_held_out(made: Path) -> None:
    text = (made / "tables.md").read_text(encoding="utf-8")
    assert text.count("paper, RSSE hidden test") == 4
    assert "not cross-validated" in text
    assert "## Table 7" in text


def test_the_papers_figure_goes_to_models_of_its_sizes_alone() -> None:
    assert paper.figure_of_size("hf:ai-forever/rugpt3small_based_on_gpt2") == 38.89
    assert paper.figure_of_size("ct2:models/ruGPT-3-Large") == 39.28
    assert paper.figure_of_size("ct2:rut5-small") is None


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
