"""What the filter does about rows that are no pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewrite.errors import BadInput
from tests.training.filtering import english, kept, make_run, start


def test_too_many_malformed_rows_end_the_run_with_ten_of_them_named(tmp_path: Path) -> None:
    run = make_run(tmp_path, english(50) + "?\n" * 10)
    with pytest.raises(BadInput) as raised:
        start(run)
    lines = [6, *range(62, 71)]
    named = "; ".join(f"{tmp_path}/pairs.tsv, line {line}: fields: 1, expected 2" for line in lines)
    assert raised.value.message == f"11 of 71 rows are malformed, more than bad_rows = 0.05: {named}; and 1 more."
    assert list(run.out.iterdir()) == []


def test_after_it_the_same_folder_takes_the_run_with_a_larger_share(tmp_path: Path) -> None:
    text = english(50) + "?\n" * 10
    with pytest.raises(BadInput):
        start(make_run(tmp_path, text))
    report = start(make_run(tmp_path, text, bad_rows=11 / 71))
    assert report["malformed"]["rows"] == 11
    assert len(report["malformed"]["first"]) == 10
    assert kept(make_run(tmp_path, text))


def test_as_many_malformed_rows_as_are_taken_are_taken(tmp_path: Path) -> None:
    good = english(4).splitlines()[:4]
    report = start(make_run(tmp_path, "\n".join([*good, *"????"]), bad_rows=0.5))
    assert (report["malformed"]["rows"], report["pairs"]) == (4, 4)
    with pytest.raises(BadInput, match="5 of 9 rows are malformed, more than bad_rows = 0\\.5"):
        start(make_run(tmp_path, "\n".join([*good, *"?????"]), out="more", bad_rows=0.5))


def test_columns_that_could_not_be_told_may_be_named_in_the_same_folder(tmp_path: Path) -> None:
    text = "".join(f"{i}\t{row}\n" for i, row in enumerate(english(20).splitlines()) if "\t" in row)
    with pytest.raises(BadInput, match="among the 3 columns"):
        start(make_run(tmp_path, text))
    spec = {"path": str(tmp_path / "pairs.tsv"), "source": 2, "target": 3}
    run = make_run(tmp_path, text, pairs=spec)
    assert start(run)["kept"] == len(kept(run)) > 0


def test_malformed_rows_in_one_place_count_among_all_rows(tmp_path: Path) -> None:
    rows = english(500)
    good = rows.count("\n") - rows.count("?\n")
    bad = "?\n" * (good // 20 - rows.count("?\n"))
    first, rows = rows.split("\n", 1)
    report = start(make_run(tmp_path, f"{first}\n{bad}{rows}"))
    assert report["malformed"]["rows"] > 20
    assert report["malformed"]["rows"] <= 0.05 * report["rows"]
    with pytest.raises(BadInput, match="are malformed"):
        start(make_run(tmp_path, f"{first}\n{bad}{bad}{rows}", out="more"))
