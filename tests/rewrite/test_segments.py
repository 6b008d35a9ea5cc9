"""Segments between marks as spans of a compression."""

from __future__ import annotations

from rewrite.generators.spans import segments
from tests.english import parsed

MET = """
Tom NOUN 2 nsubj
stayed VERB 0 root
_, PUNCT 2 punct
he PRON 5 nsubj
said VERB 2 parataxis
_, PUNCT 2 punct
but CCONJ 8 cc
left VERB 2 conj
_. PUNCT 2 punct
"""
WHEN = """
When SCONJ 3 mark
he PRON 3 nsubj
came VERB 7 advcl
_, PUNCT 7 punct
the DET 6 det
door NOUN 7 nsubj
opened VERB 0 root
_, PUNCT 7 punct
slowly ADV 7 advmod
_. PUNCT 7 punct
"""
DASHES = """
Omsk PROPN 3 nsubj
— PUNCT 3 punct
city NOUN 0 root
_, PUNCT 3 punct
a DET 6 det
port NOUN 3 appos
— PUNCT 8 punct
far ADV 3 advmod
_. PUNCT 3 punct
"""


def _found(lines: str, longest: int = 20) -> list[str]:
    return [span.text for span in segments(parsed(lines), frozenset(), longest=longest)]


def test_a_segment_goes_with_the_mark_before_it_and_the_first_one_and_the_last_stop_stay() -> None:
    assert _found(MET) == [", he said", ", he said , but left", ", but left"]
    assert _found(MET, longest=2) == [", he said", ", but left"]


def test_what_holds_the_head_of_the_parse_stays() -> None:
    assert _found(WHEN) == [", slowly"]


def test_what_stands_before_a_dash_is_not_cut_off_from_it() -> None:
    assert _found(DASHES) == [", a port — far", "— far"]


def test_what_is_gone_is_no_longer_between_marks() -> None:
    analysis = parsed(MET)
    gone = frozenset(token.start for token in analysis.tokens if token.text in {"he", "said"})
    assert next(span.text for span in segments(analysis, gone, longest=9)) != ", he said"
