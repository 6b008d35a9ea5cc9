"""What goes only together in an English sentence: spans that part it are not offered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from rerank.analysis import Analysis
from rewrite.generators.needed_en import ENGLISH
from rewrite.generators.spans import adjacent_words
from rewrite.generators.ties import ARGUMENTS, Rule, tied
from tests.english import parsed

WORDS = partial(adjacent_words, longest=12)
SOLD = """
He PRON 2 nsubj
left VERB 0 root Tense=Past
when ADV 5 advmod
prices NOUN 5 nsubj
rose VERB 2 advcl Tense=Past
_. PUNCT 2 punct
"""
PRESS = """
To PART 2 mark
copy VERB 5 advcl VerbForm=Inf
text NOUN 2 obj
_, PUNCT 2 punct
press VERB 0 root
the DET 7 det
key NOUN 5 obj
_. PUNCT 5 punct
"""
SENT = """
They PRON 2 nsubj
sent VERB 0 root
food NOUN 2 obj
_, PUNCT 5 punct
tents NOUN 3 conj
and CCONJ 8 cc
clean ADJ 8 amod
water NOUN 3 conj
_. PUNCT 2 punct
"""
LOT = """
A DET 2 det
lot NOUN 7 nsubj
of ADP 5 case
rich ADJ 5 amod
people NOUN 2 nmod
never ADV 7 advmod
give VERB 0 root
money NOUN 7 obj
to ADP 10 case
schools NOUN 7 obl
_. PUNCT 7 punct
"""


def offered(analysis: Analysis, *rules: Rule, gone: str = "") -> set[str]:
    removed = frozenset(token.start for token in analysis.tokens if token.text == gone)
    return {span.text for span in tied(WORDS, *rules, ties=ENGLISH)(analysis, removed)}


class TestClauses:
    def test_neither_the_conjunction_nor_the_subject_goes_alone_nor_stays_alone(self) -> None:
        found = offered(parsed(SOLD), *ENGLISH.grammar)
        assert "when prices rose" in found
        assert not {"when", "prices", "prices rose", "rose", "when prices"} & found

    def test_what_is_gone_ties_nothing(self) -> None:
        # *rose* is gone, so nothing ties *when* to it any more; what follows it still does.
        assert "when prices" in offered(parsed(SOLD), *ENGLISH.grammar, gone="rose")


class TestConditions:
    def test_a_purpose_before_an_order_stays_with_it(self) -> None:
        assert "To copy text ," in offered(parsed(PRESS), *ENGLISH.grammar)
        assert "To copy text ," not in offered(parsed(PRESS), *ENGLISH.grammar, *ENGLISH.conditions)

    def test_one_before_a_statement_may_go(self) -> None:
        rows = PRESS.replace("press VERB 0 root", "Tom PROPN 6 nsubj\npressed VERB 0 root").replace(" 5 ", " 6 ")
        rows = rows.replace("the DET 7", "the DET 8").replace("key NOUN 5", "key NOUN 6")
        assert "To copy text ," in offered(parsed(rows), *ENGLISH.conditions)

    @pytest.mark.parametrize(
        ("word", "tense", "goes"), [("when", "Past", True), ("when", "Pres", False), ("if", "Past", False)]
    )
    def test_when_is_one_with_a_verb_in_the_present(self, word: str, tense: str, goes: bool) -> None:
        rows = SOLD.replace("when ADV 5 advmod", f"{word} SCONJ 5 mark")
        analysis = parsed(rows.replace("advcl Tense=Past", f"advcl Tense={tense}"))
        assert (f"{word} prices rose" in offered(analysis, *ENGLISH.conditions)) is goes

    def test_so_is_a_verb_before_its_subject(self) -> None:
        analysis = parsed(
            "Had AUX 3 aux\nhe PRON 3 nsubj\nknown VERB 6 advcl Tense=Past\n_, PUNCT 3 punct\nhe PRON 6 nsubj\n"
            "left VERB 0 root"
        )
        assert "Had he known ," in offered(analysis, *ENGLISH.grammar)
        assert "Had he known ," not in offered(analysis, *ENGLISH.conditions)


class TestCoordinations:
    def test_the_first_part_and_one_in_the_middle_go_with_the_last_alone(self) -> None:
        found = offered(parsed(SENT), *ENGLISH.grammar)
        assert {", tents and clean water", "clean"} <= found
        assert not {"food ,", "food , tents", ", tents", "tents"} & found

    def test_what_stands_right_before_and_goes_with_it_alone(self) -> None:
        rows = "They PRON 2 nsubj\nsent VERB 0 root\ntea NOUN 2 obj\nfrom ADP 5 case\nChina PROPN 3 nmod\n"
        analysis = parsed(rows + "and CCONJ 7 cc\nIndia PROPN 3 conj\n_. PUNCT 2 punct")
        assert "from China" not in offered(analysis, *ENGLISH.grammar)

    @pytest.mark.parametrize("link", ["or", "nor"])
    def test_of_two_that_exclude_each_other_neither_goes(self, link: str) -> None:
        rows = SENT.replace("and CCONJ", f"{link} CCONJ")
        assert f", tents {link} clean water" not in offered(parsed(rows), *ENGLISH.grammar)

    @pytest.mark.parametrize(("pos", "goes"), [("NOUN", False), ("ADJ", True)])
    def test_two_adjectives_keep_the_noun_that_they_share(self, pos: str, goes: bool) -> None:
        rows = (
            f"He PRON 2 nsubj\ngot VERB 0 root\nlegal ADJ 2 obj\nand CCONJ 6 cc\ncivil ADJ 6 amod\npowers {pos} 3 conj"
        )
        assert ("and civil powers" in offered(parsed(rows), *ENGLISH.grammar)) is goes

    def test_parts_of_a_subject_stay(self) -> None:
        rows = "Ann PROPN 4 nsubj\nand CCONJ 3 cc\nBob PROPN 1 conj\ncame VERB 0 root\n_. PUNCT 4 punct"
        assert "and Bob" not in offered(parsed(rows), *ENGLISH.grammar)


class TestNouns:
    def test_what_there_is_a_lot_of_stays_with_it(self) -> None:
        assert not {"of rich people", "lot", "A lot"} & offered(parsed(LOT), *ENGLISH.grammar)

    @pytest.mark.parametrize("row", ["first ADJ 4 amod NumType=Ord", "other ADJ 4 amod", "best ADJ 4 amod Degree=Sup"])
    def test_a_word_that_says_which_one_goes_with_its_noun_alone(self, row: str) -> None:
        rows = f"He PRON 2 nsubj\nsaw VERB 0 root\n{row}\nhouse NOUN 2 obj\n_. PUNCT 2 punct"
        word = row.split()[0]
        found = offered(parsed(rows), *ENGLISH.grammar)
        assert word not in found
        assert f"{word} house" in found

    def test_what_may_be_a_gerund_keeps_its_object(self) -> None:
        rows = "growing VERB 2 amod\ncactus NOUN 3 nsubj\ntakes VERB 0 root\nlong ADV 3 advmod"
        assert "growing" not in offered(parsed(rows), *ENGLISH.grammar)


class TestVerbs:
    def test_a_verb_does_not_go_without_its_object_but_an_object_may(self) -> None:
        found = offered(parsed(LOT), *ENGLISH.grammar)
        assert "money" in found
        assert not {"give", "never give"} & found
        assert "money" not in offered(parsed(LOT), *ARGUMENTS)

    def test_what_completes_a_verb_stays(self) -> None:
        rows = "It PRON 2 nsubj\nconsists VERB 0 root\nof ADP 4 case\nstone NOUN 2 obl\n_. PUNCT 2 punct"
        assert "of stone" in offered(parsed(rows), *ENGLISH.grammar)
        assert "of stone" not in offered(parsed(rows), *ENGLISH.complements)


def test_a_verb_after_a_nominal_stays_with_it_whatever_the_parse() -> None:
    # The parser took *His order* for the sentence, and *is …* for a clause on it.
    analysis = parsed(
        "His PRON 2 nmod:poss\norder NOUN 0 root\nto PART 4 mark\nleave VERB 2 acl\nRome PROPN 4 obj\n"
        "is AUX 8 cop VerbForm=Fin\nan DET 8 det\nexample NOUN 2 acl:relcl"
    )
    found = offered(analysis)
    assert not {"is an example", "is"} & found
    assert "Rome is an example" in found
    # Nor does all go that stands before it.
    assert "His order to leave Rome" not in found


@pytest.mark.parametrize("relation", ["parataxis", "advcl"])
def test_the_last_verb_that_nothing_subordinates_stays(relation: str) -> None:
    # The parser took the subject for the main word.
    rows = (
        "The DET 2 det\nfirm NOUN 0 root\nwhich PRON 4 nsubj PronType=Rel\nclosed VERB 2 acl:relcl VerbForm=Fin\n"
        f"_, PUNCT 6 punct\nsells VERB 2 {relation} VerbForm=Fin\ncars NOUN 6 obj\n_. PUNCT 2 punct"
    )
    found = offered(parsed(rows))
    assert "which closed" in found
    assert not [text for text in found if "sells" in text]
    whose = rows.replace("cars NOUN 6 obj", "when SCONJ 8 mark\nasked VERB 6 advcl VerbForm=Fin")
    assert "when asked" in offered(parsed(whose))


def test_an_order_needs_no_subject() -> None:
    analysis = parsed("Now ADV 2 advmod\npress VERB 0 root VerbForm=Fin Mood=Imp\nit PRON 2 obj\n_. PUNCT 2 punct")
    assert "Now" in offered(analysis)


@pytest.mark.parametrize("rules", [(), ENGLISH.grammar])
def test_nothing_is_left_to_wait_for_what_went(rules: Sequence[Rule]) -> None:
    found = offered(parsed(LOT), *rules)
    assert "schools" not in found
    assert "to schools" in found


class TestWordsOfTwoKinds:
    def test_a_remark_after_a_negation_is_not_what_it_denies(self) -> None:
        rows = "He PRON 4 nsubj\ndid AUX 4 aux\nnot PART 4 advmod\n"
        plain = parsed(rows + "leave VERB 0 root\nhome ADV 4 advmod")
        assert "leave home" not in offered(plain, *ENGLISH.grammar)
        rows = "He PRON 7 nsubj\ndid AUX 7 aux\nnot PART 7 advmod\n"
        shifted = rows + "_, PUNCT 5 punct\nhowever ADV 7 advmod\n_, PUNCT 5 punct\n"
        assert ", however ," in offered(parsed(shifted + "leave VERB 0 root\nhome ADV 7 advmod"), *ENGLISH.grammar)

    def test_not_very_good_is_not_not_good(self) -> None:
        rows = "It PRON 5 nsubj\nis AUX 5 cop VerbForm=Fin\nnot PART 5 advmod\nvery ADV 5 advmod\ngood ADJ 0 root"
        assert "very" not in offered(parsed(rows), *ENGLISH.grammar)

    @pytest.mark.parametrize(("rel", "goes"), [("obj", True), ("mark", False)])
    def test_that_points_or_opens_a_clause(self, rel: str, goes: bool) -> None:
        rows = f"He PRON 2 nsubj\ndid VERB 0 root\nthat PRON 2 {rel}\nyesterday NOUN 2 obl:unmarked"
        assert ("yesterday" in offered(parsed(rows))) is goes or rel == "mark"
        assert ("that" in offered(parsed(rows), *ENGLISH.grammar)) is goes

    def test_what_is_in_brackets_goes_whatever_hangs_on_it(self) -> None:
        rows = (
            "He PRON 2 nsubj\nleft VERB 0 root\n( PUNCT 4 punct\n_who PRON 5 nsubj PronType=Rel\n"
            "knows VERB 2 acl VerbForm=Fin\n_) PUNCT 4 punct\nRome PROPN 2 obj"
        )
        assert "( who knows )" in offered(parsed(rows), *ENGLISH.grammar)


class TestRelativeClauses:
    @pytest.mark.parametrize("opener", ["where", "when"])
    def test_one_in_the_present_is_no_condition(self, opener: str) -> None:
        rows = (
            f"Rome PROPN 7 nsubj\n_, PUNCT 5 punct\n{opener} ADV 5 advmod PronType=Rel\nhe PRON 5 nsubj\n"
            "lives VERB 1 acl:relcl Tense=Pres VerbForm=Fin\n_, PUNCT 5 punct\ngrows VERB 0 root VerbForm=Fin"
        )
        assert f", {opener} he lives ," in offered(parsed(rows), *ENGLISH.grammar, *ENGLISH.conditions)


def test_heads_in_a_cycle_are_survived() -> None:
    analysis = parsed("one NOUN 2 nmod\ntwo NOUN 1 nmod\nthree NOUN 0 root")
    assert "three" in offered(analysis, *ENGLISH.grammar, *ENGLISH.complements)


class TestWhatIsDenied:
    ROWS = (
        "They PRON 4 nsubj\ndid AUX 4 aux\n_n't PART 4 advmod\nhave VERB 0 root\nred ADJ 6 amod\nbags NOUN 4 obj\n"
        "in ADP 8 case\nstock NOUN 4 obl\n{}now ADV 4 advmod\n_. PUNCT 4 punct"
    )

    def test_it_is_denied_with_all_that_follows(self) -> None:
        found = offered(parsed(self.ROWS.format("_, PUNCT 10 punct\n")), *ENGLISH.conditions)
        assert not {"red", "in stock"} & found
        # What a mark sets off stands outside.
        assert "now" in found
        assert "now" not in offered(parsed(self.ROWS.format("")), *ENGLISH.conditions)
        deep = self.ROWS.format("near ADP 10 case\nRome PROPN 8 nmod\n").replace("now ADV 4 advmod\n", "")
        assert "near Rome" not in offered(parsed(deep), *ENGLISH.conditions)
        assert "near Rome" in offered(parsed(deep))

    def test_without_a_denial_all_of_it_may_go(self) -> None:
        nothing = "It PRON 2 nsubj\nhas VERB 0 root\nno DET 4 det\neffect NOUN 2 obj\non ADP 6 case\nmen NOUN 4 nmod"
        assert "on men" not in offered(parsed(nothing), *ENGLISH.conditions)
        rows = self.ROWS.format("").replace("_n't PART", "still ADV")
        assert {"red", "in stock", "now"} <= offered(parsed(rows), *ENGLISH.conditions)


def test_an_article_is_not_left_without_its_noun() -> None:
    rows = "A DET 2 det\nsilver NOUN 3 nsubj\njoins VERB 0 root\nthe DET 6 det\nred ADJ 6 amod\nswarm NOUN 3 obj"
    found = offered(parsed(rows))
    assert not {"silver", "red swarm", "swarm"} & found
    assert {"red", "the red swarm"} <= found


def test_a_pronoun_keeps_a_noun_before_it() -> None:
    plan = (
        "When ADV 4 advmod\nthe DET 3 det\nplan NOUN 4 nsubj\npassed VERB 7 advcl Tense=Past\n_, PUNCT 4 punct\n"
        "{} 7 nsubj\ndied VERB 0 root\n_. PUNCT 7 punct"
    )
    assert "When the plan passed ," not in offered(parsed(plan.format("it PRON")))
    assert "When the plan passed ," in offered(parsed(plan.format("Tom PROPN")))
    # One noun of two is enough.
    found = offered(parsed(f"Rome PROPN 8 obl\n_, PUNCT 8 punct\n{plan.format('it PRON')}".replace("_. ", "x ")))
    assert "When the plan passed ," in found


@pytest.mark.parametrize(
    ("word", "goes"), [("only ADV 2 advmod", False), ("all DET 2 det", False), ("the DET 2 det", True)]
)
def test_which_ones_all_are_stays_with_them(word: str, goes: bool) -> None:
    rows = f"{word}\nmen NOUN 5 nsubj\nwho PRON 4 nsubj PronType=Rel\nsmoke VERB 2 acl:relcl\nmay VERB 0 root"
    assert ("who smoke" in offered(parsed(rows), *ENGLISH.conditions)) is goes
