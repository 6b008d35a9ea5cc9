"""Passives made active, with the exact outcome."""

from __future__ import annotations

import pytest

from tests.rewrite.edits.conftest import Bench


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Мост был построен в 1903 году.", "Мост построили в 1903 году."),
        ("Новая дорога была построена в прошлом веке.", "Новую дорогу построили в прошлом веке."),
        ("Вода используется в промышленности.", "Воду используют в промышленности."),
        ("Этот метод широко используется в медицине.", "Этот метод широко используют в медицине."),
        (
            "Столица была поделена на пять частей, а президент встал и велел ждать.",
            "Столицу поделили на пять частей, а президент встал и велел ждать.",
        ),
        ("Наиболее известная картина была написана в Париже.", "Наиболее известную картину написали в Париже."),
    ],
)
def test_active(source: str, expected: str, bench: Bench) -> None:
    assert bench.rewrites(source, "voice") == [expected]


@pytest.mark.parametrize(
    "source",
    [
        # The doer is named.
        "Здание было разрушено рабочими в 1903 году.",
        # There is no auxiliary in the past: a state.
        "Мост построен в 1903 году.",
        # No passive in meaning.
        "Город находится на берегу моря.",
        "Численность населения увеличивается каждый год.",
        # A person or a name in the nominative.
        "Писатель был похоронен в Москве.",
        # Two participles share the auxiliary.
        "Песня была написана и записана в Москве.",
        "По книге был снят фильм и выпущена игра.",
        # The subject is needed later on.
        "Лагерь был создан в 1941 году и находился в лесу.",
        "Пластинка была изъята из продажи и не издавалась.",
        # The doer, where the tagger takes it for something else, or somebody with him.
        "Теория была разработана в конце века Ньютоном и Лейбницем.",
        "Роман был написан в соавторстве с братом.",
        "Роман был написан совместно с братом.",
        # The active verb takes the genitive.
        "Был достигнут ряд соглашений.",
        "Дом был построен не сразу.",
        "Дом не был построен в срок.",
        # A participle would keep the nominative.
        "Железная скоба была поставлена на стену, уменьшающая нагрузку.",
        "Рост цен наблюдается в стране.",
        "Рост цен отмечается в стране.",
        "Песня записывается в Москве.",
    ],
)
def test_left_alone(source: str, bench: Bench) -> None:
    assert bench.rewrites(source, "voice") == []
