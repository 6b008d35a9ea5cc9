"""Recording what was drawn, and playing it back."""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path

import pytest

from rerank.analysis import Analyzer
from rerank.types import Candidate
from rewrite.errors import BadInput, CannotWrite
from rewrite.generators import Sampling, SourcesFailed, create_generator
from rewrite.generators.replay import Recorder, ReplayGenerator
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.fakes import ListGenerator

SOURCE = "Жители деревни, расположенной на берегу озера, неоднократно обращались в администрацию."
OTHER = "Дети нашли во дворе большую рыжую кошку, которая спала на старом диване."
FULL = Candidate(
    "Жители деревни обращались.",
    generator="ct2",
    logprob=-3.5,
    tokens=7,
    seed=4,
    finish_reason="stop",
    count=3,
    edits=("− неоднократно",),
    risk=0.5,
    source_logprob=-1.0,
    cleaned=("whitespace",),
)


def test_everything_that_is_known_of_a_candidate_comes_back(tmp_path: Path) -> None:
    dropped = Candidate("", dropped="empty", generator="ct2")
    Recorder(str(tmp_path / "r.jsonl")).write(SOURCE, [FULL, dropped])
    assert ReplayGenerator(str(tmp_path / "r.jsonl")).generate([SOURCE], Sampling()) == [[FULL, dropped]]


def test_a_replayed_run_gives_the_same_results(tmp_path: Path, analyzer: Analyzer) -> None:
    recording = str(tmp_path / "r.jsonl")
    first = Pipeline(Options(record=recording, seed=2), analyzer=analyzer).run([f"{SOURCE} {OTHER}"])
    again = Pipeline(Options(generator=f"replay:{recording}", preset="balanced"), analyzer=analyzer).run(
        [f"{SOURCE} {OTHER}"]
    )
    assert [choice.text for choice in again[0].choices] == [choice.text for choice in first[0].choices]
    assert [choice.score for choice in again[0].choices] == [choice.score for choice in first[0].choices]


def test_a_joined_recording_gives_what_so_many_draws_of_each_generator_gave(tmp_path: Path) -> None:
    recorded = [
        Candidate("а", generator="edits"),
        Candidate("б", generator="edits"),
        Candidate("в", generator="ct2", first=0, count=2),
        Candidate("г", generator="ct2", first=2),
        Candidate("", generator="ct2", first=3, dropped="empty"),
    ]
    Recorder(str(tmp_path / "r.jsonl")).write(SOURCE, recorded)
    replay = ReplayGenerator(str(tmp_path / "r.jsonl"))
    texts = {n: [c.text for c in replay.generate([SOURCE], Sampling(n=n))[0]] for n in (1, 2, 3, 4)}
    assert texts == {1: ["а", "в"], 2: ["а", "б", "в"], 3: ["а", "б", "в", "г"], 4: ["а", "б", "в", "г", ""]}


def test_a_recording_of_a_model_is_weighed_as_the_model_is(tmp_path: Path) -> None:
    recordings = {name: str(tmp_path / f"{name}.jsonl") for name in ("edits", "ct2", "none")}
    for name in ("edits", "ct2"):
        recorder = Recorder(recordings[name])
        recorder.write(OTHER, [Candidate("а", generator="edits")], "too long for the model")
        recorder.write(SOURCE, [Candidate("а", generator="edits"), Candidate("б", generator=name)])
    presets = {name: Options(generator=f"replay:{path}").chosen_preset for name, path in recordings.items()}
    assert presets == {"edits": "balanced", "ct2": "paper", "none": "balanced"}
    assert Options(generator=f"replay:{recordings['ct2']}", preset="simple").chosen_preset == "simple"


def test_loading_the_models_records_nothing(tmp_path: Path, analyzer: Analyzer) -> None:
    pipeline = Pipeline(Options(record=str(tmp_path / "r.jsonl")), analyzer=analyzer)
    pipeline.load()
    assert (tmp_path / "r.jsonl").read_text() == ""
    assert pipeline.recorder is not None


