"""How likely a reader is to call a rewrite simpler: more where more was done, 0.5 for the source, never by quality."""

from __future__ import annotations

import pytest

from rerank.analysis import Analyzer
from rerank.english import EnglishAnalyzer
from rerank.scorer import Context
from rerank.types import Candidate
from rewrite.acceptance.simplicity import SIMPLICITY_FEATURES, Simplicity, simplicity_features
from rewrite.request import Options
from rewrite.simplification import SIMPLIFY

SOURCE = "The committee utilised numerous methods to ascertain the origin of the fire, which began on Monday."
TOUCHED = SOURCE.replace("The committee", "This committee")
SPLIT = "The committee used many methods to find the origin of the fire. It began on Monday."


def test_features_count_what_was_done() -> None:
    touched, cut = simplicity_features(SOURCE, [TOUCHED, SPLIT], "en").tolist()
    named = dict(zip(SIMPLICITY_FEATURES, cut, strict=True))
    assert (named["length"], named["sentences"], named["new"]) == (1.0, 1, 4)  # used, many, find, it
    assert named["lost"] == pytest.approx(4 / 14)  # utilised, numerous, ascertain, which
    assert named["common"] == pytest.approx(0.455, abs=0.001)
    assert touched[:3] == [1.0, 0, 1]


def test_the_source_is_worth_a_coin_and_what_a_reader_sees_to_be_simpler_more() -> None:
    pool = [Candidate(text) for text in (SOURCE, TOUCHED, SPLIT, "The fire began on Monday.")]
    same, touched, cut, short = Simplicity().score(SOURCE, pool, Context(EnglishAnalyzer())).tolist()
    assert same == 0.5
    assert touched < 0.1
    assert min(cut, short) > 0.9


def test_a_rarer_word_is_no_simplification() -> None:
    pool = [Candidate(SOURCE.replace("origin", word)) for word in ("cause", "provenance")]
    common, rare = Simplicity().score(SOURCE, pool, Context(EnglishAnalyzer())).tolist()
    assert common > rare


def test_a_name_with_an_apostrophe_is_a_word() -> None:
    (features,) = simplicity_features("He met Mr O'Brien here.", ["He met Mr O'Connor here."], "en").tolist()
    assert dict(zip(SIMPLICITY_FEATURES, features, strict=True))["new"] == 1


def test_words_are_looked_up_in_the_language_of_the_text() -> None:
    english, russian = (simplicity_features("The origin.", ["The cause."], each)[0, -1] for each in ("en", "ru"))
    assert english != russian


def test_it_is_measured_in_both_languages(analyzer: Analyzer) -> None:
    source = "Комиссия осуществила проверку документации, которая была предоставлена предприятием."
    texts = ["Комиссия проверила документы.", source.replace("Комиссия", "Эта комиссия")]
    short, touched = Simplicity().score(source, [Candidate(text) for text in texts], Context(analyzer)).tolist()
    assert short > 0.9 > 0.5 > touched
    for generator in ("edits", "gemma-en"):
        assert "simplicity" in {s.name for s in SIMPLIFY.scorers(Options(generator=generator), frozenset())}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("He didn't go home before it's dark.", "He did not go home before it's dark."),
        ("I can't go and he won't.", "I cannot go and he will not."),
        ("The U.S. economy grew by two per cent.", "The US economy grew by two per cent."),
        ("Mr. Smith met Mrs. Jones at 5 p.m. in St. Louis.", "Mr Smith met Mrs Jones at 5 p.m. in St. Louis."),
    ],
)
def test_another_way_to_write_a_word_is_no_change(source: str, text: str) -> None:
    (features,) = simplicity_features(source, [text], "en").tolist()
    named = dict(zip(SIMPLICITY_FEATURES, features, strict=True))
    assert (named["length"], named["sentences"], named["new"], named["lost"]) == (1, 0, 0, 0)


def test_a_source_without_a_word_is_scored() -> None:
    (value,) = Simplicity().score("12 %", [Candidate("13 %.")], Context(EnglishAnalyzer())).tolist()
    assert 0 < value < 1
