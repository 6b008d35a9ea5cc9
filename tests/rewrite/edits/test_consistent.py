"""What shows that a cut was wrong: for each sign tokens whose going shows it, and tokens whose going does not."""

from __future__ import annotations

import pytest

from rewrite.generators.edits.consistent import RULES, Rest, inconsistency
from tests.rewrite.edits.conftest import Bench, at

_LIST = "Офицеры, солдаты и врачи вернулись в лагерь."

WRONG = [
    ("lone_preposition", "Город стоит на берегу большой реки.", "берегу", "на берегу большой реки"),
    ("lone_conjunction", _LIST, "врачи", "и врачи"),
    ("lone_genitive", "Снижение цен обрадовало людей.", "Снижение", "цен"),
    ("lone_adjective", "Он закончил новую книгу.", "книгу", "новую"),
    ("lost_predicate", _LIST, "вернулись", "в лагерь"),
    ("bare_verb", "Партия сместилась вправо, и министр быстро ушёл.", "вправо", "быстро"),
    ("lost_subject", "В городе Москва вырос новый завод.", "В городе Москва", "новый"),
    ("nothing_left", _LIST, "Офицеры солдаты и врачи", "в лагерь"),
    ("torn_preposition", "Отряд вошёл в большой город.", "в большой", "в большой город"),
    ("lone_correlative", "Он любит и город, и старую деревню.", "город", "старую"),
    ("bare_measure", "Из озера вышла рыба размером с большую лодку.", "с большую лодку", "большую"),
    ("torn_name", "Роман написал писатель Лев Толстой.", "Толстой", "Лев Толстой"),
]


@pytest.mark.parametrize(("name", "source", "wrong", "fine"), WRONG)
def test_sign_of_a_wrong_cut(name: str, source: str, wrong: str, fine: str, bench: Bench) -> None:
    rule = {r.__name__: r for r in RULES}[name]
    tree = bench.tree(source)
    assert rule(Rest(tree, {at(tree, word) for word in wrong.split()}))
    assert not rule(Rest(tree, {at(tree, word) for word in fine.split()}))


def test_every_sign_has_a_case() -> None:
    assert {name for name, *_ in WRONG} == {rule.__name__ for rule in RULES}


def test_the_first_sign_is_named(bench: Bench) -> None:
    tree = bench.tree("Он закончил новую книгу.")
    assert inconsistency(tree, {at(tree, "книгу")}) == "lone_adjective"
    assert inconsistency(tree, set()) == ""
