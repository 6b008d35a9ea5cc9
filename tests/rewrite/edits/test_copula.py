"""The copula, with the exact outcome."""

from __future__ import annotations

import pytest

from tests.rewrite.edits.conftest import Bench


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Кометы являются малыми телами Солнечной системы.", "Кометы — это малые тела Солнечной системы."),
        ("Москва является крупнейшим городом страны.", "Москва — это крупнейший город страны."),
        ("Пушкин является великим поэтом.", "Пушкин — великий поэт."),
        (
            "Уровень безработицы является одним из важных показателей экономики.",
            "Уровень безработицы — это один из важных показателей экономики.",
        ),
        ("Наиболее крупным городом является Москва.", "Наиболее крупный город — это Москва."),
    ],
)
def test_copula(source: str, expected: str, bench: Bench) -> None:
    assert bench.rewrites(source, "copula") == [expected]


@pytest.mark.parametrize(
    "source",
    [
        "Москва не является большим городом.",
        "Москва являлась большим городом.",
        "Он является великим поэтом.",
        "Завод является в этом году крупным поставщиком.",
        "Город расположен на берегу реки и является крупным портом.",
        # The subject has another verb; the superlative would come out as «высочайший».
        "Туризм является важной отраслью и присоединяется к экономике.",
        "Высшим органом является собрание акционеров.",
        # A participle would keep the instrumental.
        "Машиностроение является системообразующей отраслью промышленности города Тверь, приносящей наибольшие доходы.",
    ],
)
def test_no_copula(source: str, bench: Bench) -> None:
    assert bench.rewrites(source, "copula") == []
