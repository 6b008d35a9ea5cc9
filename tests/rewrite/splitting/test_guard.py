"""The guard: nothing dropped and nothing put in that says something."""

from __future__ import annotations

import pytest

from rewrite.splitting.guard import check
from tests.rewrite.splitting.marking import words_in

SOURCE = "Tom Smith, who has not sold 1,300 cars in 2016, makes films and didn't leave Rome."
WHOLE = "Tom Smith makes films and didn't leave Rome.\nHe has not sold 1,300 cars in 2016."


def violations(candidate: str, source: str = SOURCE) -> set[tuple[str, str]]:
    return {(violation.kind, violation.text) for violation in check(words_in(source), candidate)}


@pytest.mark.parametrize(
    "candidate",
    [
        SOURCE,
        WHOLE,
        # Names and words may be said again, and function words come and go.
        WHOLE.replace("He has", "However, this Tom Smith has"),
        WHOLE.replace("didn't", "did n't"),
        WHOLE.replace("didn't", "didn’t"),
        WHOLE.upper(),
    ],
)
def test_what_says_the_same_passes(candidate: str) -> None:
    assert violations(candidate) == set()


@pytest.mark.parametrize(
    ("old", "new", "kind", "value"),
    [
        ("1,300 ", "", "number", "1,300"),
        ("1,300", "1,200", "number", "1,200"),
        ("2016", "2016 and 2017", "number", "2017"),
        ("2016", "16", "number", "2016"),
        (" Smith", "", "name", "smith"),
        ("Rome", "it", "name", "rome"),
        ("films", "them", "dropped", "films"),
        ("films", "long films", "invented", "long"),
        ("not sold", "sold", "negation", "not"),
        ("didn't", "did", "negation", "n't"),
        ("and didn't", "and not didn't", "negation", "not"),
        ("makes", "never makes", "negation", "never"),
    ],
)
def test_a_changed_fact_is_named(old: str, new: str, kind: str, value: str) -> None:
    assert old in WHOLE
    assert (kind, value) in violations(WHOLE.replace(old, new))


def test_a_verb_may_change_its_form_and_nothing_else() -> None:
    source = "The house burned down, making way for a park."
    assert violations("The house burned down. This made way for a park.", source) == set()
    assert violations("The house burned down. This makes way for a park.", source) == set()
    assert violations("The house burned down. This built way for a park.", source) == {
        ("dropped", "making"),
        ("invented", "built"),
    }
    # A noun has no past.
    assert ("invented", "parked") in violations("The house burned down, making way for a parked.", source)


def test_each_of_two_like_words_is_kept() -> None:
    source = "The red car hit a red house and a blue house."
    assert violations("The red car hit a red house. The car hit a blue house.", source) == set()
    assert violations("The red car hit a house. It hit a blue house.", source) == {("dropped", "red")}


@pytest.mark.parametrize("mark", ["$", "%", "€"])
def test_what_a_number_counts_is_kept(mark: str) -> None:
    source = f"He paid 5{mark} and she left."
    assert violations("He paid 5. She left.", source) == {("dropped", mark)}


def test_a_sentence_that_says_nothing_is_told_unless_the_source_has_it() -> None:
    source = "He left Rome and she did, too."
    assert violations("He left Rome.\nShe did, too.", source) == set()
    assert violations("He left Rome.\nIt is.\nShe did, too.", source) == {("invented", "It is.")}
    assert violations("His spirit is strong.\nIt is.", "His spirit is strong.") == {("invented", "It is.")}
