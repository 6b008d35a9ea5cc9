"""The metric `learned`: which evaluator judges a row, and several documents for one text."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rerank.errors import BadInput, UnknownName
from rerank.evaluator.registry import BUNDLED
from rewrite.errors import BadOption
from rewrite.judging.learned import Learned, summed
from rewrite.judging.registry import create_metric, known_metrics, takes
from rewrite.judging.row_metric import Judged, Row, RowMetric

SOURCE = "Завод построили в 1950 году, и он работает до сих пор."
GOOD = "Завод построили в 1950 году. Он работает до сих пор."
BAD = "Завод построили в 1850 годах. Он до работать Волга сих."


def test_a_good_rewrite_is_worth_more_than_a_broken_one() -> None:
    metric = create_metric("learned")
    assert isinstance(metric, RowMetric)
    good, bad = metric.score([Row(SOURCE, GOOD), Row(SOURCE, BAD)])
    assert good.score > bad.score
    assert set(good.components) == {"quality", "grammar", "content", "facts"}
    assert all(0 <= value <= 1 for value in good.components.values())
    assert good.score == good.components["quality"]


def test_rows_of_several_languages_and_lengths_come_back_in_their_order() -> None:
    rows = [
        Row("The mill was built in 1950 and it still works.", "The mill was built in 1950. It still works."),
        Row(SOURCE, GOOD),
        Row("The mill was built in 1950. " * 8, "A mill was built in 1950."),
    ]
    metric = Learned()
    together = metric.score(rows)
    alone = [metric.score([row])[0] for row in rows]
    assert [one.score for one in together] == pytest.approx([one.score for one in alone], abs=1e-4)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (Row(" ", "b"), "source is empty"),
        (Row("a", ""), "text is empty"),
        (Row("a", "\u200b\u00ad"), "text is empty"),
        (Row("a", "b", (), ("a", "\ufeff")), "document 2 of the source is empty"),
    ],
)
def test_a_blank_side_is_named_with_its_row(row: Row, told: str) -> None:
    with pytest.raises(BadInput, match=f"Row 2: The {told}"):
        Learned().score([Row(SOURCE, GOOD), row])


def test_a_language_without_an_evaluator_is_told() -> None:
    with pytest.raises(BadInput, match="Row 1: The language of the source was guessed as none of English") as raised:
        Learned().score([Row("Der Turm ist alt und nicht mehr offen.", "Der Turm ist zu.")])
    for way in ("bundled:rewrites-en", "--lang", "--model FOLDER", "--metric"):
        assert way in raised.value.hint


@pytest.mark.parametrize("language", ["other", "de"])
def test_for_a_language_that_was_named_there_are_other_metrics(language: str) -> None:
    with pytest.raises(UnknownName, match=f"{language}.* Give --model FOLDER of") as raised:
        Learned(language=language)
    named = [word.strip(",.") for word in raised.value.hint.split()]
    free = {name for name in known_metrics() if not takes(name, "model") and name != "paraeval"}
    assert free <= set(named)
    assert set(named) & set(known_metrics()) == free


def test_each_row_tells_which_evaluator_judged_it() -> None:
    long = "The mill was built in 1950. " * 5
    rows = [Row(long, "A mill was built."), Row(SOURCE, GOOD), Row("A mill stood here.", "A mill stood.")]
    assert [one.by for one in Learned().score(rows)] == [
        "bundled:summaries-en",
        "bundled:rewrites-ru",
        "bundled:rewrites-en",
    ]
    assert {one.by for one in Learned(model="bundled:rewrites-en").score([rows[0], rows[2]])} == {"bundled:rewrites-en"}
    several = Row("\n".join(["A mill stood.", "It burnt."]), "A mill burnt.", (), ("A mill stood.", "It burnt."))
    assert Learned().score([several])[0].by == "bundled:summaries-en"
    # A folder has its checksum in the metric's signature.
    assert Learned(model=str(BUNDLED["rewrites-en"])).score(rows[2:])[0].by == ""


def test_of_ten_documents_the_sum_counts() -> None:
    found = summed([Judged(0.25, {"quality": 0.25}, "mine"), Judged(0.5, {"quality": 0.5}, "mine")])
    assert (found.score, dict(found.components), found.by) == (0.75, {"quality": 0.75}, "mine")


def test_documents_of_one_text_are_judged_by_one_evaluator_and_added() -> None:
    documents = ("The old bridge was closed in May. " * 6, "The bridge was closed.")
    row = Row("\n".join(documents), "The bridge was closed.", (), documents)
    (together,) = Learned().score([row])
    alone = [Learned(model="bundled:summaries-en").score([Row(one, row.text)])[0].score for one in documents]
    # In 8 bits a text says a little else in company than alone.
    assert together.score == pytest.approx(sum(alone), abs=1e-3)
    with pytest.raises(BadInput, match="Row 1: The document 2 of the source is empty"):
        Learned().score([Row("a b", "a", (), ("a b", " "))])


def test_a_long_russian_source_is_judged_as_what_there_is_an_evaluator_for() -> None:
    (found,) = Learned().score([Row(SOURCE * 1 + " Он большой." * 8, GOOD)])
    assert 0 <= found.score <= 1


@pytest.mark.parametrize("options", [{"model": "nowhere"}, {"model": "bundled:poems-en"}, {"language": "de"}])
def test_what_names_no_evaluator_is_told_before_any_row(options: dict[str, str]) -> None:
    with pytest.raises(UnknownName, match="No evaluator"):
        create_metric("learned", **options)


def test_a_folder_that_begins_as_a_bundled_one_signs_with_its_checksum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(BUNDLED["rewrites-en"], tmp_path / "bundled_mine")
    monkeypatch.chdir(tmp_path)
    assert "@" in Learned(model="bundled_mine").signature()
    assert "@" not in Learned().signature()


def test_a_bundled_evaluator_that_is_named_judges_its_own_language() -> None:
    english, russian = Row("The mill was built in 1950.", "The mill is old."), Row(SOURCE, GOOD)
    metric = Learned(model="bundled:rewrites-en")
    assert len(metric.score([english])) == 1
    with pytest.raises(
        BadInput, match="Row 2: The source looks Russian, and bundled:rewrites-en judges texts in English"
    ):
        metric.score([english, russian])
    with pytest.raises(BadInput, match="The source looks English"):
        Learned(model="bundled:rewrites-ru").score([english])
    # Whoever says what it is in is believed, but not twice.
    assert len(Learned(model="bundled:rewrites-en", language="en").score([russian])) == 1
    with pytest.raises(BadOption, match="bundled:rewrites-en judges texts in English, and --lang is ru"):
        Learned(model="bundled:rewrites-en", language="ru")
    with pytest.raises(UnknownName, match="No evaluator is called"):
        Learned(model="bundled:poems-en", language="en")
    with pytest.raises(UnknownName, match="No evaluator is called"):
        Learned(model="bundled:poems")