def test_a_failed_draw_fails_again_when_it_is_played_back(tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path / "r.jsonl"))
    recorder.write(SOURCE, [FULL], "the server died")
    recorder.write(OTHER, [])
    replay = ReplayGenerator(str(tmp_path / "r.jsonl"))
    with pytest.raises(SourcesFailed, match="the server died") as caught:
        replay.generate([SOURCE, OTHER], Sampling())
    assert caught.value.candidates == [[FULL], []]
    assert list(caught.value.errors) == [0]
    recorder.write(SOURCE, [FULL])
    again = ReplayGenerator(str(tmp_path / "r.jsonl")).generate([SOURCE, OTHER], Sampling())
    assert [len(pool) for pool in again] == [2, 0]


def test_a_recording_is_emptied_at_the_first_line_and_not_again_by_another_process(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("of yesterday")
    recorder = Recorder(str(path))
    assert path.read_text() == "of yesterday"
    child = multiprocessing.get_context("fork").Process(target=recorder.write, args=(SOURCE, [FULL]))
    child.start()
    child.join()
    recorder.write(OTHER, [FULL])
    assert [json.loads(line)["source"] for line in path.read_text(encoding="utf-8").splitlines()] == [SOURCE, OTHER]


def test_a_last_line_that_was_cut_off_counts_as_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    recorder = Recorder(str(path))
    recorder.write(SOURCE, [FULL])
    recorder.write(OTHER, [FULL])
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(SourcesFailed, match="no candidates were recorded for 'Дети") as caught:
        ReplayGenerator(str(path)).generate([SOURCE, OTHER], Sampling())
    assert caught.value.candidates == [[FULL], []]


def test_a_line_is_recorded_whole_however_little_is_taken_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder(str(tmp_path / "r.jsonl"))
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:100]))
    recorder.write(SOURCE, [FULL])
    assert ReplayGenerator(str(tmp_path / "r.jsonl")).generate([SOURCE], Sampling()) == [[FULL]]


def test_no_more_candidates_than_asked_for(tmp_path: Path) -> None:
    Recorder(str(tmp_path / "r.jsonl")).write(
        SOURCE, [Candidate(text) for text in ("Жители обращались.", "Жители.", "Да.")]
    )
    generator = ReplayGenerator(str(tmp_path / "r.jsonl"))
    assert [len(generator.generate([SOURCE], Sampling(n=n))[0]) for n in (1, 2, 3, 9)] == [1, 2, 3, 3]


def test_a_text_that_was_not_recorded_is_named_and_the_others_are_played(tmp_path: Path) -> None:
    Recorder(str(tmp_path / "r.jsonl")).write(SOURCE, [FULL])
    with pytest.raises(SourcesFailed, match="Дети нашли") as caught:
        ReplayGenerator(str(tmp_path / "r.jsonl")).generate([SOURCE, OTHER], Sampling())
    assert caught.value.candidates == [[FULL], []]
    assert list(caught.value.errors) == [1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"r\.jsonl: Line 2, column 2: not JSON"),
        ('{"source": "а"}', r"r\.jsonl: Line 2: candidates"),
        ('{"source": "а", "candidates": [{"text": 1}]}', r"Line 2: candidates\.0\.text"),
        ("просто текст", "Line 2: no tab"),
    ],
)
def test_a_bad_recording_names_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    good = json.dumps({"source": SOURCE, "candidates": ["а"]}, ensure_ascii=False)
    (tmp_path / "r.jsonl").write_text(f"{good}\n{line}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        ReplayGenerator(str(tmp_path / "r.jsonl")).generate([SOURCE], Sampling())


def test_a_missing_recording_and_an_unwritable_one_are_named(tmp_path: Path) -> None:
    options = Options(generator=f"replay:{tmp_path}/none.jsonl")
    with pytest.raises(BadInput, match=r"none\.jsonl"):
        create_generator(options, analyzer=Analyzer()).generate([SOURCE], Sampling())
    with pytest.raises(CannotWrite, match="--record"):
        Recorder(str(tmp_path / "no" / "folder.jsonl"))


def test_a_generator_of_ones_own_is_recorded_too(tmp_path: Path, analyzer: Analyzer) -> None:
    generator = ListGenerator({SOURCE: ["Жители деревни обращались в администрацию."]})
    options = Options(record=str(tmp_path / "r.jsonl"))
    Pipeline(options, analyzer=analyzer, generator=generator).run([SOURCE])
    row = json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8"))
    assert row["candidates"] == [{"text": "Жители деревни обращались в администрацию.", "generator": "list"}]
