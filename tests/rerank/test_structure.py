"""Structure: whether what is kept still hangs together as it did."""

from __future__ import annotations

import pytest

from rerank.analysis import Analyzer
from rerank.rank import score_table
from rerank.scorer import Context
from rerank.structure import Structure
from rerank.types import Candidate

SOURCE = "Дети нашли во дворе большую рыжую кошку, которая спала на диване."


@pytest.fixture(scope="module")
def context(analyzer: Analyzer) -> Context:
    return Context(analyzer)


def structure(source: str, text: str, context: Context) -> float:
    return float(Structure().score(source, [Candidate(text)], context)[0])


@pytest.mark.parametrize(
    "text",
    [
        SOURCE,
        "Дети нашли во дворе большую рыжую кошку.",
        "Дети нашли кошку.",
        "Дети обнаружили во дворе большую рыжую кошку, которая спала на диване.",
        "Кошку нашли дети.",
        "Совсем другие слова.",
        "",
    ],
)
def test_whole_phrases_cut_and_words_replaced_cost_nothing(text: str, context: Context) -> None:
    assert structure(SOURCE, text, context) == 1.0


def test_a_word_that_hangs_on_another_one_now_costs_its_share(context: Context) -> None:
    # Five words are kept, and the sofa, on which she slept, has become part of what was found.
    assert structure(SOURCE, "Дети нашли во дворе диване.", context) == pytest.approx(1 - 1 / 5)
    # Of two words, the adjective lost its noun and hangs on the verb.
    assert structure(SOURCE, "Нашли большую.", context) == pytest.approx(1 - 1 / 2)


def test_word_salad_scores_below_every_cut_of_whole_phrases(context: Context) -> None:
    words = SOURCE.split()
    salad = " ".join(word for i, word in enumerate(words) if i % 3 != 1)
    assert structure(SOURCE, salad, context) < 0.9


def test_a_clause_of_its_own_costs_only_what_changed(context: Context) -> None:
    value = structure(SOURCE, "Дети нашли во дворе кошку. Она спала на диване.", context)
    # The verb of the clause is a root now: one of eight words kept.
    assert value == pytest.approx(1 - 1 / 8)


def test_heads_are_compared_within_the_whole_text(context: Context) -> None:
    source = "Дети нашли кошку. Она спала на диване."
    assert structure(source, "Она спала на диване.", context) == 1.0
    assert structure(source, source, context) == 1.0


def test_punctuation_and_case_do_not_count(context: Context) -> None:
    assert structure("Вчера дети нашли кошку.", "дети нашли кошку", context) == 1.0


def test_the_source_is_its_own_structure(context: Context) -> None:
    table = score_table(SOURCE, [Candidate("Нашли большую.")], [Structure()], context)
    assert table.source_values.tolist() == [1.0]
