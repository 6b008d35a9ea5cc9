"""What is offered as a sentence of its own; that most of it is wrong is for the judge to see."""

from __future__ import annotations

import pytest

from rewrite.generators.edits.clause_breaks import CLAUSE_FEATURES, clause_breaks, clause_features
from rewrite.generators.edits.render import render
from tests.rewrite.edits.conftest import Bench


def offered(bench: Bench, source: str) -> list[str]:
    tree = bench.tree(source)
    return [render(tree, [edit]) for edit in clause_breaks(tree, bench.inflector)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "Учёные описали остров, лежащий на севере страны.",
            [
                "Учёные описали остров. Он лежит на севере страны.",
                "Учёные описали остров. Этот остров лежит на севере страны.",
            ],
        ),
        (
            "Капитан вернулся в порт, опасаясь сильной бури ночью.",
            [
                "Капитан вернулся в порт. Он опасался сильной бури ночью.",
                "Капитан вернулся в порт. При этом он опасался сильной бури ночью.",
            ],
        ),
        (
            "Писатель подарил городу дом, который стоит на берегу моря.",
            [
                "Писатель подарил городу дом. Он стоит на берегу моря.",
                "Писатель подарил городу дом. Этот дом стоит на берегу моря.",
            ],
        ),
        (
            "Семья купила старый дом, в котором раньше жили художники.",
            ["Семья купила старый дом. В нём раньше жили художники."],
        ),
        ("Завод выпускает машины, которые купила вся страна.", ["Завод выпускает машины. Их купила вся страна."]),
        (
            "Туристам показали мост, построенный рабочими в прошлом веке.",
            [
                "Туристам показали мост. Он построен рабочими в прошлом веке.",
                "Туристам показали мост. Он был построен рабочими в прошлом веке.",
                "Туристам показали мост. Этот мост построен рабочими в прошлом веке.",
                "Туристам показали мост. Этот мост был построен рабочими в прошлом веке.",
            ],
        ),
    ],
)
def test_a_clause_at_the_end_gets_a_subject_of_its_own(source: str, expected: list[str], bench: Bench) -> None:
    assert offered(bench, source) == expected


@pytest.mark.parametrize(
    "source",
    [
        # The clause stands in the middle, is too short, or has no comma before it.
        "Гора, вызывающая у туристов интерес, стоит на берегу озера.",
        "Он увидел дом, построенный недавно.",
        "Капитан вернулся в порт не спеша.",
        # The relative word belongs to another noun.
        "Завод выпускает машины, двигатели которых купила вся страна.",
    ],
)
def test_what_cannot_be_cut_by_its_grammar_is_not_offered(source: str, bench: Bench) -> None:
    assert offered(bench, source) == []


def test_features_tell_what_became_of_the_clause(bench: Bench) -> None:
    tree = bench.tree("Учёные описали каждый остров, лежащий на севере страны.")
    he, this = clause_breaks(tree, bench.inflector)
    rows = [dict(zip(CLAUSE_FEATURES, clause_features(tree, edit), strict=True)) for edit in (he, this)]
    assert [row["lead:this"] for row in rows] == [0, 1]
    assert {row["noun:quantified"] for row in rows} == {1}
    assert rows[0]["clause_words"] == 4
