"""What goes only together in a Russian sentence, by the parse that `rewrite compress` works with."""

from __future__ import annotations

from functools import partial

import pytest

from rerank.analysis import LAYERS, Analyzer
from rewrite.generators.needed import RUSSIAN
from rewrite.generators.spans import FUNCTION_RELATIONS, SpanFinder, adjacent_words, every_subtree
from rewrite.generators.ties import ARGUMENTS, Rule, tied

WORDS: SpanFinder = partial(adjacent_words, longest=8)
SUBTREES: SpanFinder = partial(every_subtree, longest=12, kept=FUNCTION_RELATIONS)


def offered(analyzer: Analyzer, text: str, *rules: Rule, finder: SpanFinder = WORDS) -> set[str]:
    (analysis,) = analyzer.analyze([text], LAYERS)
    return {span.text for span in tied(finder, *rules, ties=RUSSIAN)(analysis, frozenset())}


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("Он уехал, когда дом продали.", ", когда дом продали", {"когда", "дом", ", когда"}),
        ("Они купили дом и большой сад.", "и большой сад", {"дом", "сад"}),
        ("Мы построили второй дом у реки.", "второй дом у реки", {"второй", "дом"}),
        ("Мы не очень хотели спать.", "не очень", {"очень"}),
        ("Поезд идёт между Москвой и Тверью.", "между Москвой и Тверью", {"и", "и Тверью", "между"}),
    ],
)
def test_what_belongs_together_goes_together(analyzer: Analyzer, text: str, whole: str, parts: set[str]) -> None:
    found = offered(analyzer, text, *RUSSIAN.grammar)
    assert whole in found
    assert not parts & found


def test_a_phrase_with_po_is_tied_to_no_s(analyzer: Analyzer) -> None:
    assert "по парку" in offered(analyzer, "Он шёл с другом по парку вечером.", *RUSSIAN.grammar)


def test_conditions_and_objects_have_rules_of_their_own(analyzer: Analyzer) -> None:
    text = "Если пойдёт дождь, мы закончим изучение реки."
    assert "Если пойдёт дождь ," in offered(analyzer, text, *RUSSIAN.grammar, finder=SUBTREES)
    assert "Если пойдёт дождь ," not in offered(analyzer, text, *RUSSIAN.conditions, finder=SUBTREES)
    assert "изучение реки" in offered(analyzer, text, *RUSSIAN.grammar, finder=SUBTREES)
    assert "изучение реки" not in offered(analyzer, text, *ARGUMENTS, finder=SUBTREES)


@pytest.mark.parametrize(
    ("text", "stays", "goes"),
    [
        (
            "Он подал просьбу не позднее месяца со дня рождения сына.",
            "рождения сына",
            "просьбу",
        ),
        ("Врачи приняли большое количество новых больных.", "большое", "новых"),
        ("Эта работа является популярной идеей старых врачей.", "популярной", "старых"),
        ("Люди давно живут там в старых домах.", "там", "давно"),
        ("Он не видел красную машину утром.", "красную", "."),
    ],
)
def test_what_a_statement_says_little_without(analyzer: Analyzer, text: str, stays: str, goes: str) -> None:
    assert {stays, goes} <= offered(analyzer, text)
    assert offered(analyzer, text, *RUSSIAN.grammar, *RUSSIAN.conditions) & {stays, goes} == {goes}


def test_the_first_of_two_links_goes_with_the_second(analyzer: Analyzer) -> None:
    text = "Пением занимаются и мужчины, и женщины."
    (analysis,) = analyzer.analyze([text], LAYERS)
    spans = tied(WORDS, *RUSSIAN.grammar, ties=RUSSIAN)(analysis, frozenset())
    first, second = text.index(" и ") + 1, text.rindex(" и ") + 1
    assert not [span for span in spans if first in span.starts and second not in span.starts]
    assert [span for span in WORDS(analysis, frozenset()) if span.starts == {first}]


def test_without_a_finite_main_verb_a_relative_clause_may_go(analyzer: Analyzer) -> None:
    text = "Москва — столица страны, которая лежит на двух материках."
    assert ", которая лежит на двух материках" in offered(analyzer, text, *RUSSIAN.grammar)


def test_not_every_noun_in_the_instrumental_is_a_predicate(analyzer: Analyzer) -> None:
    for text, word in (
        ("Он остановился перед большим старым домом.", "большим"),
        ("Страна сталкивается с новыми бедами.", "новыми"),
    ):
        assert word in offered(analyzer, text, *RUSSIAN.grammar, *RUSSIAN.conditions)
