"""Splits that would say something else are refused, and those near them are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewrite.splitting.refusals import (
    adds_link,
    drops_content,
    loses_link,
    parts_alternatives,
    refused,
    shares_condition,
    unbalanced,
)
from tests.rewrite.splitting.marking import marked

# Under a name, splits that are refused, each before a near one that is not: a marked sentence, behind the arrow its
# opener.
TABLE = Path(__file__).with_name("refused.txt")
RULES = {
    "drops-content": drops_content,
    "adds-link": adds_link,
    "alternatives": parts_alternatives,
    "unbalanced": unbalanced,
    "shares-condition": shares_condition,
    "loses-link": loses_link,
}


def pairs() -> list[tuple[str, str, str]]:
    rows = []
    rule = bad = ""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("- "):
            bad = line[2:]
        elif line.startswith("+ "):
            rows.append((rule, bad, line[2:]))
        else:
            rule = line
    return rows


@pytest.mark.parametrize(("rule", "bad", "good"), pairs())
def test_one_is_refused_and_the_other_is_not(rule: str, bad: str, good: str) -> None:
    text, _, opener = bad.partition(" => ")
    assert RULES[rule](*marked(text, opener))
    text, _, opener = good.partition(" => ")
    assert not refused(*marked(text, opener))


def test_what_somebody_has_does_not_do_it() -> None:
    assert refused(*marked("She should double the amount{ it| spends on cars}.", "the <short>", of="amount"))
    assert not refused(*marked("She sold the amount{ that| was spent on cars}.", "the <short>", of="amount"))


def test_a_noun_comes_in_the_place_of_a_pronoun_that_fits_it() -> None:
    assert refused(*marked("Tom left Rome{ and she| sold the house}.", "<full>", of="Rome"))
    assert not refused(*marked("Tom left Rome{ and he| sold the house}.", "<full>", of="Tom"))
