"""How a sentence that was cut off begins: slots are filled from the source, or not at all."""

from __future__ import annotations

import pytest

from rewrite.splitting.openers import FORMS, PHRASE_SLOTS, opening, phrase, phrase_slot, phrases
from tests.rewrite.splitting.marking import number, words_in

SENTENCE = "Alan Shepard bought a large house in New Hampshire, making it his home."


def begun(opener: str, of: str = "", verb: str = "", text: str = SENTENCE) -> str | None:
    words = words_in(text)
    texts = opening(words, opener.split(), number(words, of) if of else -1, number(words, verb) if verb else -1)
    return None if texts is None else " ".join(texts)


@pytest.mark.parametrize(
    ("opener", "of", "verb", "expected"),
    [
        ("", "", "", ""),
        ("he also", "", "", "he also"),
        ("i", "", "", "I"),
        ("<full>", "Alan", "", "Alan Shepard"),
        ("<last> was", "Alan", "", "Shepard was"),
        ("<full> is", "house", "", "a large house in New Hampshire is"),
        ("<definite>", "house", "", "the large house in New Hampshire"),
        ("in <short>", "house", "", "in the house"),
        ("in <full> he", "Hampshire", "", "in New Hampshire he"),
        ("this <past>", "", "making", "this made"),
        ("this <present>", "", "making", "this makes"),
        ("<last> <past>", "Alan", "making", "Shepard made"),
    ],
)
def test_slots_are_filled(opener: str, of: str, verb: str, expected: str) -> None:
    assert begun(opener, of, verb) == expected


@pytest.mark.parametrize(
    ("opener", "of", "verb"),
    [
        ("<full>", "", ""),
        ("<last>", "house", ""),
        ("<last>", "Hampshire", ""),
        ("<definite>", "Alan", ""),
        ("this <past>", "", ""),
        ("<full> <past>", "house", ""),
        ("this <past>", "", "large"),
    ],
)
def test_an_opener_that_the_source_cannot_fill_is_none(opener: str, of: str, verb: str) -> None:
    assert begun(opener, of, verb) is None


@pytest.mark.parametrize(
    ("text", "of", "expected"),
    [
        # The capital of a sentence's first word is the sentence's, that of a name its own.
        ("The old bank failed.", "bank", "the old bank"),
        ("Rome fell.", "Rome", "Rome"),
        ("He saw Rome.", "Rome", "Rome"),
        ("He owned an IBM computer.", "computer", "an IBM computer"),
    ],
)
def test_a_phrase_in_a_text_has_the_capital_that_is_its_own(text: str, of: str, expected: str) -> None:
    assert begun("<full>", of, text=text) == expected
    assert begun("in <full> ,", of, text=text) == f"in {expected} ,"


def test_the_form_of_the_phrase_that_an_opener_says_again() -> None:
    assert [phrase_slot(("in", slot, "he")) for slot in PHRASE_SLOTS] == ["full", "definite", "short", "last"]
    assert phrase_slot(("this", "<past>")) == ""


def forms(text: str, noun: str) -> dict[str, str]:
    """The phrase of a noun in all forms that it has."""
    words = words_in(text)
    by_form = {form: phrase(words, number(words, noun), form) for form in FORMS}
    return {
        form: ("the " if repeated.the else "") + words.join(repeated.numbers)
        for form, repeated in by_form.items()
        if repeated is not None
    }


@pytest.mark.parametrize(
    ("text", "noun", "expected"),
    [
        (
            "A young woman wrote it.",
            "woman",
            {"full": "A young woman", "definite": "the young woman", "short": "the woman"},
        ),
        (
            "An engineer called Tom.",
            "engineer",
            {"full": "An engineer", "definite": "the engineer", "short": "the engineer"},
        ),
        ("He asked the old city council.", "council", {"full": "the old city council", "short": "the city council"}),
        ("Two old men left.", "men", {"full": "Two old men", "short": "the men"}),
        ("He met the mayor of Paris.", "mayor", {"full": "the mayor of Paris", "short": "the mayor"}),
    ],
)
def test_common_nouns(text: str, noun: str, expected: dict[str, str]) -> None:
    assert forms(text, noun) == expected


@pytest.mark.parametrize(
    ("text", "noun", "expected"),
    [
        ("Alan Shepard was born in 1923.", "Alan", {"full": "Alan Shepard", "last": "Shepard"}),
        ("John F. Kennedy was a president.", "John", {"full": "John F. Kennedy", "last": "Kennedy"}),
        ("He was born in New Hampshire.", "Hampshire", {"full": "New Hampshire"}),
        ("Rome fell.", "Rome", {"full": "Rome"}),
    ],
)
def test_names_may_be_said_by_their_last_part_but_places_may_not(
    text: str, noun: str, expected: dict[str, str]
) -> None:
    # *Hampshire* is not *New Hampshire*.
    assert forms(text, noun) == expected


@pytest.mark.parametrize("text", ["King Henry VIII married.", "Sammy Davis Jr. sang.", "Malcolm X spoke."])
def test_numbers_and_marks_of_descent_are_no_surnames(text: str) -> None:
    words = words_in(text)
    said = [forms(text, words[head].text).get("last") for head in phrases(words)]
    assert not {"VIII", "Jr.", "X"} & set(said)


class TestWhatIsLeftOut:
    @pytest.mark.parametrize(
        ("text", "noun", "full"),
        [
            ("He saw the film that won.", "film", "the film"),
            ("He met a farmer, a friend of Tom, in May.", "farmer", "a farmer"),
            ("The bank (ABC) failed.", "bank", "The bank"),
            ("An engineer and a doctor left.", "engineer", "An engineer"),
            ("Barack Obama's sister left.", "Barack", "Barack Obama"),
            ('The film "Star Wars" made money.', "Wars", "Star Wars"),
        ],
    )
    def test_clauses_asides_and_the_rest_of_a_list(self, text: str, noun: str, full: str) -> None:
        assert forms(text, noun)["full"] == full

    def test_the_owner_stays_in_the_phrase_of_what_is_owned(self) -> None:
        assert forms("Barack Obama's younger sister left.", "sister")["full"] == "Barack Obama's younger sister"

    def test_what_somebody_owns_is_not_said_as_if_it_were_known(self) -> None:
        assert forms("His old red car broke down.", "car") == {"full": "His old red car"}


@pytest.mark.parametrize(
    "text",
    [
        "The tall chief executive officer (CEO) of the old bank (a small one) left.",
        "The “old” bank “(new)” of the town [a city] failed.",
        "The head of the ( former ) council of New York saw `` Star Wars '' twice .",
    ],
)
def test_no_bracket_and_no_quotation_is_open_in_any_phrase(text: str) -> None:
    words = words_in(text)
    for head in phrases(words):
        for said in forms(text, words[head].text).values():
            for opens, closes in ("()", "[]", "“”", ("``", "''")):
                assert said.count(opens) == said.count(closes), said


def test_parts_of_names_and_terms_have_no_phrase_of_their_own() -> None:
    words = words_in("Tom Brown left the Astronaut Office.")
    assert [words[head].text for head in phrases(words)] == ["Tom", "Office"]
