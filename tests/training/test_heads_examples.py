"""Examples that stay on disk: they come back as they were, and memory does not hold them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewrite.errors import BadInput
from training.evaluating.examples import Taught
from training.heads.examples import read_examples, write_examples


def test_examples_come_back(tmp_path: Path) -> None:
    given = [Taught(f"Завод {n}.", f"line\u2028{n}", {"quality": n / 10}, "names" if n else "", n) for n in range(9)]
    write_examples(given, tmp_path / "train.jsonl", lambda one: one.kind)
    assert read_examples(Taught, tmp_path / "train.jsonl") == given


def test_a_side_without_examples_is_told(tmp_path: Path) -> None:
    (tmp_path / "dev.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match="no examples for dev"):
        read_examples(Taught, tmp_path / "dev.jsonl")
