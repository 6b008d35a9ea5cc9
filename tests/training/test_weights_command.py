"""`python -m training.weights` as a user runs it, and the preset it writes in the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.types import Candidate
from rerank.weights import load_preset
from rewrite.datasets import Example
from rewrite.generators.replay import Recorder
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.sari import corpus_sari
from tests.training.contested import made_up, references
from training.forests import folds_of
from training.recipe import load_recipe
from training.weighting import tune
from training.weighting.arena import Arena, contests
from training.weighting.weight_options import TableOptions, WeightOptions
from training.weights import main

SOURCES = [
    "Жители деревни, расположенной на берегу озера, неоднократно обращались в администрацию.",
    "В связи с проведением ремонтных работ, которые начались в понедельник, движение по мосту было приостановлено.",
    "Учёные из Новосибирска, изучавшие ледники Алтая десять лет, установили, что площадь льда уменьшилась.",
    "Город, основанный в 1703 году, является крупным портом на берегу моря.",
    "Известный писатель Лев Толстой закончил в этом году свой новый большой роман.",
    "Отряд быстро вошёл в старый город, который стоит на берегу широкой реки.",
]
QUICK = ("--folds", "3", "--settings", "60", "--samples", "100", "--processes", "1")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "pairs.jsonl"
    rows = [{"source": s, "references": [" ".join(s.split()[::2]), s.partition(",")[0] + "."]} for s in SOURCES]
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def tuned(pairs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    assert main(["--sources", str(pairs), "--out", str(out), "--name", "mine", *QUICK]) == 0
    return out


def test_the_preset_is_what_the_command_line_takes(
    tuned: Path, analyzer: Analyzer, run_command: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    name, weights = load_preset(tuned / "preset.yaml")
    assert name == "mine"
    assert set(weights) == set(Pipeline(Options()).weights)
    assert run_command("simplify", "--preset", str(tuned / "preset.yaml"), *SOURCES[:2]) == 0
    shown = capfd.readouterr().out.splitlines()
    plain = Pipeline(Options(weights=dict(weights)), analyzer=analyzer).run(SOURCES[:2])
    assert shown == [result.text for result in plain]
    outputs = [json.loads(line) for line in (tuned / "outputs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["tuned"] for row in outputs[:2]] == shown


def test_the_report_holds_the_figures_and_how_they_came(tuned: Path) -> None:
    told = json.loads((tuned / "report.json").read_text(encoding="utf-8"))
    names = [row["system"] for row in told["rows"]]
    assert {"tuned, cross-validated", "balanced", "equal weights", "source", "first half"} <= set(names)
    assert len(told["folds"]) == 3
    assert told["data"]["sources"] == len(SOURCES)
    best = max(row["sari"] for row in told["rows"] if row["system"] in ("balanced", "simple", "equal weights"))
    assert told["tuned_on"] >= best
    notes = (tuned / "preset.yaml").read_text(encoding="utf-8")
    assert told["data"]["signature"] in notes
    assert "3-fold cross-validation" in notes


def test_a_second_run_draws_nothing_and_finds_the_same(
    tuned: Path, pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (tuned / "preset.yaml").read_bytes()
    assert main(["--sources", str(pairs), "--out", str(tuned), "--name", "mine", *QUICK]) == 0
    assert "all 6 sources were there" in capsys.readouterr().out
    assert (tuned / "preset.yaml").read_bytes() == before


def test_bounds_are_kept_or_the_step_says_so(tuned: Path, pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--sources", str(pairs), "--out", str(tuned), *QUICK]
    assert main([*arguments, "--least", "{length: 0.99}"]) == 1
    assert "No setting reached a mean length of 0.99" in capsys.readouterr().err
    assert main([*arguments, "--least", "{similarity: 0.8}", "--fixed", "{depth: 3}"]) == 0
    assert load_preset(tuned / "preset.yaml")[1]["depth"] == 3


def test_the_outputs_to_read_are_held_out_where_they_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = made_up(40)
    wanted = references(results)
    examples = [Example(r.source, tuple(texts)) for r, texts in zip(results, wanted, strict=True)]
    settings = {"balanced": np.array([0.0, 0, 0, 5]), "equal weights": np.ones(4)}
    monkeypatch.setattr(tune, "tables_of", lambda *_, **__: (examples, results))
    monkeypatch.setattr(tune, "named_settings", lambda *_, **__: settings)
    options = WeightOptions(settings=60, folds=4, samples=100, seed=3)
    tuned = tune.tune_sari(Path("made up"), options, tmp_path, processes=1, report=lambda line: None)
    rows = [json.loads(line) for line in (tmp_path / "outputs.jsonl").read_text(encoding="utf-8").splitlines()]
    told = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    arena, folds = Arena(contests(results, wanted)), folds_of(40, 4, 3)
    by_fold = [arena.texts(np.array(list(fold["weights"].values()))) for fold in told["folds"]]
    assert [row["source"] for row in rows] == [example.source for example in examples]
    assert [row["default"] for row in rows] == arena.texts(settings["balanced"])
    assert [row["tuned"] for row in rows] == arena.texts(tuned.best.weights)
    assert [row["tuned_held_out"] for row in rows] == [by_fold[fold][i] for i, fold in enumerate(folds.tolist())]
    # Each is another choice, or this would show nothing.
    assert [row["tuned_held_out"] for row in rows] != [row["tuned"] for row in rows] != [row["default"] for row in rows]
    assert (
        told["rows"][0]["sari"]
        == corpus_sari([row["source"] for row in rows], [row["tuned_held_out"] for row in rows], wanted)["sari"]
        == pytest.approx(tuned.validation.rows[0].figures["sari"])
    )


@pytest.mark.parametrize(("candidates", "count"), [(0, "0"), (1, "[1-6]")])
def test_nothing_to_choose_between_makes_no_preset(
    candidates: int, count: str, pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorder = Recorder(str(tmp_path / "drawn.jsonl"))
    for source in SOURCES:
        recorder.write(source, [Candidate(source.partition(",")[0] + ".")] * candidates)
    generator = f"replay:{tmp_path / 'drawn.jsonl'}"
    out = tmp_path / "out"
    assert main(["--sources", str(pairs), "--out", str(out), "--generator", generator, *QUICK]) == 1
    assert re.search(rf"chosen: {count} for 6 sources, never two for one.*Raise --n", capsys.readouterr().err)
    assert not (out / "preset.yaml").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "nothing to tune for"),
        (["--sources", "missing.csv"], 1, "Cannot read 'missing.csv'"),
        (["--sources", "{data}/x.csv", "--data", "nowhere"], 1, "data folder 'nowhere' does not exist"),
        (["--sources", "PAIRS", "--fixed", "{lenght: 1}"], 2, r"fixed: Unknown weight 'lenght'. Did you mean 'length'"),
        (["--sources", "PAIRS", "--least", "{speed: 1}"], 2, "least: Unknown weight 'speed'"),
        (["--sources", "PAIRS", "--fixed", "{length: -1}"], 2, "--fixed length is -1"),
        (["--sources", "PAIRS", "--n", "0"], 2, "--n is 0"),
        (["--sources", "PAIRS", "--folds", "7"], 1, "6 sources for 7 folds"),
        (["--sources", "PAIRS", "--cross-fit", "--generator", "deletion"], 2, "--cross-fit with the generator"),
        (["--sources", "PAIRS", "--generator", "edit"], 2, "edit"),
    ],
)
def test_bad_input_is_one_line_with_its_exit_code(
    arguments: list[str],
    status: int,
    message: str,
    pairs: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("REWRITE_DATA", raising=False)
    given = [str(pairs) if word == "PAIRS" else word for word in arguments]
    assert main([*given, "--out", str(tmp_path)]) == status
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
    assert error.count("\n") == 1


def test_an_out_that_cannot_be_written_is_told_before_models_run(
    pairs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("training.weighting.tune.tune_sari", lambda *_, **__: pytest.fail("Models run."))
    # A folder that is there, and in which nobody can make a file, whoever runs the tests.
    assert main(["--sources", str(pairs), "--out", "/proc/self/task"]) == 1
    assert "weights: Cannot write '/proc/self/task': " in capsys.readouterr().err


def test_ctrl_c_is_130(pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("training.weighting.tune.tune_sari", interrupted)
    assert main(["--sources", str(pairs), "--out", str(tmp_path)]) == 130


def test_the_shipped_recipe_is_one_the_step_takes() -> None:
    recipe = load_recipe("weights-rsse")
    assert recipe.weights is not None
    assert recipe.weights.cross_fit
    assert recipe.weights.sources == "{data}/rsse/dev_sents.csv"


def test_flags_override_the_recipe(pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[WeightOptions] = []
    monkeypatch.setattr("training.weighting.tune.tune_sari", lambda path, options, out, **_: seen.append(options))
    recipe = tmp_path / "own.yaml"
    recipe.write_text(f"name: own\nseed: 4\nweights:\n  sources: '{pairs}'\n  folds: 3\n  name: a\n")
    assert main([str(recipe), "--out", str(tmp_path / "o"), "--name", "b", "--n", "3"]) == 0
    assert [(options.name, options.seed, options.folds, options.n) for options in seen] == [("b", 4, 3, 3)]


@pytest.mark.parametrize("section", [WeightOptions, TableOptions])
def test_every_option_is_described(section: type[WeightOptions] | type[TableOptions]) -> None:
    assert all(field.description and field.description.endswith(".") for field in section.model_fields.values())
