"""Centuries, with the exact outcome."""

from __future__ import annotations

import pytest

from rewrite.generators.edits.plain import roman_centuries
from rewrite.generators.edits.render import render
from tests.rewrite.edits.conftest import Bench


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("В XIX веке город вырос.", ["В 19 веке город вырос."]),
        ("Во II веке город вырос.", ["Во 2 веке город вырос."]),
        ("В XIX и XX веках город вырос.", ["В 19 и 20 веках город вырос."]),
        ("Собор построен в конце XVIII — начале XIX века.", ["Собор построен в конце 18 — начале 19 века."]),
        ("При Петре I и в XVIII веке город вырос.", ["При Петре I и в 18 веке город вырос."]),
        ("При Петре I город вырос.", []),
        ("В XII веке город вырос, а в XIII веке он сгорел.", ["В 12 веке город вырос, а в 13 веке он сгорел."]),
        ("В XII веке город вырос, а в XIII столетии он сгорел.", []),
        ("В XII веке город вырос, а в XIII в. он сгорел.", []),
        ("В XII веке он рос, а в XIII и XIV вв. он горел.", ["В 12 веке он рос, а в 13 и 14 вв. он горел."]),
        ("В XII веке город вырос, а в XIII—XIV веках он горел.", []),
        ("Церковь построена в XVII—XVIII веках.", []),
    ],
)
def test_roman_centuries(source: str, expected: list[str], bench: Bench) -> None:
    tree = bench.tree(source)
    assert [render(tree, [edit]) for edit in roman_centuries(tree, bench.valency)] == expected


@pytest.mark.parametrize(("roman", "number"), [("IV", 4), ("IX", 9), ("XIV", 14), ("XXI", 21), ("XVIII", 18)])
def test_numerals(roman: str, number: int, bench: Bench) -> None:
    tree = bench.tree(f"Город основан в {roman} веке.")
    assert [render(tree, [edit]) for edit in roman_centuries(tree, bench.valency)] == [
        f"Город основан в {number} веке."
    ]
