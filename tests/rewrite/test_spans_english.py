"""Subtrees as spans: all of them, as the NDD paper has it, and those that an English clause can spare."""

from __future__ import annotations

from functools import partial

import pytest

from rerank.analysis import LAYERS, Analysis, Analyzer
from rewrite.generators.spans import FUNCTION_RELATIONS, SpanFinder, every_subtree, text_without, whole_phrases
from rewrite.generators.spans_en import english_subtrees
from rewrite.generators.tidy import tidy
from tests.english import parsed

TEAM = """
This DET 2 det
year NOUN 7 obl:unmarked
_, PUNCT 2 punct
the DET 6 det
young ADJ 6 amod Degree=Pos
team NOUN 7 nsubj
won VERB 0 root
the DET 9 det
cup NOUN 7 obj
in ADP 11 case
Rome PROPN 7 obl
_. PUNCT 7 punct
"""
CRASH = """
The DET 2 det
crash NOUN 8 nsubj:pass
_, PUNCT 5 punct
which PRON 5 nsubj PronType=Rel
happened VERB 2 acl:relcl
_, PUNCT 5 punct
was AUX 8 aux:pass
caused VERB 0 root
by ADP 10 case
wind NOUN 8 obl:agent
_. PUNCT 8 punct
"""


def texts(analysis: Analysis, spans: SpanFinder, removed: frozenset[int] = frozenset()) -> list[str]:
    """What each of the spans leaves."""
    return [
        tidy(text_without(analysis, removed | span.starts), like=analysis.text) for span in spans(analysis, removed)
    ]


class TestEverySubtree:
    def test_each_subtree_below_the_root_is_a_span_with_its_comma(self) -> None:
        assert sorted(span.text for span in every_subtree(parsed(TEAM), frozenset())) == [
            "This",
            "This year ,",
            "in",
            "in Rome",
            "the",
            "the",
            "the cup",
            "the young team",
            "young",
        ]

    def test_the_root_never_goes_however_long_spans_may_be(self) -> None:
        analysis = parsed(TEAM)
        root = analysis.text.index("won")
        assert all(root not in span.starts for span in every_subtree(analysis, frozenset(), longest=99))

    def test_words_are_counted_without_punctuation(self) -> None:
        spans = every_subtree(parsed(TEAM), frozenset(), longest=2)
        assert "This year ," in {span.text for span in spans}
        assert "the young team" not in {span.text for span in spans}

    def test_two_commas_go_with_the_clause_they_set_off(self) -> None:
        assert "The crash was caused by wind." in texts(parsed(CRASH), every_subtree)

    def test_function_words_can_be_kept_from_going_alone(self) -> None:
        kept = partial(every_subtree, kept=FUNCTION_RELATIONS)
        found = {span.text for span in kept(parsed(TEAM), frozenset())}
        assert "in" not in found
        assert "in Rome" in found

    def test_what_is_gone_is_no_part_of_a_span(self) -> None:
        analysis = parsed(TEAM)
        gone = frozenset({analysis.text.index("young")})
        spans = {span.text for span in every_subtree(analysis, gone)}
        assert "the team" in spans
        assert "young" not in spans

    def test_a_subtree_with_a_gap_is_none(self) -> None:
        # *A hearing is scheduled on the issue*: the subtree of *hearing* has a hole.
        analysis = parsed(
            "A DET 2 det\nhearing NOUN 4 nsubj:pass\nis AUX 4 aux:pass\nscheduled VERB 0 root\n"
            "on ADP 7 case\nthe DET 7 det\nissue NOUN 2 nmod"
        )
        assert {span.text for span in every_subtree(analysis, frozenset())} == {"A", "is", "on", "the", "on the issue"}

    def test_nothing_is_cut_out_of_a_written_word(self) -> None:
        analysis = parsed(
            "He PRON 4 nsubj\ndid AUX 4 aux\n_n't PART 4 advmod\nbuy VERB 0 root\n"
            "well ADV 7 advmod\n_- PUNCT 5 punct\n_made VERB 8 amod\nshoes NOUN 4 obj"
        )
        found = {span.text for span in every_subtree(analysis, frozenset())}
        assert found == {"He", "well - made", "well - made shoes"}

    def test_brackets_go_with_all_that_is_in_them(self) -> None:
        analysis = parsed(
            "The DET 2 det\nunion NOUN 6 nsubj\n( PUNCT 4 punct\n_EU PROPN 2 appos\n"
            "_) PUNCT 4 punct\nagreed VERB 0 root"
        )
        assert "The union agreed" in texts(analysis, every_subtree)

    def test_one_of_two_adjectives_takes_their_comma_along(self) -> None:
        analysis = parsed(
            "A DET 5 det\nred ADJ 5 amod\n_, PUNCT 4 punct\nfast ADJ 5 amod\ncar NOUN 6 nsubj\nstopped VERB 0 root"
        )
        found = texts(analysis, every_subtree)
        assert "A fast car stopped" in found
        assert "A red car stopped" in found

    def test_a_comma_that_closes_a_lead_stays(self) -> None:
        analysis = parsed(
            "After ADP 2 case\nlunch NOUN 7 obl\n_, PUNCT 2 punct\nhowever ADV 7 advmod\n_, PUNCT 4 punct\n"
            "they PRON 7 nsubj\nleft VERB 0 root"
        )
        assert "After lunch, they left" in texts(analysis, every_subtree)

    def test_every_sentence_has_spans_of_its_own(self) -> None:
        analysis = parsed(TEAM, CRASH)
        assert len(every_subtree(analysis, frozenset())) == sum(
            len(every_subtree(parsed(rows), frozenset())) for rows in (TEAM, CRASH)
        )

    def test_cycles_among_the_heads_are_survived(self) -> None:
        analysis = parsed("one NOUN 2 conj\ntwo NOUN 1 conj\nthree NOUN 3 root")
        assert isinstance(every_subtree(analysis, frozenset()), list)

    def test_russian_parses_have_subtrees_too(self, analyzer: Analyzer) -> None:
        (analysis,) = analyzer.analyze(["Вчера молодая команда выиграла кубок в Риме."], LAYERS)
        found = texts(analysis, every_subtree)
        assert "Молодая команда выиграла кубок в Риме." in found
        assert "Вчера молодая команда выиграла кубок." in found


