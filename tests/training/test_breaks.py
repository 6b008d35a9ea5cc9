"""What editors put in the place of a connective."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rerank.morphology import Morphology
from rewrite.generators.edits.breaks import load_connectives
from training import breaks as counting

PAIRS = [
    ("Дождь кончился, поэтому дети вышли гулять.", "Дождь кончился. Поэтому дети вышли гулять."),
    ("Дождь кончился, и дети вышли гулять.", "Дождь кончился. Дети вышли гулять."),
    ("Ветер утих, и лодки вернулись.", "Ветер утих. Лодки вернулись."),
    ("Ветер утих, который дул три дня.", "Ветер утих. Он дул три дня."),
    ("Ветер утих, вернулись лодки рыбаков.", "Ветер утих. Рыбаки вернулись домой."),
]


def test_only_function_words_are_counted_and_what_both_sides_share_is_left_out() -> None:
    counts = counting.count_breaks(iter(PAIRS), Morphology())
    assert counts[", и", ""] == 2
    assert counts[", который", "он"] == 1
    assert not any("рыбаки" in lead for _, lead in counts)
    assert counts[",", ""] == 1


def test_the_table_is_written_as_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"source": s, "target": t, "controls": "3825"} for s, t in PAIRS]
    rows.append({"source": "Ветер утих, а лодки вернулись.", "target": "Ветер утих. Лодки.", "controls": "0815"})
    (tmp_path / "written_ru.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    out = tmp_path / "breaks.tsv"
    monkeypatch.setattr(sys, "argv", ["breaks", "--pairs", str(tmp_path), "--out", str(out)])
    counting.main()
    assert load_connectives(out) == {(",", "и"): ("",)}
