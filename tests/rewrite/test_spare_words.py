"""Function words that an English sentence says the same without."""

from __future__ import annotations

import pytest

from rerank.analysis import Analysis, Analyzer
from rerank.english import EnglishAnalyzer
from rewrite.generators.spans_en import spare_words
from tests.english import parsed

SAID = """
He PRON 2 nsubj
said VERB 0 root Lemma=say
that SCONJ 6 mark
the DET 5 det
man NOUN 6 nsubj
slept VERB 2 ccomp
_. PUNCT 2 punct
"""
HATED = SAID.replace("said VERB 0 root Lemma=say", "hated VERB 0 root Lemma=hate")
"""He does not hate the man."""
FACT = """
The DET 2 det
fact NOUN 6 nsubj
that SCONJ 5 mark
he PRON 5 nsubj
slept VERB 2 acl
surprised VERB 0 root
us PRON 6 obj
_. PUNCT 6 punct
"""
"""Without *that* it reads another way."""
POSTULATE = """
It PRON 2 nsubj
violates VERB 0 root
Dalton PROPN 5 nsubj
_'s PART 3 case
postulate VERB 2 ccomp
that SCONJ 8 mark
atoms NOUN 8 nsubj
last VERB 5 ccomp
_. PUNCT 2 punct
"""
"""A noun that was taken for a verb."""
READ = """
The DET 2 det
book NOUN 6 nsubj
that PRON 5 obj PronType=Rel
she PRON 5 nsubj
read VERB 2 acl:relcl
burned VERB 0 root
_. PUNCT 6 punct
"""
WROTE = """
The DET 2 det
book NOUN 6 nsubj
that PRON 4 nsubj PronType=Rel
pleased VERB 2 acl:relcl
her PRON 4 obj
burned VERB 0 root
_. PUNCT 6 punct
"""
ASIDE = """
The DET 2 det
book NOUN 8 nsubj
_, PUNCT 6 punct
which PRON 6 obj PronType=Rel
she PRON 6 nsubj
read VERB 2 acl:relcl
_, PUNCT 6 punct
burned VERB 0 root
_. PUNCT 8 punct
"""
ORDER = """
In ADP 2 case
order NOUN 4 mark
to PART 4 mark
win VERB 6 advcl
we PRON 6 nsubj
ran VERB 0 root
_. PUNCT 6 punct
"""
TIDY = """
Rooms NOUN 4 nsubj
were AUX 4 cop
in ADP 4 case
order NOUN 0 root
to ADP 7 case
this DET 7 det
day NOUN 4 obl
_. PUNCT 4 punct
"""


def texts(analysis: Analysis) -> list[str]:
    return [span.text for span in spare_words(analysis, frozenset())]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (SAID, ["that"]),
        (HATED, []),
        (FACT, []),
        (POSTULATE, []),
        (READ, ["that"]),
        (WROTE, []),
        (ASIDE, []),
        (ORDER, ["In order"]),
        (TIDY, []),
    ],
)
def test_words_that_a_sentence_can_spare(rows: str, found: list[str]) -> None:
    assert texts(parsed(rows)) == found


def test_what_has_gone_is_not_offered_again() -> None:
    analysis = parsed(SAID)
    assert spare_words(analysis, frozenset({analysis.tokens[2].start})) == []


def test_real_parses() -> None:
    analyzer: Analyzer = EnglishAnalyzer()
    sentence = (
        "He believes that people kept the letter which her father had sent, and that they did it in order to help."
    )
    (analysis,) = analyzer.analyze([sentence], ("morph", "syntax"))
    assert texts(analysis) == ["that", "which", "in order"]
