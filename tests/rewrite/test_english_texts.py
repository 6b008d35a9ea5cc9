"""What the acceptance model of English draws looks at."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from rerank.english import EnglishAnalyzer
from rerank.scorer import Context
from rerank.types import Candidate
from rewrite.acceptance.english_texts import ENGLISH_TEXT_FEATURES, EnglishTextReader
from rewrite.acceptance.text_acceptance import TextCaution

SOURCE = "The municipality, which had two bridges, may commence the construction of a third in 1903."


@pytest.fixture(scope="module")
def context() -> Context:
    return Context(EnglishAnalyzer())


@pytest.fixture(scope="module")
def reader() -> EnglishTextReader:
    return EnglishTextReader()


def drawn(text: str, *, logprob: float = -4.0) -> Candidate:
    return Candidate(text, "ct2", logprob, 16)


def read(reader: EnglishTextReader, context: Context, *texts: str) -> list[dict[str, float]]:
    rows = reader.features(SOURCE, [drawn(text) for text in texts], context)
    assert rows.shape == (len(texts), len(ENGLISH_TEXT_FEATURES))
    return [dict(zip(ENGLISH_TEXT_FEATURES, row, strict=True)) for row in rows.tolist()]


def test_the_source_itself_changes_nothing(reader: EnglishTextReader, context: Context) -> None:
    (found,) = read(reader, context, SOURCE)
    nothing = (
        "new",
        "new_count",
        "gone",
        "gone_content",
        "torn",
        "moved",
        "swapped",
        "lonely_pairs",
        "again",
        "limits",
    )
    assert {name: found[name] for name in nothing} == dict.fromkeys(nothing, 0)
    assert found["length"] == found["longest"] == 1


def test_how_sure_the_model_was_is_its_log_odds(reader: EnglishTextReader, context: Context) -> None:
    told = [replace(drawn("The town has two bridges."), certainty=chance) for chance in (0.5, 0.9, 1.0, None)]
    found = reader.features(SOURCE, told, context)[:, ENGLISH_TEXT_FEATURES.index("certainty")]
    assert found == pytest.approx([0.0, math.log(9), 7.0, 0.0])


def test_what_went_and_what_came_is_counted(reader: EnglishTextReader, context: Context) -> None:
    simpler, sure, torn, strange = read(
        reader,
        context,
        "The town, which had two bridges, may begin to build a third in 1903.",
        "The municipality, which had two bridges, commenced the construction of a third.",
        "The municipality, which had bridges, may commence the of a third in 1903.",
        "The municipality, which had two bridges, may commence the destruction of Paris in 1903.",
    )
    assert simpler["new_lemma"] == 3
    assert simpler["limits"] == simpler["gone_digits"] == 0
    assert sure["limits"] == sure["gone_digits"] == 1
    assert torn["torn"] >= 1
    assert strange["new_names"] == 1
    assert simpler["new_unlike"] > strange["new_unlike"] - 0.5


def test_the_evaluator_reads_each_sentence_alone(reader: EnglishTextReader, context: Context) -> None:
    good, broken = read(
        reader,
        context,
        "The town had two bridges. It may begin to build a third in 1903.",
        "The town had two bridges. May a of third begin the in it 1903 to.",
    )
    assert good["sentences"] == broken["sentences"] == 1
    assert broken["least_grammar"] < good["least_grammar"]


def test_caution_tells_a_careful_rewrite_from_a_wrong_one(reader: EnglishTextReader, context: Context) -> None:
    pool = [
        drawn("The municipality, which had two bridges, may begin to build a third in 1903.", logprob=-3.0),
        drawn("The municipality had two bridges, which third construction a in 1903 of.", logprob=-30.0),
    ]
    careful, wrong = TextCaution(reader).score(SOURCE, pool, context)
    assert 0 < wrong < careful < 1
    assert reader.features(SOURCE, [], context).shape == (0, len(ENGLISH_TEXT_FEATURES))
