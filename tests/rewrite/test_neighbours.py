"""Sentences that see their neighbours: pronouns keep their nouns, and what a text defines stays defined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from rerank.analysis import Analyzer
from rerank.english import EnglishAnalyzer
from rewrite.across.definitions import definitions
from rewrite.across.pronouns import references
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.fakes import ListGenerator

SCANDAL = "Полгода назад начался громкий скандал, который вызвала уволенная за избыточный вес стюардесса."
SHE_SAID = "Она утверждала, что за два года компания уволила ещё шестнадцать женщин."
CUT = "Полгода назад начался громкий скандал."
KEPT = "Полгода назад начался скандал, который вызвала уволенная за избыточный вес стюардесса."


def pipeline(analyzer: Analyzer, candidates: Mapping[str, Sequence[str]]) -> Pipeline:
    return Pipeline(Options(preset="simple"), analyzer=analyzer, generator=ListGenerator(candidates))


def test_a_pronoun_keeps_its_noun(analyzer: Analyzer) -> None:
    simplify = pipeline(analyzer, {SCANDAL: [CUT, KEPT]})
    alone, before = simplify.run([SCANDAL, f"{SCANDAL} {SHE_SAID}"])
    assert alone.text == CUT
    assert before.text == f"{KEPT} {SHE_SAID}"
    assert before.facts[CUT] == "drops 'стюардесса', which 'Она' in the next sentence stands for"
    # Weights chosen later meet the same guard.
    assert before.reweight({"length": 20.0}).sentences[0].text != CUT


def test_paragraphs_of_a_document_see_each_other(analyzer: Analyzer) -> None:
    simplify = pipeline(analyzer, {SCANDAL: [CUT, KEPT]})
    texts = [SCANDAL, "", SHE_SAID]
    assert [result.text for result in simplify.run(texts)] == [CUT, "", SHE_SAID]
    assert [result.text for result in simplify.run(texts, connected=True)] == [KEPT, "", SHE_SAID]
    assert [result.source for result in simplify.run(texts, connected=True)] == texts


def test_what_is_defined_stays(analyzer: Analyzer) -> None:
    first = "Акционерное общество «Ромашка» (далее — Банк) вчера заключило с клиентом новый договор."
    without, with_it = first.replace(" (далее — Банк)", ""), first.replace(" вчера", "")
    (result,) = pipeline(analyzer, {first: [without, with_it]}).run([first])
    assert result.facts[without] == "drops '(далее — Банк)', which defines a term"
    assert with_it not in result.facts


def test_an_abbreviation_is_kept_where_it_is_used_later(analyzer: Analyzer) -> None:
    first = "Всемирная организация здравоохранения (ВОЗ) вчера опубликовала новый доклад о вакцинах."
    without = first.replace(" (ВОЗ)", "")
    simplify = pipeline(analyzer, {first: [without]})
    used, unused = simplify.run([f"{first} В ВОЗ считают, что вакцины безопасны.", first])
    assert used.facts[without] == "drops '(ВОЗ)', which defines a term"
    assert without not in unused.facts


@pytest.mark.parametrize(
    ("text", "language", "terms"),
    [
        ("ООО «Луч», именуемое в дальнейшем «Заказчик», платит.", "ru", ["Заказчик"]),
        ("Закон о защите прав (далее по тексту – Закон) принят.", "ru", ["Закон"]),
        ("Acme Corporation (hereinafter referred to as the Buyer) pays.", "en", ["Buyer"]),
        ("Acme Corporation (the “Buyer”) and the World Health Organization (WHO) agree.", "en", ["Buyer", "WHO"]),
        ("Он родился в Москве (СССР) и вырос там (далее везде).", "ru", ["везде"]),
        ("It was sold in Ohio (US) in May (the same year).", "en", []),
    ],
)
def test_definitions(text: str, language: str, terms: list[str]) -> None:
    assert [definition.term for definition in definitions(text, language)] == terms


def _faults(parser: Analyzer, language: str, source: str, following: str, text: str) -> list[str]:
    here, there = parser.analyze([source, following], ("morph", "syntax", "entities"))
    return [fault for r in references(here, there, language) if (fault := r.fault(source, text, language))]


def test_of_nouns_that_may_be_meant_one_is_enough(analyzer: Analyzer) -> None:
    source = "Некоторых участников акции отпустили из полиции после составления протоколов."
    left = "Некоторых участников акции отпустили из полиции."
    assert not _faults(analyzer, "ru", source, "Одного из них оставили на ночь.", left)
    assert _faults(analyzer, "ru", source, "Одного из них оставили на ночь.", "Вчера отпустили всех.")
    assert _faults(analyzer, "ru", source, "Эти протоколы подписаны.", left) == [
        "drops 'протоколов', which 'Эти протоколы' in the next sentence stands for"
    ]


def test_this_has_the_gender_of_its_noun(analyzer: Analyzer) -> None:
    source, left = "Вчера взорвали автомобиль, в котором был человек.", "Вчера взорвали автомобиль."
    assert _faults(analyzer, "ru", source, "Этот человек погиб.", left)
    assert not _faults(analyzer, "ru", source, "Это человек, который погиб.", left)


def test_english_pronouns() -> None:
    parser = EnglishAnalyzer()
    source = "The law was signed by Mary Smith, who leads the committee."
    assert _faults(parser, "en", source, "She praised it.", "The law was signed.") == [
        "drops 'Smith', which 'She' in the next sentence stands for"
    ]
    assert not _faults(parser, "en", source, "She praised it.", "The law was signed by Smith.")
    they = "In 1826 they both died, and few people were told of it."
    assert not _faults(parser, "en", they, "They died on the same day.", "In 1826 they both died.")
    assert not _faults(parser, "en", "I doubt that she will come.", "She told us.", "I doubt it.")
    assert _faults(parser, "en", source, "This committee has ten members.", "The law was signed by Mary Smith.")
