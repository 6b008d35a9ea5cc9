"""Recording what was drawn, and playing it back."""

from __future__ import annotations

import json
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


def test_loading_the_models_records_nothing(tmp_path: Path, analyzer: Analyzer) -> None:
    pipeline = Pipeline(Options(record=str(tmp_path / "r.jsonl")), analyzer=analyzer)
    pipeline.load()
    assert (tmp_path / "r.jsonl").read_text() == ""
    assert pipeline.recorder is not None


def test_no_more_candidates_than_asked_for(tmp_path: Path) -> None:
    Recorder(str(tmp_path / "r.jsonl")).write(SOURCE, [FULL, Candidate("Жители обращались."), Candidate("Жители.")])
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
        ("{", r"r\.jsonl: Line 2: not JSON"),
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
    with pytest.raises(BadInput, match=r"none\.jsonl"):
        create_generator(f"replay:{tmp_path}/none.jsonl", analyzer=Analyzer()).generate([SOURCE], Sampling())
    with pytest.raises(CannotWrite, match="--record"):
        Recorder(str(tmp_path / "no" / "folder.jsonl"))


def test_a_generator_of_ones_own_is_recorded_too(tmp_path: Path, analyzer: Analyzer) -> None:
    generator = ListGenerator({SOURCE: ["Жители деревни обращались в администрацию."]})
    options = Options(record=str(tmp_path / "r.jsonl"))
    Pipeline(options, analyzer=analyzer, generator=generator).run([SOURCE])
    row = json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8"))
    assert row["candidates"] == [{"text": "Жители деревни обращались в администрацию.", "generator": "list"}]
