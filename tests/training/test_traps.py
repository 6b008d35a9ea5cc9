"""What the fact guard lets pass of rewrites made wrong on purpose does not grow."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from training import facts
from training.facts import main, read_traps
from training.masked.corpora import HeldBack

FAULTS = Path(facts.__file__).with_name("faults_ru.jsonl.gz")


def test_there_are_three_hundred_of_twenty_kinds() -> None:
    traps = read_traps()
    assert len({trap.source for trap in traps}) == len(traps) >= 300
    assert len(Counter(trap.kind for trap in traps)) == 20
    assert all(len({trap.source, trap.bad, trap.good}) == 3 for trap in traps)


def test_the_guard_blocks_as_many_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--traps"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    blocked, passing = int(last.split()[1]), int(last.split()[7])
    assert blocked >= 129
    assert passing >= 293


def test_what_is_to_be_learnt_from_is_apart_from_what_is_measured_with() -> None:
    rows = [json.loads(line) for line in gzip.decompress(FAULTS.read_bytes()).decode().splitlines()]
    assert len(rows) > 800
    assert all(row["place"].count(":") == 2 and row["bad"] and all(one["kind"] for one in row["bad"]) for row in rows)
    learnt = HeldBack(text for row in rows for text in (*row["good"], *(one["text"] for one in row["bad"])))
    assert not any(text in learnt for trap in read_traps() for text in (trap.source, trap.bad, trap.good))
