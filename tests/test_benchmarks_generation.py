"""The benchmark of the engines: every row draws what it says, a missed bar is seen. No figure of speed is tested."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.drawing import Task, task_draw
from benchmarks.generation import RACES, Race, Turn, main, missed_bars, ratios, run_race, table
from benchmarks.shapes import Shape, make, make_int8, sources

SAMPLES, TOKENS = 3, 4
RACE = Race("Tiny", "gpt2", ("ct2", "ctranslate2"), bars={("ct2", "ctranslate2"): 0.9})


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for module in ("torch", "transformers"):
        pytest.importorskip(module, reason="making a model needs the [hf] extra")
    folder = tmp_path_factory.mktemp("shapes")
    for family in ("gpt2", "t5", "bart"):
        make_int8(make(Shape(family, 1, 32, 2, vocabulary=5_003, tokens=5_000, positions=64), folder / family))
    return folder


@pytest.mark.parametrize(
    ("row", "family"),
    [(row, "gpt2") for row in ("transformers", "ctranslate2", "ctranslate2 keeping")]
    + [(e, f) for e in ("hf", "ct2") for f in ("gpt2", "t5", "bart")],
)
def test_a_row_draws_all_that_it_was_asked_for(row: str, family: str, models: Path) -> None:
    task = Task(row, str(models / family), sources=1, samples=SAMPLES, tokens=TOKENS, threads=1)
    assert task_draw(task)(1) == SAMPLES * TOKENS


def test_a_source_has_forty_tokens_in_a_vocabulary_of_the_size_asked_for(models: Path) -> None:
    from rewrite.engines.tokens import load_tokens

    tokens = load_tokens(models / "gpt2")
    texts = sources(8)
    assert [len(tokens.encode(text)) for text in texts] == [40] * 8
    assert len(set(texts)) == 8


def test_rows_take_turns_in_processes_of_their_own(models: Path) -> None:
    turns = run_race(RACE, models, rounds=2, samples=SAMPLES, tokens=TOKENS, threads=1)
    assert {row: [turn.tokens for turn in found] for row, found in turns.items()} == {
        row: [SAMPLES * TOKENS] * 2 for row in RACE.rows
    }
    assert all(turn.seconds > 0 and turn.peak > 1 for found in turns.values() for turn in found)


def test_a_row_that_breaks_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="ended early"):
        run_race(RACE, tmp_path, rounds=1, samples=1, tokens=1, threads=1)


def _turns(*seconds: float) -> list[Turn]:
    return [Turn(tokens=100, seconds=one, peak=1.0) for one in seconds]


def test_ratios_are_taken_within_a_round_and_bars_on_their_median() -> None:
    turns = {"ct2": _turns(1, 2, 4), "ctranslate2": _turns(0.5, 2, 4)}
    assert ratios(turns, "ct2", "ctranslate2") == [0.5, 1, 1]
    assert missed_bars(RACE, turns) == []
    slow = {"ct2": _turns(2, 2, 4), "ctranslate2": _turns(1, 1, 4)}
    assert missed_bars(RACE, slow) == ["Tiny: ct2 is 0.50 × ctranslate2, not 0.9 ×"]


def test_the_table_shows_a_ratio_with_its_spread_where_there_is_something_to_compare_with() -> None:
    header, first, second = table([(RACE, {"ct2": _turns(1, 2, 4), "ctranslate2": _turns(0.5, 2, 4)})]).splitlines()
    assert header.split()[0] == "tokens/s"
    assert first.split() == ["Tiny", "ct2", "50", "1.00", "(0.50–1.00)", "1"]
    assert second.split() == ["ctranslate2", "50", "1"]


def test_every_bar_is_about_rows_that_run() -> None:
    assert all({row, other} <= set(race.rows) for race in RACES for row, other in race.bars)


def test_without_a_gpu_the_gpu_mode_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="the hf engine needs the [hf] extra")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(SystemExit, match="finds none"):
        main(["--gpu"])
