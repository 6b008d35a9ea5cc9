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
        ("Компания построила завод, выделив на это миллион.", "Компания построила завод. Она выделила на это миллион."),
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
        # Quotation marks.
        "Опасаясь сильной бури, группа «Ария» вернулась в город.",
        "Отряд вернулся в город, издав роман «Мать» и рассказы.",
        # What goes with a plan is not yet done.
        "Компания строит завод, выделив на это миллион.",
        # Another noun may be meant: a name, the island for a town.
        "Туризм растёт в Казахстане, принося стране доход.",
        "Розо занимает доминирующее положение на острове, являясь культурным центром страны.",
        # The verb is in another number.
        "Большинство решили вернуться, опасаясь сильной бури.",
    ],
)
def test_no_split(source: str, bench: Bench) -> None:
    assert bench.rewrites(source, "split") == []
