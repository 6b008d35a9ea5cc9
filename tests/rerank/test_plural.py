"""Numbers in messages."""

from __future__ import annotations

import pytest

from rerank.errors import counted


@pytest.mark.parametrize(("count", "told"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1804, "1,804 rows")])
def test_one_is_no_plural(count: int, told: str) -> None:
    assert counted(count, "row") == told


def test_a_plural_of_its_own() -> None:
    assert [counted(n, "lacks", "lack") for n in (1, 2)] == ["1 lacks", "2 lack"]
