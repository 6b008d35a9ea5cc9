"""What the filter does about rows that are no pairs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from rewrite.errors import BadInput
from tests.training.filtering import english, kept, make_job
from training.filtering.run import REPORT, REPORT_PAGE, run_filter
from training.filtering.thresholds import FilterOptions


def test_too_many_malformed_rows_end_the_run_with_ten_of_them_named_and_a_report(tmp_path: Path) -> None:
    job = make_job(tmp_path, english(50) + "?\n" * 10)
    with pytest.raises(BadInput) as raised:
        run_filter(job)
    lines = [6, *range(62, 71)]
    named = "; line ".join(f"{line}: fields: 1, expected 2" for line in lines)
    assert raised.value.message == (
        f"11 of 71 rows are malformed, more than bad_rows = 0.05: {tmp_path}/pairs.tsv, line {named}."
    )
    assert str(job.out / REPORT_PAGE) in raised.value.hint
    report = json.loads((job.out / REPORT).read_text(encoding="utf-8"))
    assert (report["rows"], report["pairs"], report["malformed"]["rows"], report["kept"]) == (71, 60, 11, 0)
    assert [one["line"] for one in report["malformed"]["first"]] == lines
    page = (job.out / REPORT_PAGE).read_text(encoding="utf-8")
    assert "Given up: more than bad_rows" in page
    assert "  line: 62\n  reason: 'fields: 1, expected 2'\n" in page
    assert sorted(path.name for path in job.out.iterdir()) == sorted([REPORT, REPORT_PAGE])


def test_after_it_the_same_folder_takes_the_run_with_a_larger_share(tmp_path: Path) -> None:
    text = english(50) + "?\n" * 10
    with pytest.raises(BadInput):
        run_filter(make_job(tmp_path, text))
    report = run_filter(make_job(tmp_path, text, bad_rows=11 / 71))
    assert report["malformed"]["rows"] == 11
    assert len(report["malformed"]["first"]) == 10
    assert kept(make_job(tmp_path, text))


def test_as_many_malformed_rows_as_are_taken_are_taken(tmp_path: Path) -> None:
    good = english(4).splitlines()[:4]
    report = run_filter(make_job(tmp_path, "\n".join([*good, *"????"]), bad_rows=0.5))
    assert (report["malformed"]["rows"], report["pairs"]) == (4, 4)
    with pytest.raises(BadInput, match="5 of 9 rows are malformed, more than bad_rows = 0\\.5"):
        run_filter(make_job(tmp_path, "\n".join([*good, *"?????"]), out="more", bad_rows=0.5))


def test_columns_that_could_not_be_told_may_be_named_in_the_same_folder(tmp_path: Path) -> None:
    text = "".join(f"{i}\t{row}\n" for i, row in enumerate(english(20).splitlines()) if "\t" in row)
    with pytest.raises(BadInput, match="among 3 columns"):
        run_filter(make_job(tmp_path, text))
    job = make_job(tmp_path, text)
    spec = {"path": str(tmp_path / "pairs.tsv"), "source": 2, "target": 3}
    report = run_filter(replace(job, options=FilterOptions.model_validate({"pairs": spec, "jobs": 1})))
    assert report["kept"] == len(kept(job)) > 0


def test_malformed_rows_in_one_place_count_among_all_rows(tmp_path: Path) -> None:
    rows = english(500)
    good = rows.count("\n") - rows.count("?\n")
    bad = "?\n" * (good // 20 - rows.count("?\n"))
    report = run_filter(make_job(tmp_path, bad + rows))
    assert report["malformed"]["rows"] > 20
    assert report["malformed"]["rows"] <= 0.05 * report["rows"]
    with pytest.raises(BadInput, match="are malformed"):
        run_filter(make_job(tmp_path, bad + "?\n" * 10 + rows, out="more"))
