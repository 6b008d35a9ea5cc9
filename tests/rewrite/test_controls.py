"""Control values: measured on a pair, read and written, spread over the draws."""

from __future__ import annotations

import pytest

from rewrite.controls import SPREAD, Controls, commonness, measured, sentences_in, spread_for
from rewrite.errors import BadOption

SOURCE = "Осуществление контроля за исполнением приказа возложено на заместителя министра, который прибыл в город."


def test_a_pair_is_measured() -> None:
    found = measured(SOURCE, "Заместитель министра прибыл в город. Он следит за тем, как исполняют приказ.", "split")
    assert (found.style, found.length, found.sentences) == ("split", 7, 2)
    assert found.common > 4


def test_a_copy_is_as_long_and_as_common() -> None:
    assert measured(SOURCE, SOURCE, "light") == Controls("light", 10, 1, 4)


def test_values_beyond_the_scale_are_its_ends() -> None:
    assert measured("Да, это он.", f"{SOURCE} {SOURCE}", "plain").length == 11
    assert measured(SOURCE, "Да.", "short").length == 2


def test_text_is_four_digits_and_read_back() -> None:
    for controls in (*SPREAD, Controls("terse", 11, 4, 9), Controls("light", 2, 1, 0)):
        assert len(controls.text) == 4
        assert Controls.read(controls.text) == controls


@pytest.mark.parametrize("text", ["", "151", "15145", "9514", "1504x", "1554"])
def test_texts_that_are_no_controls(text: str) -> None:
    with pytest.raises(BadOption, match="are no controls"):
        Controls.read(text)


def test_sentences_are_told_by_end_marks_before_capitals() -> None:
    assert sentences_in("Он ушёл. Она осталась!") == 2
    assert sentences_in("Ушёл ли он? «Да», — сказала она.") == 2
    assert sentences_in("Около 2,5 млн. человек.") == 1


def test_common_words_count_more_than_rare_ones() -> None:
    assert commonness("большой дом", "ru") > commonness("фешенебельный особняк", "ru")
    assert commonness("12 %", "ru") > 0


def test_short_sentences_are_not_split_and_long_ones_into_more() -> None:
    assert all(controls.sentences == 1 for controls in spread_for("Дождь шёл весь день."))
    long = " ".join(["слово"] * 45)
    assert {controls.sentences for controls in spread_for(long)} == {1, 3}


def test_a_splitter_is_asked_for_splits_alone() -> None:
    asked = spread_for(" ".join(["word"] * 20), task="split")
    assert {controls.style for controls in asked} == {"split"}
    assert {controls.sentences for controls in asked} == {2}
    assert {controls.sentences for controls in spread_for("One two.", task="split", sentences=3)} == {3}
