"""Examples and rows of tokens that stay on disk: they come back as they were, and memory does not hold them."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from rerank.evaluator.pairs import PairRow
from rewrite.errors import BadInput
from training.encoders.examples import write_counted
from training.evaluating.examples import Taught
from training.evaluating.stored import StoredExamples, StoredRows


def test_examples_come_back_by_number(tmp_path: Path) -> None:
    given = [Taught(f"Завод {n}.", f"line\u2028{n}", {"quality": n / 10}, "names" if n else "", n) for n in range(9)]
    write_counted(given, tmp_path / "train.jsonl", lambda one: one.kind)
    found = StoredExamples(tmp_path / "train.jsonl")
    assert list(found) == given
    assert (found[-1], found[2:4]) == (given[-1], given[2:4])
    with pytest.raises(IndexError):
        found[9]


def test_rows_of_any_length_come_back_by_number(tmp_path: Path) -> None:
    given = [PairRow(tuple(range(n)), tuple(n - i for i in range(n))) for n in (3, 0, 70_000, 1)]
    found = StoredRows(iter(given), tmp_path / "rows.bin")
    assert list(found) == given
    assert len(found) == 4


def test_a_side_without_examples_is_told(tmp_path: Path) -> None:
    (tmp_path / "dev.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match="no examples for dev"):
        StoredExamples(tmp_path / "dev.jsonl")


def test_of_each_example_memory_holds_a_few_bytes(tmp_path: Path) -> None:
    count = 2_000
    write_counted(
        (Taught("слово " * 100, "слово " * 50, {"quality": 1.0}, "", n) for n in range(count)),
        tmp_path / "train.jsonl",
        lambda one: one.kind,
    )
    tracemalloc.start()
    examples = StoredExamples(tmp_path / "train.jsonl")
    rows = StoredRows((PairRow((7,) * 200, (1,) * 200) for _ in examples), tmp_path / "rows.bin")
    assert sum(len(row.tokens) for row in rows) == 200 * count
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 100 * count