class TestWholePhrases:
    def test_function_words_go_with_what_they_belong_to(self) -> None:
        found = {span.text for span in whole_phrases(parsed(TEAM), frozenset(), longest=4)}
        assert {"in Rome", "young", "the cup", "the cup in Rome", "This year"} <= found
        assert not found & {"in", "Rome", "the", "cup", "cup in Rome", "This", "year"}

    def test_the_predicate_and_its_subject_stay(self) -> None:
        found = whole_phrases(parsed(TEAM), frozenset(), longest=11)
        assert not [span.text for span in found if {"team", "won"} & set(span.text.split())]

    def test_what_is_gone_binds_nothing(self) -> None:
        analysis = parsed(TEAM)
        the = frozenset({analysis.tokens[7].start})
        assert "cup" in {span.text for span in whole_phrases(analysis, the, longest=1)}
        assert "cup" not in {span.text for span in whole_phrases(analysis, frozenset(), longest=1)}


class TestEnglishSubtrees:
    def test_subject_object_and_function_words_stay(self) -> None:
        assert {span.text for span in english_subtrees(parsed(TEAM), frozenset())} == {
            "This year ,",
            "young",
            "in Rome",
        }

    def test_no_more_than_so_many_words_go_at_once_where_asked(self) -> None:
        short = partial(english_subtrees, longest=1)
        assert {span.text for span in short(parsed(TEAM), frozenset())} == {"young"}

    def test_enough_words_are_left(self) -> None:
        left = partial(english_subtrees, shortest_rest=9)
        assert {span.text for span in left(parsed(TEAM), frozenset())} == {"young"}

    @pytest.mark.parametrize(
        ("rows", "word"),
        [
            (
                (
                    "She PRON 4 nsubj\ndid AUX 4 aux\nnot PART 4 advmod\nsell VERB 0 root\n"
                    "old ADJ 6 amod\ncars NOUN 4 obj"
                ),
                "not",
            ),
            (
                (
                    "We PRON 3 nsubj\nhardly ADV 3 advmod\nsaw VERB 0 root\nthe DET 5 det\n"
                    "sea NOUN 3 obj\nthere ADV 3 advmod"
                ),
                "hardly",
            ),
            ("He PRON 2 nsubj\nlives VERB 0 root\nin ADP 4 case\nParis PROPN 2 obl\n_. PUNCT 2 punct", "Paris"),
            ("It PRON 2 nsubj\ndepends VERB 0 root\non ADP 5 case\nthe DET 5 det\nweather NOUN 2 obl", "weather"),
            (
                "They PRON 2 nsubj\nsaw VERB 0 root\nthe DET 4 det\nend NOUN 2 obj\n"
                "of ADP 7 case\nthe DET 7 det\nwar NOUN 4 nmod",
                "war",
            ),
            (
                ("The DET 3 det\nfirst ADJ 3 amod\nman NOUN 4 nsubj\nleft VERB 0 root\nthe DET 6 det\nroom NOUN 4 obj"),
                "first",
            ),
            (
                "Those PRON 5 nsubj\nwho PRON 3 nsubj\nwait VERB 1 acl:relcl\ncan AUX 5 aux\n"
                "win VERB 0 root\na DET 7 det\nprize NOUN 5 obj",
                "wait",
            ),
            (
                "Come VERB 0 root\nhome NOUN 1 obj\nnow ADV 1 advmod\nif SCONJ 6 mark\n"
                "you PRON 6 nsubj\ncan AUX 1 advcl",
                "can",
            ),
        ],
    )
    def test_what_the_rest_needs_stays(self, rows: str, word: str) -> None:
        analysis = parsed(rows)
        assert not [s.text for s in english_subtrees(analysis, frozenset(), shortest_rest=1) if s.text.endswith(word)]

    def test_a_name_is_not_cut(self) -> None:
        rows = (
            "The DET 4 det\nold ADJ 4 amod\ntown NOUN 4 compound\nhall NOUN 5 nsubj\n"
            "stands VERB 0 root\nempty ADJ 5 xcomp"
        )
        assert [s.text for s in english_subtrees(parsed(rows), frozenset())] == ["old"]
        assert english_subtrees(parsed(rows, names=("old town hall",)), frozenset()) == []

    def test_the_last_of_a_list_takes_the_middle_along(self) -> None:
        analysis = parsed(
            "He PRON 2 nsubj\nsold VERB 0 root\npears NOUN 2 obj\n_, PUNCT 5 punct\n"
            "plums NOUN 3 conj\n_, PUNCT 8 punct\n"
            "and CCONJ 8 cc\nnuts NOUN 3 conj\nthere ADV 2 advmod"
        )
        assert texts(analysis, english_subtrees) == ["He sold pears, and nuts there", "He sold pears there"]

    def test_nothing_goes_out_of_a_quotation(self) -> None:
        analysis = parsed(
            'He PRON 2 nsubj\nsaid VERB 0 root\n" PUNCT 5 punct\n_we PRON 5 nsubj\nlost VERB 2 ccomp\nthe DET 8 det\n'
            'big ADJ 8 amod\ncup NOUN 5 obj\n_" PUNCT 5 punct\nyesterday NOUN 2 obl:unmarked'
        )
        assert [s.text for s in english_subtrees(analysis, frozenset())] == ["yesterday"]

    @pytest.mark.parametrize(
        ("rows", "asides"),
        [
            (CRASH, [", which happened ,"]),
            (TEAM, ["This year ,"]),
            (  # a clause with a subject of its own, with its conjunction
                "He PRON 2 nsubj\nsang VERB 0 root\n_, PUNCT 6 punct\nand CCONJ 6 cc\nshe PRON 6 nsubj\n"
                "left VERB 2 conj\nearly ADV 6 advmod\n_. PUNCT 2 punct",
                [", and she left early"],
            ),
            (  # without one it says what he did
                "He PRON 2 nsubj\nsang VERB 0 root\n_, PUNCT 5 punct\nand CCONJ 5 cc\nleft VERB 2 conj\n"
                "early ADV 5 advmod\n_. PUNCT 2 punct",
                [],
            ),
            (  # a condition
                "He PRON 2 nsubj\nsings VERB 0 root\n_, PUNCT 6 punct\nif SCONJ 6 mark\nshe PRON 6 nsubj\n"
                "asks VERB 2 advcl\n_. PUNCT 2 punct",
                [],
            ),
            (  # no mark sets it off
                "He PRON 2 nsubj\nsings VERB 0 root\nwhile SCONJ 5 mark\nshe PRON 5 nsubj\n"
                "sleeps VERB 2 advcl\n_. PUNCT 2 punct",
                [],
            ),
        ],
    )
    def test_asides(self, rows: str, asides: list[str]) -> None:
        found = english_subtrees(parsed(rows), frozenset(), shortest_rest=1, asides=True)
        assert [span.text for span in found] == asides

    def test_an_empty_text_has_no_spans(self) -> None:
        assert english_subtrees(Analysis("", []), frozenset()) == every_subtree(Analysis("", []), frozenset()) == []


def test_what_is_called_a_second_part_before_its_head_goes_with_both_commas() -> None:
    rows = "Men NOUN 5 nsubj\n_, PUNCT 3 punct\nold ADJ 5 conj\n_, PUNCT 3 punct\ncame VERB 0 root\n_. PUNCT 5 punct"
    assert ", old ," in {span.text for span in every_subtree(parsed(rows), frozenset())}


# Function words that an English sentence says the same without.
