"""Adverbial participles made sentences, with the exact outcome."""

from __future__ import annotations

import pytest

from tests.rewrite.edits.conftest import Bench


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "Опасаясь сильной бури, капитан вернулся в порт.",
            "Капитан опасался сильной бури. Он вернулся в порт.",
        ),
        ("Увидев врага, отряд отступил в лес.", "Отряд увидел врага. Он отступил в лес."),
        (
            "Капитан вернулся в порт, опасаясь сильной бури.",
            "Капитан вернулся в порт. Он опасался сильной бури.",
        ),
        ("Компания продаёт машины, получая большую прибыль.", "Компания продаёт машины. Она получает большую прибыль."),
    ],
)
def test_split(source: str, expected: str, bench: Bench) -> None:
    assert bench.rewrites(source, "split") == [expected]


@pytest.mark.parametrize(
    "source",
    [
        "Благодаря хорошей погоде отряд вернулся в лагерь.",
        "Отряд, увидев врага, отступил в лес.",
        "Увидев врага, он отступил в лес.",
        "Увидев врага, отец и сын отступили в лес.",
        "Он работал молча.",
    ],
)
def test_no_split(source: str, bench: Bench) -> None:
    assert bench.rewrites(source, "split") == []
