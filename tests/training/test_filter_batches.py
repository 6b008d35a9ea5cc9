"""Files of pairs as batches to judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from training.filtering.batches import Input, Seen, read_batches, survey
from training.pairs import PairFile


def inputs_of(folder: Path, *names: str) -> list[Input]:
    return [Input(PairFile(path=name), folder / name, (folder / name).stat().st_size, "") for name in names]


def test_a_batch_ends_at_its_bound_however_few_pairs_are_left_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.filtering.batches._MOST_ROWS", 40)
    (tmp_path / "p.tsv").write_text("a\tb\n" * 60 + "?\n" * 50 + "".join(f"c{i}\td\n" for i in range(30)))
    with Seen(tmp_path / "seen") as seen:
        batches = list(read_batches(inputs_of(tmp_path, "p.tsv"), seen, size=16))
    held = [(len(b.pairs), len(b.duplicates), len(b.malformed)) for b in batches]
    assert held == [(1, 39, 0), (0, 20, 20), (10, 0, 30), (16, 0, 0), (4, 0, 0)]
    assert [b.rows for b in batches] == [40, 20, 10, 16, 4]
    # The place in the file moves on with the batches: progress is told by it.
    assert batches[-1].read == (tmp_path / "p.tsv").stat().st_size


def test_a_row_of_many_targets_is_one_row_and_as_many_pairs(tmp_path: Path) -> None:
    row = json.dumps({"source": "a", "target": [f"b{i}" for i in range(50)]})
    (tmp_path / "p.jsonl").write_text(f"{row}\n[]\n{row}\n")
    batches = list(read_batches(inputs_of(tmp_path, "p.jsonl"), None, size=16))
    assert max(len(b.pairs) for b in batches) == 16
    count = survey(inputs_of(tmp_path, "p.jsonl")).files["p.jsonl"]
    assert (count.rows, count.pairs, count.malformed) == (3, 100, 1)
