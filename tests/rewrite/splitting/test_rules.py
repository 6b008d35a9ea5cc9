"""Each rule refuses splits that would say something else, or badly, and lets those near them pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewrite.splitting.rules import FACTS, FORM
from tests.processor import needs_vnni
from tests.rewrite.splitting.marking import faults

# Under the name of a rule, splits that it refuses, each before a near one that no rule refuses. A split is a marked
# sentence; behind the arrow is its opener. The first file has the rules of facts, the second those of form.
TABLES = [Path(__file__).parent / name for name in ("rules_refused.txt", "rules_doubtful.txt")]


def pairs() -> list[tuple[str, str, str]]:
    found = []
    rule = refused = ""
    for line in (line for table in TABLES for line in table.read_text(encoding="utf-8").splitlines()):
        if line.startswith("- "):
            refused = line[2:]
        elif line.startswith("+ "):
            found.append((rule, refused, line[2:]))
        else:
            rule = line
    return found


def broken_by(line: str) -> list[str]:
    text, _, opener = line.partition(" => ")
    return faults(text, opener)


# Read by a parser in int8: without VNNI it reads one of the sentences otherwise.
_MISREAD = "parts-with"


@pytest.mark.parametrize(
    ("rule", "refused", "passed"),
    [pytest.param(*pair, marks=[needs_vnni] if pair[0] == _MISREAD else []) for pair in pairs()],
)
def test_it_refuses_one_and_lets_the_other_pass(rule: str, refused: str, passed: str) -> None:
    assert rule in broken_by(refused)
    assert broken_by(passed) == []


def test_no_rule_is_without_a_test() -> None:
    # What says a phrase again needs to be told which.
    assert {*(rule for rule, *_ in pairs()), "bare-noun", "one-of-list"} == {*FACTS, *FORM}
    assert not set(FACTS) & set(FORM)


@pytest.mark.parametrize(
    ("opener", "noun", "is_right"),
    [("<full>", "brothers", True), ("<full>", "Rome", False), ("the <short>", "brothers", True)],
)
def test_the_phrase_that_is_said_again_is_the_subject_of_both_verbs(opener: str, noun: str, is_right: bool) -> None:
    found = faults("The two brothers left Rome{ and| sold the house}.", opener, of=noun)
    assert ("other-subject" not in found) is is_right


@pytest.mark.parametrize("opener", ["", "he", "it", "however ,", "he was"])
def test_the_facts_of_a_sentence_do_not_depend_on_how_its_second_part_begins(opener: str) -> None:
    # What somebody denies or supposes is not told as so, whoever is said to have done it.
    assert "alternatives" in faults("He either sold the house{ or| burned it in May}.", opener)
    assert "condition" in faults("He would cry if she left Rome{ and| sold the house}.", opener)


@pytest.mark.parametrize(("noun", "is_bare"), [("writer", True), ("house", False)])
def test_a_noun_is_not_said_again_without_its_article(noun: str, is_bare: bool) -> None:
    found = faults("The priest and writer sold an old house{, and| left Rome}.", "<full>", of=noun)
    assert ("bare-noun" in found) is is_bare


def test_what_somebody_has_does_not_do_it() -> None:
    assert "drops-content" in faults("She should double the amount{ it| spends on cars}.", "the <short>", of="amount")
    assert "drops-content" not in faults("She sold the amount{ that| was spent on cars}.", "the <short>", of="amount")


@pytest.mark.parametrize(
    ("split", "noun", "is_right"),
    [
        ("Ducati is a part of Audi{, which| was sold in May}.", "Audi", True),
        ("Ducati is a part of Audi{, which| was sold in May}.", "Ducati", False),
        ("Tom starred in a film which first ran in May{ and| was shown in Rome}.", "film", True),
        ("Tom starred in a film{ and| sang in Rome}.", "film", False),
        ("It is a plane of the Indian Air Force{ who| operates a small airport}.", "Force", True),
        ("He met a former member of Moldova{ who| now plays for Rome}.", "Moldova", False),
    ],
)
def test_nouns_that_a_clause_may_tell_of_may_be_said_again(split: str, noun: str, is_right: bool) -> None:
    assert ("other-subject" not in faults(split, "<full>", of=noun)) is is_right


def test_no_place_is_who() -> None:
    split = "She was beaten in the primary{, who| was beaten by Tom in May}."
    assert "other-subject" in faults(split, "<full>", of="primary")
    # One of several things that *which* may tell of is no clear one.
    split = "They sold a red car and two old houses{, which| were built in May}."
    assert "one-of-list" in faults(split, "the <short>", of="car")


def test_where_there_is_something_there_is_something() -> None:
    assert faults("This is a town in Italy{ where| there are two houses}.") == []
