"""The reading kit hides who wrote what, and the tally finds it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rerank.errors import BadInput
from rewrite.datasets import Example
from rewrite.evaluate.reading import draw, load_sheet, tally, tally_text, write_kit

_EXAMPLES = [Example(f"Источник номер {i}.", (f"Ссылка {i}.", "Другая.")) for i in range(30)]
_OUTPUTS = {"ours": [f"Наше {i}." for i in range(30)], "theirs": [f"Их {i}." for i in range(30)]}


def _filled(sheet: list[dict[str, Any]], bad: str, **answers: Any) -> list[dict[str, Any]]:
    good = {"well_formed": True, "factual": True, "main_point": True, "simpler": "somewhat"}
    return [{**row, **good, **(answers if row["output"].startswith(bad) else {})} for row in sheet]


def test_sheet_is_shuffled_unnamed_and_reproducible() -> None:
    sheet, key = draw(_EXAMPLES, _OUTPUTS, size=10, seed=1)
    assert (sheet, key) == draw(_EXAMPLES, _OUTPUTS, size=10, seed=1)
    assert sheet != draw(_EXAMPLES, _OUTPUTS, size=10, seed=2)[0]
    assert len(sheet) == 40
    assert not any("system" in row or "ours" in json.dumps(row) for row in sheet)
    orders = {tuple(row["system"] for row in key[i : i + 4]) for i in range(0, 40, 4)}
    assert len(orders) > 3
    for row, secret in zip(sheet, key, strict=True):
        place = secret["example"]
        texts = {"source": _EXAMPLES[place].source, "reference": _EXAMPLES[place].references[0]}
        texts.update({name: given[place] for name, given in _OUTPUTS.items()})
        assert row["output"] == texts[secret["system"]]
        assert row["source"] == _EXAMPLES[place].source


def test_tally_of_two_readers(tmp_path: Path) -> None:
    sheet_path, key_path = write_kit(tmp_path / "kit", _EXAMPLES, _OUTPUTS, size=10, seed=5)
    sheet, key = load_sheet(sheet_path), load_sheet(key_path)
    first = _filled(sheet, "Наше", factual=False, fault="number")
    second = _filled(sheet, "Источник", simpler="no")
    figures = {one.name: one for one in tally(key, first, second)}
    assert list(figures) == ["ours", "theirs", "reference", "source"]
    assert figures["ours"].factual == 0.5
    assert figures["ours"].faults == {"number": 10}
    assert figures["ours"].agreement["factual"] == 0
    assert figures["theirs"].agreement == {"well_formed": 1, "factual": 1, "main_point": 1, "simpler": 1}
    assert figures["source"].simpler == 0.5
    assert "number 10" in tally_text(list(figures.values()))


def test_unfinished_sheets_are_refused(tmp_path: Path) -> None:
    sheet, key = draw(_EXAMPLES, _OUTPUTS, size=3, seed=0)
    with pytest.raises(BadInput, match="id 1: well_formed is None"):
        tally(key, sheet)
    filled = _filled(sheet, "Наше")
    with pytest.raises(BadInput, match="every line"):
        tally(key, filled[1:])
    with pytest.raises(BadInput, match="every line"):
        tally(key, [*filled, filled[0]])
    with pytest.raises(BadInput, match="fault is None"):
        tally(key, _filled(sheet, "Наше", factual=False))
    with pytest.raises(BadInput, match="simpler is 'very'"):
        tally(key, _filled(sheet, "Наше", simpler="very"))
    with pytest.raises(BadInput, match="'ours' has 2 outputs"):
        draw(_EXAMPLES, {"ours": ["а", "б"]})
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id": 1}\n{"id": \n', encoding="utf-8")
    with pytest.raises(BadInput, match="line 2"):
        load_sheet(broken)
