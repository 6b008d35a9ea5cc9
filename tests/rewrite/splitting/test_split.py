"""The two sentences that a split gives, to the letter."""

from __future__ import annotations

import pytest

from rewrite.splitting.split import render
from tests.rewrite.splitting.marking import marked, rendered


@pytest.mark.parametrize(
    ("text", "opener", "first", "second"),
    [
        ("Tom bought a car{, but| she sold it}.", "", "Tom bought a car.", "She sold it."),
        ("Tom bought a car{, but| she sold it}.", "however ,", "Tom bought a car.", "However, she sold it."),
        ("Tom left Rome{ and| sold the house}.", "he", "Tom left Rome.", "He sold the house."),
        ("She left Rome{;| he stayed there}.", "", "She left Rome.", "He stayed there."),
        ("He has a dog{ —| it barks a lot}.", "", "He has a dog.", "It barks a lot."),
    ],
)
def test_the_end_of_a_sentence_becomes_one_of_its_own(text: str, opener: str, first: str, second: str) -> None:
    assert rendered(text, opener) == (first, second)


@pytest.mark.parametrize(
    ("text", "opener", "first", "second"),
    [
        ("Anna{, who| lives in Rome,} wrote it.", "she", "Anna wrote it.", "She lives in Rome."),
        ("Anna{, who| lives in Rome}, wrote it.", "she", "Anna wrote it.", "She lives in Rome."),
        ("Anna{, |a doctor,} wrote it!", "she is", "Anna wrote it!", "She is a doctor."),
        ("The house (he left it{;| it was old}) fell.", "", "The house (he left it) fell.", "It was old."),
    ],
)
def test_what_stands_in_the_middle_is_taken_out(text: str, opener: str, first: str, second: str) -> None:
    assert rendered(text, opener) == (first, second)


class TestOpeners:
    def test_the_phrase_of_a_noun(self) -> None:
        text = "Alan Shepard was born in Rome{, and| he wrote it}."
        assert rendered(text.replace("he wrote", "wrote"), "<last>", of="Alan") == (
            "Alan Shepard was born in Rome.",
            "Shepard wrote it.",
        )

    def test_another_form_of_the_dropped_verb(self) -> None:
        text = "The old house burned down{, making| way for a park}."
        assert rendered(text, "this <past>") == ("The old house burned down.", "This made way for a park.")

    def test_without_the_noun_there_are_no_sentences(self) -> None:
        assert rendered("She left Rome{ and| sold it}.", "<full>") is None

    def test_the_first_sentence_begins_later_where_its_conjunction_goes(self) -> None:
        assert rendered("Although it rained{,| he went home}.", "however ,", lead=1) == (
            "It rained.",
            "However, he went home.",
        )


class TestMarks:
    @pytest.mark.parametrize("end", [".", "!", "...", ".”", ""])
    def test_the_marks_of_the_source_end_the_last_sentence(self, end: str) -> None:
        opens = "“" if "”" in end else ""
        first, second = rendered(f"Tom went{{, and| {opens}she stayed in Rome}}{end}") or ("", "")
        assert first == "Tom went."
        assert second == f"{opens}She stayed in Rome{end or '.'}"

    @pytest.mark.parametrize(
        ("text", "first", "second"),
        [
            ("He works for Acme Inc.{, and| she sings}.", "He works for Acme Inc.", "She sings."),
            ("He makes phones{ and| she works for Acme Inc.}", "He makes phones.", "She works for Acme Inc."),
            ("He came at 5 p.m.{ and| she left at 6 p.m.}", "He came at 5 p.m.", "She left at 6 p.m."),
        ],
    )
    def test_an_abbreviation_at_the_end_gets_no_second_stop(self, text: str, first: str, second: str) -> None:
        assert rendered(text) == (first, second)

    @pytest.mark.parametrize(
        ("text", "opener", "first", "second"),
        [
            ("Did he leave{, and| did she stay}?", "", "Did he leave?", "Did she stay?"),
            ("Who wrote the book{, which| is old}?", "it", "Who wrote the book?", "It is old."),
            ("Anna left Rome{, but| why did she cry}?", "but", "Anna left Rome.", "But why did she cry?"),
            ("Did Anna{, who| lives in Rome,} write it?", "she", "Did Anna write it?", "She lives in Rome."),
        ],
    )
    def test_what_was_asked_is_asked_and_nothing_else(self, text: str, opener: str, first: str, second: str) -> None:
        assert rendered(text, opener) == (first, second)

    def test_a_quotation_stays_closed(self) -> None:
        text = 'He went home{, and| he said "I will go}."'
        assert rendered(text) == ("He went home.", 'He said "I will go."')
        assert rendered('He said "I will go"{, and| he went home}.') == ('He said "I will go".', "He went home.")


class TestTokenised:
    @pytest.mark.parametrize(
        ("text", "opener", "first", "second"),
        [
            ("Tom left{ , and| she stayed} .", "", "Tom left .", "She stayed ."),
            ("Tom left{ , and| she stayed} .", "however ,", "Tom left .", "However , she stayed ."),
            ("Anna{ , who| sings ,} wrote it .", "she", "Anna wrote it .", "She sings ."),
            ("He makes phones{ and| she works for Acme Inc.} .", "", "He makes phones .", "She works for Acme Inc."),
        ],
    )
    def test_marks_stay_apart(self, text: str, opener: str, first: str, second: str) -> None:
        assert rendered(text, opener) == (first, second)


class TestCapitals:
    @pytest.mark.parametrize(
        ("text", "second"),
        [
            ("He lives in Rome{ and| iPhone users love him}.", "iPhone users love him."),
            ("He lives in Rome{ and| “he is old}.", "“He is old."),
            ("He lives in Rome{ and| 5 men know him}.", "5 men know him."),
            ("He lives in Rome{ and| émigrés know him}.", "Émigrés know him."),
        ],
    )
    def test_a_sentence_begins_with_one_unless_its_word_has_one_inside(self, text: str, second: str) -> None:
        assert (rendered(text) or ("", ""))[1] == second


def test_a_split_tells_what_stays_and_whose_form_may_change() -> None:
    words, split = marked("The house burned down{, making| way for a park}.")
    assert [words[n].text for n in (split.start, split.verb, split.kept)] == [",", "making", "way"]
    assert marked("Tom left{;| she stayed}.")[1].verb == marked("Tom left{;| she stayed}.")[1].start
    assert marked("Tom said {|she stayed}.")[1].verb == -1


@pytest.mark.parametrize("text", ["{| She left Rome}.", "{,| ;} ."])
def test_neither_sentence_is_empty(text: str) -> None:
    assert rendered(text) is None


@pytest.mark.parametrize("text", ["He sold the house{|, and she left}.", "He sold the house{, |and she left}."])
def test_marks_before_a_second_sentence_are_dropped_however_it_was_proposed(text: str) -> None:
    words, split = marked(text)
    settled = split.settled(words)
    assert (settled.start, settled.dropped, settled.begins(words)) == (4, 1, 5)
    assert render(words, settled) == render(words, split)


def test_what_ends_in_a_quoted_stop_gets_no_other() -> None:
    pair = rendered('He said: "I went home, and she stayed."{ and| then he left the house}.')
    assert pair == ('He said: "I went home, and she stayed."', "Then he left the house.")
