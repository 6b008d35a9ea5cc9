"""RuSimScore's components on English texts."""

from __future__ import annotations

import numpy as np
import pytest

from rerank.encoders import create_encoder
from rerank.encoders.word_vectors import PieceEncoder
from rerank.english import EnglishAnalyzer
from rerank.english.facts.number_rules import lost_shares
from rerank.rusim import component, components, grade
from rerank.scorer import Context, signature_in
from rerank.similarity import cosines, similarities
from rerank.types import Candidate
from tests.paths import need_data
from training.calibrate_similarity import correlations, read_stsb

SOURCE = "The municipality commenced the construction of the bridge, which John Smith had designed, in 1903."
SIMPLE = "John Smith designed the bridge. The town began to build it in 1903."
SHORT = "The town began to build the bridge in 1903."


@pytest.fixture(scope="module")
def context() -> Context:
    return Context(EnglishAnalyzer())


def values(name: str, context: Context, *texts: str, variant: str = "paper") -> list[float]:
    found: list[float] = component(name, variant=variant).score(SOURCE, [*map(Candidate, texts)], context).tolist()
    return found


@pytest.mark.parametrize("name", ["lexical", "depth", "readability"])
def test_simple_words_and_short_sentences_are_worth_more(context: Context, name: str) -> None:
    source, simple = values(name, context, SOURCE, SIMPLE)
    assert simple > source


def test_length_counts_english_words(context: Context) -> None:
    assert values("length", context, SOURCE, SHORT) == pytest.approx([0.5, 1 - 9 / 30])


def test_readability_is_fleschs(context: Context) -> None:
    # The town be-gan to build the ta-ble: seven words, nine syllables.
    (found,) = values("readability", context, "The town began to build the table.")
    assert found == pytest.approx(0.75 + (206.835 - 1.015 * 7 - 84.6 * 9 / 7) / 400)


def test_the_grade_is_kincaids(context: Context) -> None:
    # Seven words, nine syllables; then three more of one each in a second sentence, and a number.
    texts = ("The town began to build the table.", "The town began to build the table. It fell in 1903.", "...", "")
    one, two, *wordless = map(grade, context.analyzer.analyze(texts))
    assert one == pytest.approx(0.39 * 7 + 11.8 * 9 / 7 - 15.59)
    assert two == pytest.approx(0.39 * 11 / 2 + 11.8 * 12 / 11 - 15.59)
    assert wordless == [0, 0]
    assert grade(context.analyzer.analyze_one(texts[1]), 1) - two == pytest.approx(0.39 * 11 / 2)


def test_a_name_that_is_left_out_costs(context: Context) -> None:
    whole, short = values("entities", context, SIMPLE, SHORT)
    assert whole == 1
    assert short < 1


def test_a_number_that_is_left_out_costs_beside_names_and_another_spelling_does_not(context: Context) -> None:
    source = "On 3 May 2023 Maria Blake told John Hall that twelve families lost 1,200 boats."
    texts = (
        source.replace("twelve", "12").replace("1,200", "1200"),
        source.replace("twelve ", "").replace("1,200 ", ""),
        "On 3 May 2023 she told him that twelve families lost 1,200 boats.",
    )
    spelt, numberless, nameless = component("entities").score(source, list(map(Candidate, texts)), context)
    assert lost_shares(source, texts) == [0, 0.5, 0]
    assert spelt == 1
    assert max(numberless, nameless) <= 0.75


def test_meaning_is_kept_by_the_right_words(context: Context) -> None:
    same, near, far = values("similarity", context, SOURCE, SHORT, "Cats sleep all day on old sofas.")
    assert same == 1
    assert far < 0.3 < near


def test_all_have_values_for_any_text(context: Context) -> None:
    for scorer in components():
        found = scorer.score("", [Candidate(text) for text in ("", "1903", "...", "été", SOURCE)], context)
        assert np.isfinite(found).all()


def test_the_encoder_agrees_with_people_on_pairs_that_it_was_not_fitted_on() -> None:
    left, right, classes = read_stsb(need_data("stsb", "stsb-en-dev.csv"))
    encoder = create_encoder(analyzer=EnglishAnalyzer())
    assert isinstance(encoder, PieceEncoder)
    pearson, _ = correlations(cosines(encoder.encode(left[::5]), encoder.encode(right[::5])), classes[::5])
    assert pearson > 0.75
    assert similarities(encoder, left[0], [left[0]]).tolist() == [1]


def test_the_signature_names_what_the_language_is_read_with() -> None:
    for scorer in components():
        own = signature_in(scorer, "en")
        assert (own == scorer.signature()) == (scorer.name not in ("lexical", "similarity", "entities"))
        assert "navec" not in own
