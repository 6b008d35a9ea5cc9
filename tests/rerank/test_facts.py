"""The fact guard on hand-written pairs, on planted corruptions of real sentences, and on human references."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from rerank.analysis import Analyzer
from rerank.facts import KINDS, FactGuard
from rerank.morphology import Morphology
from rewrite.datasets import load_rsse
from tests.paths import need_data
from training.facts import Planted, planted_facts, rsse_sources

ALLOWED = [
    # names: shortened, inflected, aliases, initials, adjectives of places
    ("Оскар Александрович Шефер родился в Перми.", "Шефер родился в Перми."),
    ("Оскар Александрович Шефер родился в Перми.", "Родина Оскара Шефера — Пермь."),
    ("Российская Федерация подписала договор.", "Россия подписала договор."),
    ("Российская Федерация подписала договор.", "РФ подписала договор."),
    ("Это органы Вооружённых Сил Российской Федерации.", "Это органы ВС РФ."),
    ("Генеральный штаб принял план.", "Генштаб принял план."),
    ("Московский завод выпустил станок.", "Завод в Москве выпустил станок."),
    ("Сели на берег Чёрного моря.", "Сели на черноморский берег."),
    # numbers, dates and units in another form
    ("Они прошли 5 км.", "Они прошли пять километров."),
    ("Они прошли 5 км.", "Они прошли 5000 метров."),
    ("Город основан в XX веке.", "Город основан в 20 веке."),
    ("Город основан в XX веке.", "Город основан в двадцатом столетии."),
    ("Завод построен в 1990-е годы.", "Завод построен в 90-х."),
    ("Население — 12 тысяч человек.", "В городе 12 000 жителей."),
    ("Население — полтора миллиона человек.", "Население — 1,5 млн."),
    ("Пришло более тысячи человек.", "Пришло более 1000 человек."),
    ("Пришло более 1000 человек.", "Пришло больше чем тысячи человек."),
    ("Пришло не менее тысячи человек.", "Пришло не менее 1 тыс. человек."),
    ("Живёт до сотни семей.", "Живёт до 100 семей."),
    ("В городе около миллиона жителей.", "В городе около 1 млн жителей."),
    ("В городе около миллиона жителей.", "В городе около 1 000 000 жителей."),
    ("Ущерб — свыше сотни тысяч рублей.", "Ущерб — свыше 100 тыс. рублей."),
    ("Ущерб — триллион рублей.", "Ущерб — 1 трлн рублей."),
    ("Пришли тысячи человек.", "Тысячи человек пришли."),
    ("Он пришёл 5-м.", "Он пришёл пятым."),
    ("Половина жителей уехала.", "Уехало 50 % жителей."),
    ("14 декабря 1944 года он уехал.", "В 1944 году он уехал."),
    ("14 декабря 1944 года он уехал.", "Он уехал 14.12.1944."),
    ("Работы шли более 100 дней.", "Работы шли свыше 100 дней."),
    ("Двухэтажный дом сгорел.", "Дом в два этажа сгорел."),
    # denial and modality kept in other words, or dropped with what they govern
    ("Столица не определена.", "Столицы нет."),
    ("Имя автора неизвестно.", "Имя автора не известно."),
    ("Он не смог прийти на встречу.", "Он не пришёл на встречу."),
    ("Отряд не вернулся, а лагерь сгорел.", "Лагерь сгорел."),
    ("Армия вынуждена была отступить.", "Армия отступила."),
    ("Закон нельзя изменить.", "Закон невозможно изменить."),
    ("Он, вероятно, был знаком с автором.", "Возможно, он был знаком с автором."),
    ("Если пойдёт дождь, матч отменят, а билеты вернут.", "Билеты вернут."),
    ("Большая часть территории покрыта лесом.", "Большинство территории покрыто лесом."),
    ("Он сказал: «Я не вернусь», и вышел.", "Он вышел."),
    ("Фильм «Титаник» собрал миллиард.", "Фильм «Титаник» собрал 1 млрд."),
]

BLOCKED = [
    ("number", "Погибли 15 человек.", "Погибли 16 человек."),
    ("number", "Погибли пятнадцать человек.", "Погибли 50 человек."),
    ("number", "Погибли 15,5 тыс. человек.", "Погибли около 16 тыс. человек."),
    ("number", "В городе более 100 школ.", "В городе 100 школ."),
    ("number", "В городе не менее 100 школ.", "В городе не более 100 школ."),
    ("number", "В городе 5 школ и 7 больниц.", "В городе 7 школ и 5 больниц."),
    ("number", "Счёт стал 2:1.", "Счёт стал 1:2."),
    ("number", "На заводе 12 тыс. рабочих.", "На заводе 12 млн рабочих."),
    ("number", "Пришло более тысячи человек.", "Пришло более 2000 человек."),
    ("number", "Пришло более тысячи человек.", "Пришло 1000 человек."),
    ("number", "Пришло более тысячи человек.", "Пришли тысячи человек."),
    ("number", "Пришли тысячи человек.", "Пришло 1000 человек."),
    ("number", "Пришли тысячи человек.", "Пришло более тысячи человек."),
    ("number", "Ущерб — свыше сотни тысяч рублей.", "Ущерб — свыше сотни рублей."),
    ("date", "14 декабря 1944 года он уехал.", "14 ноября 1944 года он уехал."),
    ("date", "14 декабря 1944 года и 3 мая 1945 года были бои.", "14 мая 1945 года были бои."),
    ("date", "Он уехал до 1944 года.", "Он уехал в 1944 году."),
    ("date", "Это было в 100 году до н. э.", "Это было в 100 году."),
    ("date", "Завод построен в 1990-е годы.", "Завод построен в 1980-е годы."),
    ("unit", "До города 5 км.", "До города 5 м."),
    ("unit", "До города 5 километров.", "До города 5 миль."),
    ("entity", "Макрон прибыл в Берлин.", "Макрон прибыл в Вену."),
    ("entity", "Он родился в деревне.", "Иван родился в деревне."),
    ("entity", "Немецкий учёный открыл закон.", "Французский учёный открыл закон."),
    ("entity", "Россия победила Швецию.", "Швеция победила Россию."),
    ("latin", "Компания Google открыла офис.", "Компания Gogle открыла офис."),
    ("quotation", "Он сказал: «Мы скоро вернёмся домой».", "Он сказал: «Мы никогда не вернёмся домой»."),
    ("negation", "Договор подписан.", "Договор не подписан."),
    ("negation", "Отряд вышел, не прибегая к оружию.", "Отряд вышел с оружием, прибегая к нему."),
    ("negation", "Он пришёл без оружия.", "Он пришёл с оружием."),
    ("negation", "Все, кроме короля, уехали.", "Все, король, уехали."),
    ("negation", "Он был не только поэтом.", "Он был только поэтом."),
    ("negation", "Едва ли он вернётся.", "Он вернётся."),
    ("modality", "Препарат может вызвать боль.", "Препарат вызвал боль."),
    ("modality", "Препарат может вызвать боль.", "Препарат должен вызвать боль."),
    ("modality", "Он якобы украл деньги.", "Он украл деньги."),
    ("modality", "Он планирует снять фильм.", "Он снял фильм."),
    ("modality", "Он уехал.", "Он, вероятно, уехал."),
    ("modality", "Дверь нельзя открывать.", "Дверь можно открывать."),
    ("quantity", "Это один из первых театров.", "Это первый театр."),
    ("quantity", "Большая часть территории занята.", "Часть территории занята."),
    ("quantity", "Часть территории занята.", "Территория занята."),
    ("quantity", "Это большой город.", "Это самый большой город."),
]


@pytest.fixture(scope="module")
def morphology() -> Morphology:
    return Morphology()


@pytest.fixture(scope="module")
def guard(analyzer: Analyzer, morphology: Morphology) -> FactGuard:
    return FactGuard(analyzer, morphology=morphology)


@pytest.fixture(scope="module")
def rsse() -> Path:
    return need_data("rsse", "dev_sents.csv")


@pytest.fixture(scope="module")
def sources(rsse: Path) -> list[str]:
    return rsse_sources(rsse.parents[1])


@pytest.fixture(scope="module")
def planted(sources: list[str]) -> list[Planted]:
    return planted_facts(sources)


@pytest.mark.parametrize(("source", "candidate"), ALLOWED)
def test_faithful_rewrites_pass(guard: FactGuard, source: str, candidate: str) -> None:
    assert guard.check(source, candidate) == []


@pytest.mark.parametrize(("kind", "source", "candidate"), BLOCKED)
def test_changed_fact_is_named(guard: FactGuard, kind: str, source: str, candidate: str) -> None:
    found = guard.check(source, candidate)
    assert kind in {violation.kind for violation in found}
    assert all(violation.message and violation.kind in KINDS for violation in found)


@pytest.mark.parametrize("kind", KINDS)
def test_planted_facts_are_caught(guard: FactGuard, planted: list[Planted], kind: str) -> None:
    some = [fact for fact in planted if fact.kind == kind]
    missed = [(fact.edit, fact.text) for fact in some if not guard.check(fact.source, fact.text)]
    assert len(some) == 600
    assert len(missed) <= len(some) // 100, missed


def test_human_references_are_rarely_blocked(guard: FactGuard, rsse: Path) -> None:
    # By reading, about 30 % of those blocked are blocked wrongly (docs/facts.md): 9 % blocked keeps that below 3 %.
    pairs = [(example.source, text) for example in load_rsse(rsse) for text in example.references]
    blocked = sum(bool(guard.check(*(" ".join(text.split()) for text in pair))) for pair in pairs)
    assert 0 < blocked <= 0.09 * len(pairs)


def test_copies_and_dropped_sentences_pass(guard: FactGuard, sources: list[str]) -> None:
    for left, right in itertools.pairwise(sources[:300]):
        both = f"{left} {right}"
        assert guard.check(left, left + " ") == []
        if not ({w.lower() for w in left.split()} & {"не", "без", "может"}):
            assert guard.check(both, both) == []


def test_dropping_a_clause_passes_unless_strict(analyzer: Analyzer, guard: FactGuard) -> None:
    source = "В 1944 году Иван Петров приехал в Москву, где не нашёл работы."
    shorter = "Иван Петров приехал в Москву."
    assert guard.check(source, shorter) == []
    strict = {violation.kind for violation in FactGuard(analyzer, strict=True).check(source, shorter)}
    assert strict == {"date", "negation"}
    assert FactGuard(analyzer, strict=True).check(source, source) == []


@pytest.mark.parametrize(
    ("kind", "source", "candidate"),
    [
        ("number", "Врач принял сорок больных за один день.", "Врач принял сорок больных."),
        ("entity", "Иван Петров уехал из Москвы.", "Иван Петров уехал."),
        ("unit", "До моря 5 км пути.", "До моря 5 пути."),
        ("latin", "Он работал в Google.", "Он работал."),
        ("quotation", "Он снял фильм «Зима в горах».", "Он снял фильм."),
        ("modality", "Он может прийти, и гости уедут.", "Гости уедут."),
        ("quantity", "Большинство школ закрыто, дети уехали.", "Дети уехали."),
        ("number", "Двое детей уехали, мать осталась.", "Мать осталась."),
    ],
)
def test_strict_names_what_was_dropped(analyzer: Analyzer, kind: str, source: str, candidate: str) -> None:
    assert kind in {violation.kind for violation in FactGuard(analyzer, strict=True).check(source, candidate)}


def test_strict_accepts_shortened_names(analyzer: Analyzer) -> None:
    guard = FactGuard(analyzer, strict=True)
    assert guard.check("Оскар Александрович Шефер жил в Перми.", "Шефер жил в Перми.") == []


def test_check_all_keeps_order_and_length(guard: FactGuard) -> None:
    source = "Погибли 15 человек."
    found = guard.check_all(source, [source, "Погибли 16 человек.", "Погибли люди.", "Погибли 16 человек."])
    assert [bool(violations) for violations in found] == [False, True, False, True]
    assert guard.check_all(source, []) == []


@pytest.mark.parametrize("text", ["", " ", "«", "🙂", "не", "...", "5", "X", "\u0301", "a" * 5_000, "не " * 2_000])
def test_odd_text_never_raises(guard: FactGuard, text: str) -> None:
    sentence = "Погибли 15 человек."
    assert isinstance(guard.check(text, sentence), list)
    assert isinstance(guard.check(sentence, text), list)
    assert guard.check(text, text) == []


def test_morphology_is_bounded_and_case_blind() -> None:
    morphology = Morphology(cache_size=2)
    assert morphology.lemma("Городами") == "город"
    assert "стать" in morphology.lemmas("стали")
    assert {"сталь", "стать"} <= morphology.lemmas("стали")
    assert morphology.known("дом")
    assert not morphology.known("бхркцвы")
    assert morphology.parse("дом")[0].pos == "NOUN"
