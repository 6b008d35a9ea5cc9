"""English by the real adapter: simplified and split, guarded, each language by its own model."""

from __future__ import annotations

import pytest

from rewrite.base import package
from rewrite.generators import Engines
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.splitting.split_options import SplitOptions
from rewrite.splitting.splitter import Splitter

ENGLISH = "The municipality commenced the construction of the bridge in 1903, and it was completed in 1907."
RUSSIAN = "Дом построен в 1903 году."

pytestmark = pytest.mark.skipif(not package.is_installed(), reason="the base is in the [lm] extra")


def test_what_reads_as_english_is_rewritten_by_the_adapter_for_it() -> None:
    pipeline = Pipeline(Options(generator="edits-lm", n=6, weights={"caution": 0.1, "likelihood": 0}))
    english, russian = pipeline.run([ENGLISH, RUSSIAN])
    (sentence,) = english.sentences
    assert (sentence.language, sentence.skipped, sentence.error) == ("en", "", "")
    assert sentence.table is not None
    drawn = [one for one in sentence.table.candidates if one.generator == "ct2"]
    assert drawn
    assert all(one.certainty is not None for one in drawn)
    for one, reason in zip(sentence.table.candidates, sentence.table.blocked, strict=True):
        assert reason or {"1903", "1907"} >= {word for word in one.text.split() if word.isdigit()}
    assert russian.sentences[0].language == "ru"
    assert "gemma-en" in english.signature
    assert "verdict-en" in english.signature
    assert "gemma-en" not in russian.signature


def test_the_adapter_for_english_does_not_write_russian() -> None:
    (result,) = Pipeline(Options(generator="gemma-en", n=2)).run([RUSSIAN])
    assert result.text == RUSSIAN
    assert "is for English" in result.sentences[0].error


def test_splits_of_the_adapter_and_of_the_splitter_are_one_pool() -> None:
    for generator in ("splitter+gemma-en", "gemma-en"):
        (result,) = Splitter(SplitOptions(generator=generator, n=6)).run([ENGLISH])
        table = result.sentences[0].table
        assert table is not None
        # What both found is one candidate.
        assert {one.generator for one in table.candidates} <= {"splitter", "ct2"}
        # Whatever a processor's rounding draws: a split says what the source says.
        assert all(year in result.text for year in ("1903", "1907"))
        assert result.text == ENGLISH or len(result.sentences[0].text.split("\n")) > 1


def test_the_adapter_judges_the_splits_of_the_splitter() -> None:
    text = f"{ENGLISH} It rained."
    (plain,), (judged,) = (
        Splitter(SplitOptions(generator=generator)).run([text]) for generator in ("splitter", "splitter-lm")
    )
    assert judged.lines == (
        "The municipality commenced the construction of the bridge in 1903.",
        "It was completed in 1907.",
        "It rained.",
    )
    before, after = plain.sentences[0].table, judged.sentences[0].table
    assert before is not None
    assert after is not None
    assert {one.generator for one in after.candidates} == {"splitter-lm"}
    assert {one.text: one.risk for one in before.candidates} != {one.text: one.risk for one in after.candidates}
    assert "verdict-en" in judged.signature
    assert "splits_lm_en" in judged.signature


def test_a_reader_is_said_to_pass_a_careful_rewrite_before_a_false_or_a_torn_one() -> None:
    verdicts = Engines().verdicts("en")
    assert verdicts is not None
    simpler, split, opposite, torn, too_long = verdicts.chances(
        ENGLISH,
        [
            "The town began to build the bridge in 1903, and it was completed in 1907.",
            "The municipality commenced the construction of the bridge in 1903. It was completed in 1907.",
            "The town refused to build the bridge in 1903, and it was not completed in 1907.",
            "The municipality commenced the construction of. The bridge in 1903, and it was completed in.",
            ENGLISH * 2_000,
        ],
    )
    assert too_long is None
    assert simpler is not None
    assert split is not None
    assert opposite is not None
    assert torn is not None
    assert 0 <= torn < opposite < 0.5 < min(simpler, split) <= 1
    assert verdicts.describe()["verdicts.model"] == "verdict-en"
