"""Words that stay, back into text: the marks around a cut, lists, capitals, prepositions."""

from __future__ import annotations

import pytest

from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.render import capitalize, closed_up, render
from tests.rewrite.edits.conftest import Bench, at

LIST = "Офицеры, солдаты и врачи вернулись в лагерь."


@pytest.mark.parametrize(
    ("source", "cut", "expected"),
    [
        ("Отряд быстро вошёл в старый город.", "быстро", "Отряд вошёл в старый город."),
        ("Отряд вошёл в город утром.", "утром", "Отряд вошёл в город."),
        ("Утром отряд вошёл в город.", "Утром", "Отряд вошёл в город."),
        ("Мой брат, врач, живёт в городе.", "врач", "Мой брат живёт в городе."),
        ("Капитан, опасаясь бури, вернулся в порт.", "опасаясь", "Капитан вернулся в порт."),
        ("Капитан вернулся в порт, опасаясь бури.", "опасаясь", "Капитан вернулся в порт."),
        ("Город, который стоит у моря, вырос.", "стоит", "Город вырос."),
        ("Он жил в городе (столице страны) у моря.", "столице", "Он жил в городе у моря."),
        ("Роман «Покой» вышел в прошлом году.", "Покой", "Роман вышел в прошлом году."),
        (LIST, "врачи", "Офицеры и солдаты вернулись в лагерь."),
        (LIST, "солдаты", "Офицеры и врачи вернулись в лагерь."),
        (
            "Демократия также стала включать состязательность избирательного процесса, свободу слова "
            "и верховенство права.",
            "верховенство",
            "Демократия также стала включать состязательность избирательного процесса и свободу слова.",
        ),
        ("Писатель, автор романа, жил в Москве и Киеве.", "Киеве", "Писатель, автор романа, жил в Москве."),
        (
            "Отряд занял город, а население покинуло свои дома.",
            "покинуло",
            "Отряд занял город.",
        ),
        (
            "Стены были возведены за лето, а анализ древесных колец, выполненный в 2009 году, показал другое.",
            "выполненный",
            "Стены были возведены за лето, а анализ древесных колец показал другое.",
        ),
        (
            'Он сказал, что из-за усталости, накопленной за год, "включился" не сразу.',
            "накопленной",
            'Он сказал, что из-за усталости "включился" не сразу.',
        ),
    ],
)
def test_the_marks_of_a_part_go_with_it(source: str, cut: str, expected: str, bench: Bench) -> None:
    tree = bench.tree(source)
    assert render(tree, [Edit("cut", "", at(tree, cut))]) == expected


def test_the_no_break_spaces_of_the_source_stay(bench: Bench) -> None:
    tree = bench.tree("Вчера отряд вошёл в\u00a0г.\u00a0Орёл и занял там 5\u00a0000 домов.")
    text = render(tree, [Edit("cut", "", at(tree, "Вчера"))])
    assert text == "Отряд вошёл в\u00a0г.\u00a0Орёл и занял там 5\u00a0000 домов."


def test_no_edit_is_no_change(bench: Bench) -> None:
    for source in (LIST, "Роман «Война и мир» (1869) — книга, написанная Толстым; её знают все!"):
        assert render(bench.tree(source), []) == source


def test_several_edits_at_once(bench: Bench) -> None:
    tree = bench.tree("Капитан, опасаясь бури, быстро вернулся в старый порт.")
    edits = [Edit("cut", "", at(tree, w)) for w in ("опасаясь", "быстро")]
    edits.append(Edit("word", "", changes=((at(tree, "старый"), "древний"),)))
    assert render(tree, edits) == "Капитан вернулся в древний порт."


def test_a_clause_cut_together_with_brackets_takes_both_commas(bench: Bench) -> None:
    tree = bench.tree("Роман «Покой» (1869), написанный Львом Толстым, известен всем.")
    number, clause = (Edit("cut", "", at(tree, word)) for word in ("1869", "написанный"))
    assert render(tree, [number, clause]) == "Роман «Покой» известен всем."
    assert render(tree, [number]) == "Роман «Покой», написанный Львом Толстым, известен всем."
    assert render(tree, [clause]) == "Роман «Покой» (1869) известен всем."


def test_an_emptied_word_leaves_no_double_space(bench: Bench) -> None:
    tree = bench.tree("Мост был построен давно.")
    edit = Edit("voice", "", changes=((at(tree, "был"), ""), (at(tree, "построен"), "построили")))
    assert render(tree, [edit]) == "Мост построили давно."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("дом , сад", "дом, сад"),
        ("дом, , сад", "дом, сад"),
        ("дом,.", "дом."),
        ("( дом )", "(дом)"),
        ("дом ( )", "дом"),
        (", дом", "дом"),
        ("-5 градусов", "-5 градусов"),
        ("во городе", "в городе"),
        ("в Франции", "во Франции"),
        ("с СССР", "с СССР"),
        ("о Англии", "об Англии"),
        ("со домом", "с домом"),
        ("с своим", "со своим"),
        ("об доме", "о доме"),
        ("о истории", "об истории"),
        ("ко дому", "к дому"),
        ("Со сном", "Со сном"),
    ],
)
def test_what_edits_leave_is_closed_up(text: str, expected: str) -> None:
    assert closed_up(text) == expected


@pytest.mark.parametrize("text", ["Во главе отряда", "Со временем город вырос", "Во что бы то ни стало"])
def test_prepositions_of_the_source_stay(text: str) -> None:
    assert closed_up(text, like=f"{text} …") == text


def test_prepositions_before_digits_stay() -> None:
    assert closed_up("Во 2 веке") == "Во 2 веке"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("дом", "Дом"), ("«дом»", "«Дом»"), ("(дом)", "(Дом)"), ("Дом", "Дом"), ("", ""), ("5 домов", "5 домов")],
)
def test_capitalize(text: str, expected: str) -> None:
    assert capitalize(text) == expected
