"""How a sentence that was cut off begins: slots are filled from the source, or not at all."""

from __future__ import annotations

import pytest

from rewrite.splitting.openers import PHRASE_SLOTS, opening, phrase_slot
from tests.rewrite.splitting.marking import number, words_in

SENTENCE = "Alan Shepard bought a large house in New Hampshire, making it his home."


def begun(opener: str, of: str = "", verb: str = "", text: str = SENTENCE) -> str | None:
    words = words_in(text)
    found = opening(words, opener.split(), number(words, of) if of else -1, number(words, verb) if verb else -1)
    return None if found is None else " ".join(found)


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
