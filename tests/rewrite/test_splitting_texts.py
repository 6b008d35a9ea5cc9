"""What is asked of one split: its sentences, names and numbers, content words; and the cut in halves."""

from __future__ import annotations

import pytest

from rerank.english import EnglishAnalyzer
from rewrite.evaluate.sets import load_set
from rewrite.evaluate.splitting_corpora import SETS
from rewrite.evaluate.splitting_texts import (
    content_words,
    copied,
    count_sentences,
    halves,
    marked_sentences,
    missing,
    names_and_numbers,
    without_marks,
)
from tests.english import bundled
from tests.paths import need_data


@pytest.fixture(scope="module")
def analyzer() -> EnglishAnalyzer:
    return bundled()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", 0),
        ("...", 0),
        ("He was born in Rome .", 1),
        ("He was born in Rome. He lived there.", 2),
        ("He was born in Rome . He lived there ! Did she ?", 3),
        ("The men were led by Col. Francisco Isidoro at Concepcion .", 1),
        ("Dr. J. F. Smith of St. Albans met the U.S. Army in Washington D.C. on No. 5 street.", 1),
        ("He gave her vitamin C. The men left.", 2),
        ("On the episode of '' Impact ! '' , he defeated Angle .", 1),
        ("He wrote: You are right .", 1),
        ("It was carrying over 6 . 2 tons of food .", 1),
        ("It was founded in 1982 . 14 people came .", 2),
        ("This is what we need: water.", 1),
    ],
)
def test_sentences_are_counted_through_abbreviations(analyzer: EnglishAnalyzer, text: str, sentences: int) -> None:
    assert count_sentences(analyzer.analyze_one(text)) == sentences


def test_marks_of_a_system_are_its_sentences() -> None:
    assert marked_sentences("A . <::::> B . <::::> C .") == 3
    assert marked_sentences("A . <SEP> B .") == marked_sentences("A.\nB.\n") == 2
    assert marked_sentences("A . B .") == 0
    assert without_marks(" A . <::::> B .\nC . <SEP> ") == "A . B . C ."


def test_gold_rewrites_are_counted_as_they_are_marked(analyzer: EnglishAnalyzer) -> None:
    data = load_set(SETS, "wikisplit", need_data("wikisplit"), rows=(1, 300))
    counted = [count_sentences(analysis) for analysis in analyzer.analyze([e.references[0] for e in data.examples])]
    right = sum(count == example.sentences for count, example in zip(counted, data.examples, strict=True))
    assert right >= 0.98 * len(counted)


SOURCE = "Crace , born 25th of May 1986 in New York , is one of three men who paid $1,000 for the U.S. edition ."


@pytest.mark.parametrize(
    ("output", "whole"),
    [
        (SOURCE.replace("May", "June"), False),
        (SOURCE, True),
        (
            "Crace was born 25th of May 1986 in New York. He is one of three men. They paid $1,000 for a U.S. edition.",
            True,
        ),
        (SOURCE.replace("New York", "New york"), False),
        (SOURCE.replace("in New York ,", ""), False),
        (SOURCE.replace("1986", "1987"), False),
        (SOURCE.replace("25th", "25"), False),
        (SOURCE.replace("1,000", "1 000"), False),
        (SOURCE.replace("three", "many"), False),
        (SOURCE.replace("Crace", "He"), False),
        (SOURCE.replace(" ,", ".").replace("born", "She was born"), True),
        ("", False),
    ],
)
def test_names_and_numbers_must_be_copied(analyzer: EnglishAnalyzer, output: str, whole: bool) -> None:
    assert copied(names_and_numbers(analyzer.analyze_one(SOURCE)), output) is whole


def test_function_words_and_first_words_are_no_names(analyzer: EnglishAnalyzer) -> None:
    named = names_and_numbers(analyzer.analyze_one("Although he sang The Wall's hit, I met him. However, it rained."))
    assert named.names == {"Wall"}
    assert not named.first
    assert not named.numbers


def test_a_number_is_copied_as_often_as_it_stands(analyzer: EnglishAnalyzer) -> None:
    named = names_and_numbers(analyzer.analyze_one("They won 3 games and lost 3 games ."))
    assert named.numbers == {"3": 2}
    assert not copied(named, "They won 3 games . They lost games .")
    assert copied(named, "They won 3 games . They lost 3 games .")


@pytest.mark.parametrize(
    ("source", "output", "dropped", "invented"),
    [
        ("He studied law and then moved to Rome .", "He studies law . He moves to Rome .", [], []),
        ("He wrote it while he was planning a trip .", "He writes it . He planned trips .", [], []),
        ("The mill , which is old , stands in Rome .", "The mill stands in Rome . It is red .", ["old"], ["red"]),
        ("He left because it rained .", "It rained . Therefore , he also left .", [], []),
        ("He has 20 cows .", "He has many cows .", ["20"], []),
        ("They won 2 - 0 in Alsace - Lorraine .", "They won 2-0 in Alsace-Lorraine.", [], []),
        ("He slept .", "", ["sleep"], []),
        ("She sang , chose and stood .", "She sings . She had chosen . She stands .", [], []),
        ("He was the oldest and went home .", "He is old . He goes home .", [], []),
    ],
)
def test_content_words_dropped_and_invented(
    analyzer: EnglishAnalyzer, source: str, output: str, dropped: list[str], invented: list[str]
) -> None:
    before, after = (content_words(analyzer.analyze_one(text)) for text in (source, output))
    assert missing(before, after) == dropped
    assert missing(after, before) == invented


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("He sang , and in the end she left .", "He sang . And in the end she left ."),
        ("a, b c d e, f g, h", "a, b c d e. F g, h"),
        ("He paid 1,000 euros to him.", "He paid 1,000. Euros to him."),
        ("one two", "one. Two"),
        ("One", "One"),
        (", he said", ", he. Said"),
        ("", ""),
    ],
)
def test_halves_are_cut_at_the_comma_next_to_the_middle(source: str, expected: str) -> None:
    assert halves(source) == expected
