"""A denial is cut with a whole clause that has a verb, or not at all, and numbers go with what they count."""

from __future__ import annotations

import pytest

from rerank.analysis import Analysis
from rewrite.compression.choices import goal_of
from rewrite.compression.protection import protection_of
from rewrite.generators.spans import Span
from rewrite.generators.tidy import tidy
from tests.english import parsed

DOGS = """
It PRON 2 nsubj
takes VERB 0 root
dogs NOUN 2 obj
but CCONJ 6 cc
not PART 6 advmod
cats NOUN 3 conj
or CCONJ 8 cc
birds NOUN 6 conj
_. PUNCT 2 punct
"""
LEFT = """
He PRON 2 nsubj
left VERB 0 root
because SCONJ 6 mark
she PRON 6 nsubj
not PART 6 advmod
came VERB 2 advcl
or CCONJ 8 cc
wrote VERB 6 conj
_. PUNCT 2 punct
"""
DEGREES = """
It PRON 2 nsubj
was VERB 0 root
-5 NUM 4 nummod
degrees NOUN 2 obl
today NOUN 2 obl
_. PUNCT 2 punct
"""


def _allows(analysis: Analysis, words: str) -> bool:
    wanted = set(words.split())
    starts = frozenset(token.start for token in analysis.tokens if token.text in wanted)
    assert len(starts) == len(wanted)
    return protection_of(analysis, "en").allows(Span(starts, words), frozenset())


def test_what_is_set_against_another_stays_with_its_denial() -> None:
    for words in ("but not cats", "not", "dogs but", "cats or birds", "but not cats or birds"):
        assert not _allows(parsed(DOGS), words), words
    assert _allows(parsed(DOGS), "or birds")


def test_a_denial_goes_with_the_whole_of_a_clause_alone() -> None:
    assert _allows(parsed(LEFT), "because she not came or wrote")
    for words in ("because she not came", "not", "not came", "she not came or wrote"):
        assert not _allows(parsed(LEFT), words), words


def test_a_number_goes_with_what_it_counts() -> None:
    assert _allows(parsed(DEGREES), "-5 degrees")
    assert not _allows(parsed(DEGREES), "-5")
    assert not _allows(parsed(DEGREES), "degrees")


@pytest.mark.parametrize(
    ("cut", "like", "tidied"),
    [
        ("We start at 10 a.m. .", "We start at 10 a.m. in May.", "We start at 10 a.m."),
        ("-5 degrees .", "-5 degrees were measured.", "-5 degrees."),
        ("- he said .", "He said.", "He said."),
        ("https://a.org has it .", "See https://a.org has it.", "https://a.org has it."),
        ("pay an €200 .", "pay an additional €200.", "pay a €200."),
        ("Well ... he left .", "Well... he left.", "Well... he left."),
    ],
)
def test_marks_numbers_and_addresses_are_mended(cut: str, like: str, tidied: str) -> None:
    assert tidy(cut, like=like, language="en") == tidied


def test_near_one_half_of_what_would_go_may_stay() -> None:
    assert goal_of(0.9, 20) == 18
    assert goal_of(0.9, 4) == 3
    assert goal_of(1.0, 7) == 7
