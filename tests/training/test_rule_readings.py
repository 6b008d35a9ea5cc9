"""What readers said of outputs with and without groups of rules."""

from __future__ import annotations

import gzip
import json

import pytest

from training.rule_readings import READINGS, compared, main


def test_each_text_that_differs_has_two_verdicts_and_counts_once() -> None:
    rows = [json.loads(line) for line in gzip.decompress(READINGS.read_bytes()).decode().splitlines()]
    assert len(rows) == 399
    for group in rows[0]["outputs"]:
        differing = sum(row["outputs"]["full"] != row["outputs"].get(group, row["outputs"]["full"]) for row in rows)
        counts = compared(rows, group, 0)
        assert counts["differ"] == (differing, differing)
        assert counts["both"][0] <= min(counts["faultless"][0], counts["simpler"][0])


def told(**counts: tuple[int, int]) -> dict[str, tuple[int, int]]:
    return {"differ": (2, 2), "both": (1, 0), **counts}


def test_what_is_with_a_group_stands_before_what_is_without() -> None:
    rows = [
        {"source": "с", "outputs": {"full": "а", "g": "б"}, "faults": {"а": ["", "n"], "б": ["w", "wf"]}},
        {"source": "с", "outputs": {"full": "а", "g": "с"}, "faults": {"а": ["f", ""]}, "better": ["=", "g"]},
        {"source": "с", "outputs": {"full": "а", "g": "а"}, "faults": {}},
    ]
    assert compared(rows, "g", 0) == told(faultless=(1, 1), simpler=(2, 1), better=(0, 0))
    assert compared(rows, "g", 1) == told(faultless=(2, 1), simpler=(1, 1), better=(0, 1))


def test_a_row_for_each_group_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    told = capsys.readouterr().out
    assert "dictionary: 99; 77 → 85, 32 → 27, 18 → 14, 0 → 0; 82 → 85, 32 → 26, 19 → 12" in told
