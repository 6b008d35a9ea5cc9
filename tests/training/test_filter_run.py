"""Whole runs: what they write, when they are not done again, how they end."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rewrite.errors import BadInput, BadOption, CannotWrite
from tests.training.filtering import english, kept, make_run, start
from training.disk import folder_lock
from training.filtering import run as run_module
from training.filtering.run import DROPPED, PAIRS, REPORT, REPORT_PAGE
from training.recipe import Run

OUTPUTS = (PAIRS, DROPPED, REPORT, REPORT_PAGE)
RUSSIAN = [
    ("Архимандрит Дионисий торопил ополчение поспешить к Москве и просил князя Трубецкого объединиться.",) * 2,
    (
        "Архимандрит Дионисий торопил ополчение поспешить к Москве и просил князя Трубецкого объединиться.",
        "Архимандрит Дионисий торопил ополчение и просил князя Трубецкого объединиться.",
    ),
    ("Старый мост через широкую реку построили в прошлом веке местные мастера.", "Кошка пьёт молоко на тёплой печке."),
    ("Старый мост через широкую реку построили в прошлом веке местные мастера.", "The old bridge."),
]


def outputs(run: Run) -> list[bytes]:
    return [(run.out / name).read_bytes() for name in OUTPUTS]


def test_russian_pairs_end_to_end(tmp_path: Path) -> None:
    rows = "\n".join("\t".join(pair) for pair in [*RUSSIAN, RUSSIAN[1]])
    run = make_run(tmp_path, rows, language="ru")
    report = start(run)
    assert {rule["rule"]: rule["dropped"] for rule in report["rules"]} == {
        **{"words": 0, "language": 1, "copy": 1, "length": 0, "readability": 0},
        **{"similarity": 1, "entities": 0, "lexical": 0, "duplicate": 1},
    }
    (pair,) = kept(run)
    assert pair == dict(zip(("source", "target"), RUSSIAN[1], strict=True))
    assert sorted(path.name for path in run.out.iterdir()) == sorted(OUTPUTS)


def test_every_row_is_accounted_for_and_every_dropped_pair_has_its_rule_and_place(tmp_path: Path) -> None:
    text = english(700)
    report = start(run := make_run(tmp_path, text))
    lines = text.splitlines()
    assert report["rows"] == len(lines)
    assert report["malformed"]["rows"] == 7
    assert report["malformed"]["first"] == [
        f"{tmp_path}/pairs.tsv, line {i}: fields: 1, expected 2" for i, row in enumerate(lines, 1) if row == "?"
    ]
    assert report["rows"] == report["malformed"]["rows"] + report["pairs"]
    assert report["pairs"] == report["kept"] + sum(rule["dropped"] for rule in report["rules"])
    assert report["kept"] == len(kept(run))
    checked = report["pairs"]
    for rule in report["rules"]:
        assert rule["checked"] == checked
        checked -= rule["dropped"]
    counts = {rule["rule"]: rule["dropped"] for rule in report["rules"]}
    assert counts == {"words": 0, "language": 120, "copy": 120, "duplicate": 100}
    dropped = [json.loads(line) for line in (run.out / DROPPED).read_text(encoding="utf-8").splitlines()]
    assert Counter(row["rule"] for row in dropped) == Counter(counts)
    for row in dropped:
        assert row["file"] == f"{tmp_path}/pairs.tsv"
        assert lines[row["line"] - 1] == f"{row['source']}\t{row['target']}"
    assert {row["value"] for row in dropped if row["rule"] == "copy"} == {1.0}


def test_the_page_says_what_the_report_says(tmp_path: Path) -> None:
    run = make_run(tmp_path, english(200))
    report = start(run)
    page = (run.out / REPORT_PAGE).read_text(encoding="utf-8")
    assert f"{report['kept']:,} of 240 pairs kept, from 242 rows." in page
    assert "| copy | < 0.95 | 206 | 35 | 17.0% |" in page
    assert f"Malformed rows: 2.\n- {tmp_path}/pairs.tsv, line 6: fields: 1, expected 2\n" in page


def test_more_processes_give_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "CHUNK", 16)
    alone = make_run(tmp_path, english(400))
    start(alone)
    start(together := make_run(tmp_path, english(400), out="two", jobs=2))
    assert outputs(alone) == outputs(together)


def test_a_row_of_many_targets_is_one_row_and_as_many_pairs(tmp_path: Path) -> None:
    text = english(1).split("\t")[0]
    row = json.dumps({"source": text, "target": [f"A house that family {i} built." for i in range(50)]})
    (tmp_path / "p.jsonl").write_text(f"{row}\n[]\n{row}\n")
    report = start(make_run(tmp_path, "", pairs=str(tmp_path / "p.jsonl"), bad_rows=1))
    assert (report["rows"], report["pairs"], report["malformed"]["rows"]) == (3, 100, 1)
    assert report["rules"][-1] == {
        **{"rule": "duplicate", "limit": "the first of equal pairs", "checked": 100, "dropped": 50}
    }


def test_a_run_that_was_broken_off_leaves_no_pairs_and_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(tmp_path, english(200))

    def full(*arguments: Any) -> Iterator[bytes]:
        raise OSError(errno.ENOSPC, "No space left on device")
        yield b""

    with monkeypatch.context() as patch:
        patch.setattr(run_module, "ordered_map", full)
        with pytest.raises(CannotWrite, match=r"No space left on device\. Free some space, then run the"):
            start(run)
    assert list(run.out.iterdir()) == []
    start(run)
    start(whole := make_run(tmp_path, english(200), out="whole"))
    assert outputs(run) == outputs(whole)


def test_a_finished_run_is_not_done_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = make_run(tmp_path, english(50))
    first = start(run)
    before = (run.out / PAIRS).stat().st_mtime_ns
    capsys.readouterr()
    assert start(run) == first
    assert "was finished before" in capsys.readouterr().out
    assert (run.out / PAIRS).stat().st_mtime_ns == before
    (run.out / PAIRS).unlink()
    assert start(run) == first
    assert (run.out / PAIRS).exists()


def test_other_options_or_input_are_refused_and_restart_takes_them(tmp_path: Path) -> None:
    start(make_run(tmp_path, english(50)))
    other = make_run(tmp_path, english(50), copy_limit=0.5)
    with pytest.raises(BadOption, match=r"of another kind: filter\.copy_limit is 0\.5, was 0\.95\. .*--restart"):
        start(other)
    with pytest.raises(BadOption, match=r"file .*pairs\.tsv has changed"):
        start(make_run(tmp_path, english(51)))
    start(make_run(tmp_path, english(50), jobs=2))  # as many processes as one likes
    report = start(make_run(tmp_path, english(60)), restart=True)
    assert report["pairs"] == 72
    assert len(kept(other)) == report["kept"]


def test_pairs_of_unknown_origin_are_not_written_over(tmp_path: Path) -> None:
    run = make_run(tmp_path, english(20))
    run.out.mkdir()
    (run.out / PAIRS).write_text("mine")
    for report in ("", "{", "[]"):
        (run.out / REPORT).write_text(report)
        with pytest.raises(BadOption, match="not from a run"):
            start(run)
    assert (run.out / PAIRS).read_text() == "mine"
    start(run, restart=True)
    assert kept(run)


def _second(run: Run) -> None:
    with pytest.raises(CannotWrite, match="Another run is at work"):
        start(run)
    os._exit(7)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    run = make_run(tmp_path, english(20))
    with folder_lock(run.out, run_module._LOCK):
        process = multiprocessing.get_context("fork").Process(target=_second, args=(run,))
        process.start()
        process.join()
    assert process.exitcode == 7
    start(run)
    assert not list(run.out.glob("*lock*"))


def test_the_first_of_equal_pairs_that_pass_is_kept(tmp_path: Path) -> None:
    source = "The «old» house — it was built by a family of seven."
    rows = [
        (source, "Ёж."),
        (source.upper(), "A family  built it."),
        (source, "a family built it."),
        (source, "It stood."),
    ]
    run = make_run(tmp_path, "\n".join("\t".join(row) for row in rows))
    report = start(run)
    assert report["rules"][-1]["dropped"] == 1
    assert [row["target"] for row in kept(run)] == ["A family built it.", "It stood."]
    every = make_run(tmp_path, "\n".join("\t".join(row) for row in rows), out="every", duplicates=False)
    assert start(every)["kept"] == 3


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "The old house.\tThe old house.\n" * 3,
            {"duplicates": False},
            r"left of 3; the rule 'copy' \(< 0\.95\) dropped most, 3\. .*dropped\.jsonl has them",
        ),
        ("Дом.\tДом стоит.\nДом.\tДома.\n", {}, r"left of 2; the rule 'language' \(en\) dropped most, 2\."),
        ("\n", {}, "hold no pairs"),
    ],
)
def test_a_set_that_comes_out_empty_says_which_rule_did_it(
    tmp_path: Path, text: str, options: dict[str, Any], message: str
) -> None:
    run = make_run(tmp_path, text, **options)
    for _ in range(2):  # and again, when the run is finished
        with pytest.raises(BadInput, match=message):
            start(run)
        assert not (run.out / PAIRS).exists()
        assert (run.out / REPORT_PAGE).exists()


def test_scores_of_another_language_are_refused(tmp_path: Path) -> None:
    for given in ({"variant": "released"}, {"thresholds": {"length": 0.6}}, {"encoder": "laser:x"}):
        with pytest.raises(BadOption, match="The language is 'en'"):
            start(make_run(tmp_path, english(20), **given))
    report = start(make_run(tmp_path, english(20)))
    assert [rule["rule"] for rule in report["rules"]] == ["words", "language", "copy", "duplicate"]


def test_a_file_as_its_own_output_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"source": "a b c", "target": "a b"}\n')
    with pytest.raises(BadOption, match="both input and output"):
        start(make_run(tmp_path, "", out=".", pairs=str(path)), restart=True)
    assert path.exists()
