"""What cards and docs say of models that learnt from data for non-commercial use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from training.card import DataSet, non_commercial

ROOT = Path(__file__).resolve().parents[2]
CARDS = sorted(path for package in ("rerank", "rewrite") for path in (ROOT / package).glob("**/card.json"))


def sets(*licences: str) -> list[DataSet]:
    return [DataSet(name=f"set {n}", licence=licence, used_for="training") for n, licence in enumerate(licences)]


@pytest.mark.parametrize(
    "licence",
    ["CC BY-NC 4.0", "CC BY-NC-SA 4.0", "MIT with a non-commercial note", "may be used for non-commercial purposes"],
)
def test_a_set_for_non_commercial_use_is_named(licence: str) -> None:
    told = non_commercial(sets("MIT", licence, licence))
    assert "what their origins state: set 1; set 2. Who" in told


@pytest.mark.parametrize("licence", ["CC BY-SA 4.0", "none stated", "for research, including commercial development"])
def test_of_other_licences_nothing_is_said(licence: str) -> None:
    assert non_commercial(sets(licence)) == ""


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.parent.name)
def test_the_page_names_the_models_that_saw_such_sets_and_no_others(path: Path) -> None:
    card: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    (table,) = [part for part in page.split("\n\n") if part.startswith("| model | non-commercial")]
    data = sets(*(str(one.get("licence", "")) for one in card.get("data", [])))
    assert bool(non_commercial(data)) == (f"`{card['name']}`" in table)
