"""Who said something, after what was said, hangs on it whatever the parser says."""

from __future__ import annotations

import pytest

from rerank.english.reports import hang_reports_on_what_was_said
from tests.english import tokens_of

FELL = "He PRON 2 nsubj\nfell VERB 5 {}\n_, PUNCT 2 punct\npolice NOUN 5 nsubj\n{} VERB 0 root\n_. PUNCT 5 punct"


def roots(rows: str) -> tuple[str, list[str]]:
    """The root, and the remarks beside it."""
    tokens = tokens_of(rows)
    hang_reports_on_what_was_said(tokens)
    assert sum(token.head < 0 for token in tokens) == 1
    (root,) = (token for token in tokens if token.rel == "root")
    assert root.head == -1
    return root.text, [t.text for t in tokens if t.rel == "parataxis" and tokens[t.head] is root]


@pytest.mark.parametrize("relation", ["ccomp", "parataxis", "advcl"])
def test_what_was_said_is_the_root(relation: str) -> None:
    assert roots(FELL.format(relation, "said")) == ("fell", ["said"])


@pytest.mark.parametrize(
    ("rows", "root"),
    [
        (FELL.format("ccomp", "wanted"), "wanted"),
        (FELL.format("csubj", "said"), "said"),
        ("Police NOUN 2 nsubj\nsaid VERB 0 root\nhe PRON 4 nsubj\nfell VERB 2 ccomp\n_. PUNCT 2 punct", "said"),
        (
            "When SCONJ 3 mark\nhe PRON 3 nsubj\nfell VERB 6 advcl\n_, PUNCT 3 punct\npolice NOUN 6 nsubj\n"
            "said VERB 0 root\nso ADV 6 advmod",
            "said",
        ),
        (
            "Yesterday NOUN 6 obl:unmarked\nhe PRON 3 nsubj\nfell VERB 6 ccomp\n_, PUNCT 3 punct\n"
            "police NOUN 6 nsubj\nsaid VERB 0 root",
            "said",
        ),
        ("Falling VERB 4 ccomp\n_, PUNCT 1 punct\npolice NOUN 4 nsubj\nsaid VERB 0 root", "said"),
    ],
)
def test_other_sentences_stay_as_they_are(rows: str, root: str) -> None:
    assert roots(rows) == (root, [])


def test_heads_in_a_cycle_are_survived() -> None:
    tokens = tokens_of(FELL.format("ccomp", "said"))
    tokens[0].head, tokens[2].head = 2, 0
    hang_reports_on_what_was_said(tokens)
    assert tokens[4].rel == "root"


@pytest.mark.parametrize(
    "rows",
    [
        "in ADP 4 case\nRome PROPN 2 obl\n_, PUNCT 6 punct\npolice NOUN 4 nmod:unmarked\nsaid VERB 2 parataxis\n"
        "Sunday PROPN 2 parataxis\n_. PUNCT 2 punct",
    ],
)
def test_who_said_it_and_when_hang_on_the_verb(rows: str) -> None:
    tokens = tokens_of("He PRON 2 nsubj\nfell VERB 0 root\n" + rows)
    hang_reports_on_what_was_said(tokens)
    assert [(t.text, t.rel, tokens[t.head].text) for t in tokens[5:8]] == [
        ("police", "nsubj", "said"),
        ("said", "parataxis", "fell"),
        ("Sunday", "obl:unmarked", "said"),
    ]


@pytest.mark.parametrize(
    "rows",
    [
        # The verb has a subject, another verb follows, and no comma stands before.
        "We PRON 2 nsubj\nleft VERB 0 root\n_, PUNCT 5 punct\nhe PRON 5 nsubj\nsaid VERB 2 parataxis\ntoday NOUN 2 obl",
        "Rain NOUN 4 nsubj\n_, PUNCT 3 punct\npolice NOUN 1 appos\nsaid VERB 0 root\nit PRON 6 nsubj\nfell VERB 4 obj",
        "The DET 2 det\nminister NOUN 3 nsubj\nsaid VERB 0 root\nso ADV 3 advmod",
        # Nouns are no verbs of saying.
        "He PRON 2 nsubj\nplayed VERB 0 root\n_, PUNCT 5 punct\nmany ADJ 5 amod\nreports NOUN 2 obj",
        # The verb hangs on what would hang on it.
        "He PRON 2 nsubj\nfell VERB 0 root\n_, PUNCT 4 punct\npolice NOUN 2 obl\nsaid VERB 4 amod\nSunday PROPN 5 obl",
        "He PRON 6 nsubj\nfell VERB 6 ccomp\n_, PUNCT 4 punct\npolice NOUN 6 obl\nsaid VERB 6 amod\nNow ADV 0 root",
        # What stands before the comma hangs on the nominal: it is a subject of its own.
        "Angry ADJ 3 amod\n_, PUNCT 3 punct\nAnn PROPN 4 nsubj\nsaid VERB 0 root\nso ADV 4 advmod",
    ],
)
def test_others_hang_as_they_did(rows: str) -> None:
    before = [(t.head, t.rel) for t in tokens_of(rows)]
    tokens = tokens_of(rows)
    hang_reports_on_what_was_said(tokens)
    assert [(t.head, t.rel) for t in tokens] == before
