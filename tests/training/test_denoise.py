"""Harder sentences made of plain ones."""

from __future__ import annotations

import random

import pytest

from training.denoise import MASK, Donors, Noise, RarerWords, donors

PLAIN = "Дети нашли во дворе большую рыжую кошку и очень обрадовались."
GIVEN = Donors([", который прошёл вчера"], [" (по данным газеты)"], ["Кроме того, "])


@pytest.fixture(scope="module")
def noise() -> Noise:
    return Noise(GIVEN, RarerWords())


def test_clauses_brackets_and_openings_are_found() -> None:
    found = donors(["Кроме того, дом, который стоял у реки, сгорел (во вторник)."])
    assert found == Donors([", который стоял у реки"], [" (во вторник)"], ["Кроме того, "])


@pytest.mark.parametrize(("kind", "piece"), [("clause", "прошёл вчера"), ("bracket", "(по данным"), ("hidden", MASK)])
def test_each_kind_leaves_its_mark(noise: Noise, kind: str, piece: str) -> None:
    assert piece in Noise(GIVEN, noise.rarer, shares={kind: 1.0}).source(PLAIN, random.Random(1))


def test_a_rarer_word_takes_the_form_of_the_common_one(noise: Noise) -> None:
    assert "юные" in noise.rarer.of("молодые")
    assert "юными" in noise.rarer.of("молодыми")
    assert noise.rarer.of("кошку") == noise.rarer.of("во") == ()


def test_the_same_seed_makes_the_same_source_and_others_make_others(noise: Noise) -> None:
    sources = [noise.source(PLAIN, random.Random(seed)) for seed in (1, 1, 2, 3)]
    assert sources[0] == sources[1]
    assert len(set(sources)) > 1


def test_two_sentences_become_one(noise: Noise) -> None:
    joined = noise.joined("Шёл дождь.", "Кот спал.", random.Random(0))
    assert joined.startswith("Шёл дождь")
    assert joined.endswith("кот спал.")
