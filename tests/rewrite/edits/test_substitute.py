"""Words and phrases of small dictionaries in real sentences, with the exact outcome."""

from __future__ import annotations

import pytest

from tests.rewrite.edits.conftest import Bench


@pytest.mark.parametrize(
    ("row", "source", "expected"),
    [
        ("VERB возвести → построить", "Рабочие возвели храм.", "Рабочие построили храм."),
        ("VERB возвести → построить", "Храм, возведённый в городе, сгорел.", "Храм, построенный в городе, сгорел."),
        ("VERB возвести → построить", "Церковь была возведена в городе.", "Церковь была построена в городе."),
        ("VERB возвести → построить", "Они решили возвести храм.", "Они решили построить храм."),
        ("VERB проживать → жить", "Проживая в деревне, он писал книги.", "Живя в деревне, он писал книги."),
        ("VERB проживать → жить", "Здесь проживает много людей.", "Здесь живёт много людей."),
        ("ADJ масштабный → большой", "Учёные обсудили масштабные планы.", "Учёные обсудили большие планы."),
        ("ADJ масштабный → большой", "В масштабной войне погибли люди.", "В большой войне погибли люди."),
        ("NOUN сражение → бой", "Большое сражение закончилось победой.", "Большой бой закончился победой."),
        ("NOUN баталия → битва", "Он вспоминал о великих баталиях.", "Он вспоминал о великих битвах."),
        ("NOUN столица → главный город", "Войска заняли столицу.", "Войска заняли главный город."),
        ("ADV впоследствии → потом", "Впоследствии город вырос.", "Потом город вырос."),
        ("PHRASE в ходе → во время", "В ходе боя отряд занял город.", "Во время боя отряд занял город."),
    ],
)
def test_the_new_word_takes_the_form_of_the_old_one(row: str, source: str, expected: str, bench: Bench) -> None:
    assert bench.replaced(source, row) == [expected]


@pytest.mark.parametrize(
    ("row", "source", "expected"),
    [
        (
            "PHRASE =приходить в восторг от → =восхищаться; case:Gen>Ins",
            "Дети приходили в восторг от новой игры.",
            "Дети восхищались новой игрой.",
        ),
        (
            "PHRASE =оказать поддержку → =поддержать; case:Dat>Acc",
            "Он оказал поддержку молодым художникам.",
            "Он поддержал молодых художников.",
        ),
        (
            "PHRASE =осуществлять контроль над → =контролировать; case:Ins>Acc",
            "Банк осуществляет контроль над ценами и доходами.",
            "Банк контролирует цены и доходы.",
        ),
        (
            "PHRASE =осуществить захват → =захватить; case:Gen>Acc",
            "Отряд осуществил захват большой крепости.",
            "Отряд захватил большую крепость.",
        ),
    ],
)
def test_a_phrase_changes_the_case_of_what_follows(row: str, source: str, expected: str, bench: Bench) -> None:
    assert bench.replaced(source, row) == [expected]


@pytest.mark.parametrize(
    ("row", "source"),
    [
        # A relative clause would have to agree with the new gender.
        ("NOUN сражение → бой", "Сражение, которое длилось год, закончилось."),
        # The new noun brings an adjective of its own.
        ("NOUN столица → главный город", "Войска заняли древнюю столицу."),
        # Quoted words and names stay.
        ("NOUN сражение → бой", "Он прочёл роман «Последнее сражение» за день."),
        ("ADJ российский → русский", "Он служил в Российской академии."),
        # A number stands before the noun whose case would change.
        ("PHRASE =осуществить захват → =захватить; case:Gen>Acc", "Отряд осуществил захват двух крепостей."),
        # What follows is not in the case expected.
        ("PHRASE =оказать поддержку → =поддержать; case:Dat>Acc", "Он оказал поддержку весной."),
        # No noun.
        ("NOUN храм → бежать", "Рабочие возвели храм."),
    ],
)
def test_nothing_is_done_where_it_cannot_be_done_safely(row: str, source: str, bench: Bench) -> None:
    assert bench.replaced(source, row) == []


def test_the_longest_phrase_comes_first_and_all_are_offered(bench: Bench) -> None:
    rows = ("PHRASE в ходе → во время", "ADV впоследствии → потом", "VERB возвести → построить")
    assert bench.replaced("Впоследствии в ходе войны рабочие возвели храм.", *rows) == [
        "Потом в ходе войны рабочие возвели храм.",
        "Впоследствии во время войны рабочие возвели храм.",
        "Впоследствии в ходе войны рабочие построили храм.",
    ]


def test_a_conjunction_brings_its_comma(bench: Bench) -> None:
    assert bench.replaced("Он остался дома ради того дождя.", "PHRASE ради того → потому что") == [
        "Он остался дома, потому что дождя."
    ]


def test_the_bundled_dictionary_speaks_plainly(bench: Bench) -> None:
    found = bench.rewrites("Население осуществило захват крепости и впоследствии проживало в ней.", "word", "phrase")
    assert "Население захватило крепость и впоследствии проживало в ней." in found
    assert "Население осуществило захват крепости и потом проживало в ней." in found
    assert "Население осуществило захват крепости и впоследствии жило в ней." in found
