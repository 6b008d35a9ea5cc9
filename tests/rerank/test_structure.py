"""How a text is built: heads that stay, sentences and their length."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rerank.analysis import Analyzer
from rerank.errors import BadInput
from rerank.scorer import Context, Scorer
from rerank.structure import Brevity, ShortSentences, Splits, Structure, sentence_words
from rerank.types import Candidate
from tests.contract import test_scorers as contract
from tests.fakes import score_table

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


TEXTS = ["One two three.", "One.\nTwo three.", "A.\nB.\nC.", "", "  \n ", "...", "a b c d e f\ng h"]


@pytest.fixture(params=[Splits, Brevity])
def scorer(request: pytest.FixtureRequest) -> Scorer:
    made: Scorer = request.param()
    return made


class TestContract:
    """What `tests/contract` asks of registered scorers; these have the splitter alone to build them."""

    def test_shape_range_and_type(self, scorer: Scorer, context: Context) -> None:
        assert isinstance(scorer, Scorer)
        contract.test_no_candidates(scorer, context)
        for source in ("", TEXTS[0], "слово " * 450):
            contract.test_shape_and_range(scorer, [*contract.TEXTS, *TEXTS], context, source)

    def test_order_and_neighbours_do_not_matter(self, scorer: Scorer, context: Context) -> None:
        texts = [*contract.TEXTS, *TEXTS]
        contract.test_batch_equals_single(scorer, texts, context)
        contract.test_values_follow_the_order_of_candidates(scorer, texts, context)
        contract.test_two_texts_alike_have_one_value(scorer, context)


def score(scorer: Scorer, context: Context, *texts: str) -> list[float]:
    values: list[float] = scorer.score("A source.", [Candidate(text) for text in texts], context).tolist()
    return values


@pytest.mark.parametrize("target", [1, 2, 5])
def test_splits_fall_off_with_the_distance_from_the_target(target: int, context: Context) -> None:
    texts = ["\n".join(["A word."] * count) for count in range(1, 8)]
    expected = [math.exp(-abs(count - target)) for count in range(1, 8)]
    assert score(Splits(target), context, *texts) == pytest.approx(expected)


def test_splits_of_a_long_text_stay_above_nought(context: Context) -> None:
    low, high = Splits.range
    assert score(Splits(2), context, "A.\n" * 500) == [low]
    assert low > 0
    assert score(Splits(2), context, "A.\nB.") == [high]


@pytest.mark.parametrize(
    ("words", "expected"), [([3, 4], 1.0), ([12, 1], 1.0), ([13, 12], 12 / 13), ([1, 24], 0.5), ([48], 0.25)]
)
def test_length_is_the_share_of_the_longest_sentence_that_was_asked_for(
    words: list[int], expected: float, context: Context
) -> None:
    text = "\n".join("w " * count + "." for count in words)
    assert score(Brevity(12), context, text) == pytest.approx([expected])
    assert score(Brevity(6), context, text) == pytest.approx([min(1.0, 6 / max(words))])


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("He didn't pay $1,300.50 — not at 5.30 p.m.", [8]),
        ("A well-known man.\n\nHe left.\n", [3, 2]),
        ("...", [0]),
        ("", []),
    ],
)
def test_marks_are_no_words_and_empty_lines_no_sentences(text: str, counts: list[int]) -> None:
    assert sentence_words(text) == counts


@pytest.mark.parametrize("made", [Splits, Brevity])
@pytest.mark.parametrize("value", [0, -3])
def test_a_target_below_one_is_refused(made: type[Splits] | type[Brevity], value: int) -> None:
    with pytest.raises(BadInput, match=f"{made.name} is {value}"):
        made(value)


def test_the_signature_tells_the_target() -> None:
    assert Splits(2).signature() != Splits(3).signature()
    assert Brevity(12).signature() != Brevity(20).signature()
    assert np.isfinite([*Splits.range, *Brevity.range]).all()


def test_fifteen_words_are_easy_and_thirty_count_e_times_less(analyzer: Analyzer) -> None:
    half = " ".join(["слово"] * 15) + "."
    whole = " ".join(["слово"] * 30) + "."
    texts = [whole, f"{half} {half.capitalize()}", half, "…"]
    values = ShortSentences().score(whole, [Candidate(text) for text in texts], Context(analyzer))
    # Half of the words left out is as long a sentence as before.
    assert values.tolist() == pytest.approx([math.exp(-1), 1.0, math.exp(-1), 1.0])
