"""Whole runs: what they write, when they are not done again, how they end."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rewrite.errors import BadInput, BadOption, CannotWrite, RewriteError
from tests.training.filtering import english, kept, make_job
from training.disk import folder_lock
from training.filtering import run as run_module
from training.filtering.run import PAIRS, REPORT, REPORT_PAGE, Job, run_filter
from training.filtering.thresholds import FilterOptions

OUTPUTS = (PAIRS, REPORT, REPORT_PAGE)
RUSSIAN = [
    ("Архимандрит Дионисий торопил ополчение поспешить к Москве и просил князя Трубецкого объединиться.",) * 2,
    (
        "Архимандрит Дионисий торопил ополчение поспешить к Москве и просил князя Трубецкого объединиться.",
        "Архимандрит Дионисий торопил ополчение и просил князя Трубецкого объединиться.",
    ),
    ("Старый мост через широкую реку построили в прошлом веке местные мастера.", "Кошка пьёт молоко на тёплой печке."),
    ("Старый мост через широкую реку построили в прошлом веке местные мастера.", "The old bridge."),
]


def outputs(job: Job) -> list[bytes]:
    return [(job.out / name).read_bytes() for name in OUTPUTS]


def test_russian_pairs_end_to_end(tmp_path: Path) -> None:
    rows = "\n".join("\t".join(pair) for pair in [*RUSSIAN, RUSSIAN[1]])
    job = make_job(tmp_path, rows, language="ru", scores=True)
    report = run_filter(job)
    assert {rule["rule"]: rule["dropped"] for rule in report["rules"]} == {
        **{"duplicate": 1, "words": 0, "language": 1, "copy": 1, "length": 0},
        **{"readability": 0, "similarity": 1, "entities": 0, "lexical": 0},
    }
    (pair,) = kept(job)
    assert (pair["source"], pair["target"]) == RUSSIAN[1]
    assert pair["scores"]["length"] >= 0.55
    assert pair["scores"]["similarity"] >= 0.3
    assert sorted(path.name for path in job.out.iterdir()) == sorted(OUTPUTS)


def test_the_report_accounts_for_every_row(tmp_path: Path) -> None:
    text = english(700)
    report = run_filter(make_job(tmp_path, text, examples=3))
    assert report["rows"] == text.count("\n")
    assert report["malformed"]["rows"] == 7
    assert [one["line"] for one in report["malformed"]["first"]] == [
        i for i, row in enumerate(text.splitlines(), start=1) if row == "?"
    ]
    assert report["rows"] == report["malformed"]["rows"] + report["pairs"]
    assert report["pairs"] == report["kept"] + sum(rule["dropped"] for rule in report["rules"])
    checked = report["pairs"]
    for rule in report["rules"]:
        assert rule["checked"] == checked
        assert len(rule["examples"]) == min(3, rule["dropped"])
        checked -= rule["dropped"]
    lines = text.splitlines()
    for rule in report["rules"]:
        for one in rule["examples"]:
            assert lines[one["line"] - 1] == f"{one['source']}\t{one['target']}"
    assert {rule["rule"]: rule["dropped"] for rule in report["rules"]} == {
        **{"duplicate": 140, "words": 0, "language": 100, "copy": 100}
    }


def test_the_page_says_what_the_report_says(tmp_path: Path) -> None:
    job = make_job(tmp_path, english(200))
    report = run_filter(job)
    page = (job.out / REPORT_PAGE).read_text(encoding="utf-8")
    assert f"{report['kept']:,} of {report['pairs']:,} pairs kept" in page
    assert "| duplicate | the first of equal pairs | 240 | 40 | 16.7% |" in page
    assert "  line: 6\n  reason: 'fields: 1, expected 2'\n  text: '?'\n" in page
    assert "## Dropped by copy" in page


def test_more_processes_give_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "CHUNK", 16)
    alone = make_job(tmp_path, english(400))
    run_filter(alone)
    run_filter(together := make_job(tmp_path, english(400), out="two", jobs=2))
    assert outputs(alone) == outputs(together)


def test_a_row_of_many_targets_is_one_row_and_as_many_pairs(tmp_path: Path) -> None:
    text = english(1).split("\t")[0]
    row = json.dumps({"source": text, "target": [f"A house that family {i} built." for i in range(50)]})
    (tmp_path / "p.jsonl").write_text(f"{row}\n[]\n{row}\n")
    options = FilterOptions.model_validate({"pairs": str(tmp_path / "p.jsonl"), "jobs": 1, "bad_rows": 1})
    report = run_filter(Job(options, tmp_path / "out", "test", "en"))
    counts = report["files"][0]
    assert (counts["rows"], counts["pairs"], counts["malformed"]) == (3, 100, 1)
    assert report["rules"][0]["dropped"] == 50


def test_a_run_that_was_broken_off_leaves_no_pairs_and_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = make_job(tmp_path, english(200))

    def full(*arguments: Any) -> Iterator[bytes]:
        raise OSError(errno.ENOSPC, "No space left on device")
        yield b""

    with monkeypatch.context() as patch:
        patch.setattr(run_module, "ordered_map", full)
        with pytest.raises(CannotWrite, match=r"No space left on device\. Free some space, then run the"):
            run_filter(job)
    assert list(job.out.iterdir()) == []
    run_filter(job)
    run_filter(whole := make_job(tmp_path, english(200), out="whole"))
    assert outputs(job) == outputs(whole)


def test_a_finished_run_is_not_done_again(tmp_path: Path) -> None:
    job = make_job(tmp_path, english(50))
    first = run_filter(job)
    before = (job.out / PAIRS).stat().st_mtime_ns
    said: list[str] = []
    assert run_filter(job, say=said.append) == first
    assert "was finished before" in said[0]
    assert (job.out / PAIRS).stat().st_mtime_ns == before
    (job.out / PAIRS).unlink()
    assert run_filter(job) == first
    assert (job.out / PAIRS).exists()


def test_other_options_or_input_are_refused_and_restart_takes_them(tmp_path: Path) -> None:
    run_filter(make_job(tmp_path, english(50)))
    other = make_job(tmp_path, english(50), copy_limit=0.5)
    with pytest.raises(BadOption, match=r"of another kind: filter\.copy_limit is 0\.5, was 0\.95\. .*--restart"):
        run_filter(other)
    with pytest.raises(BadOption, match=r"file .*pairs\.tsv has changed"):
        run_filter(make_job(tmp_path, english(51)))
    run_filter(make_job(tmp_path, english(50), jobs=2))  # as many processes as one likes
    report = run_filter(make_job(tmp_path, english(60)), restart=True)
    assert report["pairs"] == 72
    assert len(kept(other)) == report["kept"]


def test_pairs_of_unknown_origin_are_not_written_over(tmp_path: Path) -> None:
    job = make_job(tmp_path, english(20))
    job.out.mkdir()
    (job.out / PAIRS).write_text("mine")
    for report in ("", "{", "[]"):
        (job.out / REPORT).write_text(report)
        with pytest.raises(BadOption, match="not from a run"):
            run_filter(job)
    assert (job.out / PAIRS).read_text() == "mine"
    run_filter(job, restart=True)
    assert kept(job)


def _second(job: Job) -> None:
    with pytest.raises(CannotWrite, match="Another run is at work"):
        run_filter(job)
    os._exit(7)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    job = make_job(tmp_path, english(20))
    with folder_lock(job.out, run_module._LOCK):
        process = multiprocessing.get_context("fork").Process(target=_second, args=(job,))
        process.start()
        process.join()
    assert process.exitcode == 7
    run_filter(job)
    assert not list(job.out.glob("*lock*"))


def test_the_seed_chooses_the_examples_and_nothing_else(tmp_path: Path) -> None:
    def examples(seed: int, out: str) -> tuple[list[int], list[dict[str, Any]]]:
        job = replace(make_job(tmp_path, english(700), out=out), seed=seed)
        report = run_filter(job)
        return [one["line"] for rule in report["rules"] for one in rule["examples"]], kept(job)

    first, other, again = (examples(seed, f"out{i}") for i, seed in enumerate((0, 1, 0)))
    assert first == again
    assert first[0] != other[0]
    assert first[1] == other[1]
    # Drawn from the whole file, not its beginning.
    assert max(first[0]) > 400
    assert max(other[0]) > 400


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "The old house.\tThe old house.\n" * 3,
            {"duplicates": False},
            r"left of 3; the rule 'copy' dropped most, 3\. .*copy_limit",
        ),
        ("Дом.\tДом стоит.\nДом.\tДома.\n", {}, r"left of 2; the rule 'language' dropped most, 2\. .*language_check"),
        ("\n", {}, "hold no pairs"),
    ],
)
def test_a_set_that_comes_out_empty_says_which_rule_did_it(
    tmp_path: Path, text: str, options: dict[str, Any], message: str
) -> None:
    job = make_job(tmp_path, text, **options)
    for _ in range(2):  # and again, when the run is finished
        with pytest.raises(BadInput, match=message):
            run_filter(job)
        assert not (job.out / PAIRS).exists()
        assert (job.out / REPORT_PAGE).exists()


def test_scores_of_another_language_are_refused(tmp_path: Path) -> None:
    for given in ({"scores": True}, {"thresholds": {"length": 0.6}}, {"encoder": "laser:x"}):
        with pytest.raises(BadOption, match="The language is 'en'"):
            run_filter(make_job(tmp_path, english(20), **given))
    report = run_filter(make_job(tmp_path, english(20)))
    assert report["notes"] == ["RuSimScore is made for Russian: no pair in 'en' was scored."]


def test_a_file_given_twice_or_as_its_own_output_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"source": "a b c", "target": "a b"}\n')
    for pairs, out in (([str(path), str(path)], "out"), ([str(path)], ".")):
        options = FilterOptions.model_validate({"pairs": pairs})
        with pytest.raises(RewriteError, match=r"given twice|both input and output"):
            run_filter(Job(options, tmp_path / out, "test", "en"))
