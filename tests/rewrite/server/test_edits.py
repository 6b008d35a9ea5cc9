"""Edits as spans, and the words that say why."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.types import Candidate, ScoreTable
from rewrite.server.edits import find_edits, why
from rewrite.server.schemas import Edit

_RU = (
    "В связи с тем, что сотрудники осуществляли проверку документации, "
    "выдача справок была приостановлена до понедельника."
)
_RU_PLAIN = "Из-за того, что работники проводили проверку документации, выдачу справок приостановили до понедельника."
_SAID = (
    "В связи с → Из-за",
    "была приостановлена → приостановили",
    "сотрудники → работники",
    "осуществляли → проводили",
)
_WORDS = (
    "a",
    "the",
    "cat",
    "Cat",
    "cats",
    "sat",
    "в",
    "связи",
    "кошка",
    "кошку",
    "Straße",
    "İ",
    "e\u0301té",
    "😀",
    "3.5",
)
_SPACES = (" ", " ", " ", ", ", ". ", ".\n", "", " — ", "  ", "\t")


def applied(source: str, edits: Iterable[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        source = source[: edit.start] + edit.replacement + source[edit.end :]
    return source


def shown(source: str, text: str, said: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    language = "ru" if source[0] >= "А" else "en"
    edits = find_edits(source, text, language, "en", said)
    assert applied(source, edits) == text
    return [(source[e.start : e.end], e.replacement, e.kind) for e in edits]


def _texts() -> st.SearchStrategy[str]:
    parts = st.tuples(st.sampled_from(_WORDS), st.sampled_from(_SPACES))
    return st.lists(parts, max_size=12).map(lambda found: "".join(word + space for word, space in found))


_ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
_LABELS = st.lists(st.tuples(st.sampled_from(_WORDS), st.sampled_from(_WORDS)).map(" → ".join), max_size=4)


@settings(max_examples=400, deadline=None)
@given(st.one_of(_texts(), _ANY), st.one_of(_texts(), _ANY), _LABELS)
def test_edits_applied_give_the_text(source: str, text: str, said: list[str]) -> None:
    edits = find_edits(source, text, "en", "ru", said)
    assert applied(source, edits) == text
    assert all(source[e.start : e.end] != e.replacement and e.why for e in edits)
    assert all(before.end <= after.start for before, after in itertools.pairwise(edits))
    assert len({edit.start for edit in edits}) == len(edits)


@settings(max_examples=200, deadline=None)
@given(_texts(), _texts())
def test_edits_do_not_cut_words(source: str, text: str) -> None:
    for edit in find_edits(source, text, "en", "en"):
        for place in (edit.start, edit.end):
            around = source[max(place - 1, 0) : place + 1]
            assert not (len(around) == 2 and around.isalpha()), (edit, around)


def test_replacements_side_by_side_are_parted_as_the_generator_says() -> None:
    assert shown(_RU, _RU_PLAIN, _SAID) == [
        ("В связи с тем", "Из-за того", "replace"),
        ("сотрудники", "работники", "replace"),
        ("осуществляли", "проводили", "replace"),
        ("выдача справок была приостановлена", "выдачу справок приостановили", "replace"),
    ]


@pytest.mark.parametrize(
    ("source", "text", "edits"),
    [
        (
            "Mr. J. R. Smith, who was appointed in 2019, is endeavouring to help.",
            "Mr. J. R. Smith was appointed in 2019. He is trying to help.",
            [
                (", who was appointed in 2019,", " was appointed in 2019. He", "split"),
                ("endeavouring", "trying", "replace"),
            ],
        ),
        (
            "He utilized water to fight the fire, but it did not help.",
            "He used water to fight the fire. However, it did not help.",
            [("utilized", "used", "replace"), (", but ", ". However, ", "split")],
        ),
        (
            "Because he could use only fourth gear, he utilized it slowly.",
            "He could use only fourth gear. So he used it slowly.",
            [
                ("Because he could use only fourth gear,", "He could use only fourth gear. So", "split"),
                ("utilized", "used", "replace"),
            ],
        ),
        (
            "Juan, a student of mine, discussed this at a conference in Cairns.",
            "Juan was a student of mine. He discussed this at a conference.",
            [(", a student of mine,", " was a student of mine. He", "split"), (" in Cairns", "", "delete")],
        ),
        (
            "Комиссия, которая осуществляла проверку, уже ушла.",
            "Комиссия проводила проверку. Она уже ушла.",
            [(", которая осуществляла проверку,", " проводила проверку. Она", "split")],
        ),
        (
            "He says while dogs are used less, their popularity is growing in cities.",
            "He says dogs are used less.",
            [("while dogs are used less, their popularity is growing in cities", "dogs are used less", "delete")],
        ),
        (
            "Оставленный в Омске гарнизон не успел уйти.",
            "Гарнизон, который был оставлен в Омске, не успел уйти.",
            [("Оставленный в Омске гарнизон", "Гарнизон, который был оставлен в Омске,", "replace")],
        ),
        (
            "Хотя дождь, как правило, шёл долго, мы ушли.",
            "Дождь обычно шёл долго. Мы ушли.",
            [("Хотя дождь, как правило, шёл долго, мы", "Дождь обычно шёл долго. Мы", "split")],
        ),
    ],
)
def test_what_does_not_stand_alone_is_one_edit(source: str, text: str, edits: list[tuple[str, str, str]]) -> None:
    assert shown(source, text) == edits


def test_a_word_that_moves_is_one_edit() -> None:
    assert shown("Комиссия оценила всё вчера.", "Вчера комиссия оценила всё.") == [
        ("Комиссия оценила всё вчера", "Вчера комиссия оценила всё", "order")
    ]


@pytest.mark.parametrize(
    ("source", "text", "edits"),
    [
        ("He said that he would.", "He said he would.", [("that ", "", "delete")]),
        ("He said he would.", "He said that he would.", [("", "that ", "insert")]),
        (
            "It fell, and we, who saw it, wept.",
            "It fell. We wept.",
            [(", and we, who saw it,", ". We", "split")],
        ),
        ("A man came, Anna left.", "A man came.\nAnna left.", [(", ", ".\n", "split")]),
        ("Same.", "Same.", []),
        ("", "New.", [("", "New.", "insert")]),
    ],
)
def test_kinds(source: str, text: str, edits: list[tuple[str, str, str]]) -> None:
    assert applied(source, find_edits(source, text, "en", "en")) == text
    if source:
        assert shown(source, text) == edits


def test_reasons_are_plain_words() -> None:
    reasons = [e.why for e in find_edits("He utilized numerous tools, as a rule.", "He used many tools.", "en", "en")]
    assert reasons == ["simpler words: “used many”", "left out: “as a rule”"]
    source, text = "Дом, созданный в 2019 году, стоит.", "Дом стоит."
    assert [e.why for e in find_edits(source, text, "ru", "ru")] == ["выпало: «созданный в 2019 году»"]


@pytest.mark.parametrize(
    ("source", "text", "reasons"),
    [
        (
            "Мы приняли решение о проведении дополнительного розыгрыша, который состоится 5 мая!",
            "Мы решили провести дополнительный розыгрыш!",
            ["слова проще: «решили провести дополнительный розыгрыш»; выпало: «который состоится 5 мая»"],
        ),
        (
            "Он осуществлял проверку в Омске, но она не была закончена.",
            "Он вёл проверку. Но она не была закончена.",
            ["слова проще: «вёл»", "отсюда новое предложение; выпало: «в Омске»"],
        ),
        ("Это весьма старый дом.", "Это дом.", ["выпало: «весьма старый»"]),
        ("Данная весьма старая усадьба цела.", "Этот дом цел.", ["слова проще: «Этот дом цел»"]),
    ],
)
def test_lost_words_are_told(source: str, text: str, reasons: list[str]) -> None:
    assert [e.why for e in find_edits(source, text, "ru", "ru")] == reasons


def _table(text: str, blocked: str = "", source: str = "") -> ScoreTable:
    source = source or "Комиссия, созданная в 2019 году, произвела оценку ущерба."
    values, own = np.array([[0.8, 1.0, 0.4]]), np.array([0.7, 0.6, 1.0])
    return ScoreTable(source, (Candidate(text),), ("lexical", "depth", "similarity"), values, own, (blocked,))


def test_why_of_a_choice_and_of_a_source() -> None:
    table = _table("Комиссия оценила ущерб.")
    assert why(table, 0, ui="ru") == ["короче", "слова проще", "строение проще", "выпало: «созданная в 2019 году»"]
    assert why(table, 0, ui="en")[-1] == "left out: “созданная в 2019 году”"
    assert why(table, None, ui="ru") == ["оставлено как было: лучшего варианта нет"]
    assert why(_table("Комиссия ушла.", "changes the year"), None) == [
        "the sentence stands: every candidate is blocked (changes the year)"
    ]
    assert why(table.select([]), None) == ["the sentence stands: there is no candidate"]


def test_why_tells_what_a_replacement_dropped() -> None:
    source = "Мы приняли решение о проведении дополнительного розыгрыша, который состоится 5 мая!"
    reasons = why(_table("Мы решили провести дополнительный розыгрыш!", source=source), 0, ui="ru")
    assert reasons[-1] == "выпало: «который состоится 5 мая»"


def test_sentences_are_counted_as_texts_are_cut() -> None:
    source = "Mr. J. R. Smith, who was appointed in 2019, is trying to help."
    texts = "Mr. J. R. Smith was appointed in 2019. He is trying to help.", f"{source[:-1]} us."
    assert [reason for reason in why(_table(texts[0], source=source), 0) if "sentences i" in reason] == [
        "2 sentences instead of 1"
    ]
    assert not any("sentences i" in reason for reason in why(_table(texts[1], source=source), 0))


def test_a_changed_sentence_has_a_reason() -> None:
    table = replace(_table("Он рассказал об этом.", source="Он сообщил об этом."), source_values=np.ones(3))
    assert why(table, 0, ui="ru") == ["слова проще: «рассказал»"]


@pytest.mark.parametrize("part", [", ", "a ", "слово, и ", ",;!?:"])
def test_texts_that_are_hard_to_align_take_no_time(part: str) -> None:
    source, text = part * 3000, part[::-1] * 2900
    started = time.perf_counter()
    assert applied(source, find_edits(source, text, "en", "en")) == text
    assert applied(source[:4000], find_edits(source[:4000], text[:4000], "en", "en")) == text[:4000]
    assert time.perf_counter() - started < 5
