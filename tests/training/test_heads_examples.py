"""Examples that stay on disk: they come back as they were, and memory does not hold them."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from rewrite.errors import BadInput
from training.evaluating.examples import Taught
from training.heads.examples import StoredExamples, read_examples, write_examples


def test_examples_come_back_by_number(tmp_path: Path) -> None:
    given = [Taught(f"Завод {n}.", f"line\u2028{n}", {"quality": n / 10}, "names" if n else "", n) for n in range(9)]
    write_examples(given, tmp_path / "train.jsonl", lambda one: one.kind)
    found = StoredExamples(Taught, tmp_path / "train.jsonl")
    assert list(found) == given
    assert list(read_examples(Taught, tmp_path / "train.jsonl")) == given
    assert found[-1] == given[-1]
    with pytest.raises(IndexError):
        found[9]


def test_a_side_without_examples_is_told(tmp_path: Path) -> None:
    (tmp_path / "dev.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match="no examples for dev"):
        StoredExamples(Taught, tmp_path / "dev.jsonl")


def test_of_each_example_memory_holds_a_few_bytes(tmp_path: Path) -> None:
    count = 2_000
    write_examples(
        (Taught("слово " * 100, "слово " * 50, {"quality": 1.0}, "", n) for n in range(count)),
        tmp_path / "train.jsonl",
        lambda one: one.kind,
    )
    tracemalloc.start()
    examples = StoredExamples(Taught, tmp_path / "train.jsonl")
    assert sum(one.group for one in examples) == count * (count - 1) / 2
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 100 * count
