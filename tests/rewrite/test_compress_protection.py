"""What the compressing search may not cut: negations, hedges, claims, numbers, names, quotations."""

from __future__ import annotations

import re

import pytest

from rerank.analysis import Analysis
from rerank.masked.words import split
from rewrite.compression.deleter import goal_of
from rewrite.compression.protection import claims, negations, places_of, protection_of
from rewrite.compression.word_analysis import WordAnalyzer
from rewrite.generators.spans import Span
from rewrite.generators.tidy import tidy
from tests.english import parsed


def spans_of(text: str, language: str, *, longest: int = 4, **options: object) -> list[str]:
    """Which runs of up to `longest` tokens may be cut."""
    analysis = WordAnalyzer(language).analyze_one(text)
    protection = protection_of(analysis, language, **options)  # type: ignore[arg-type]
    tokens = analysis.tokens
    runs = [tokens[i:j] for i in range(len(tokens)) for j in range(i + 1, min(i + longest, len(tokens)) + 1)]
    return [
        text[run[0].start : run[-1].stop]
        for run in runs
        if protection.allows(Span(frozenset(t.start for t in run), ""), frozenset())
    ]


class TestProtection:
    @pytest.mark.parametrize(
        ("language", "text", "cue"),
        [
            ("en", "He did not go home.", "not"),
            ("en", "He didn't go home.", "n't"),
            ("en", "They can’t leave without us.", "without"),
            ("en", "We cannot say.", "not"),
            ("en", "It has yet to be seen.", "yet"),
            ("ru", "Пришли все за исключением двоих.", "исключением"),
            ("ru", "Он никогда не видел моря.", "не"),
            ("ru", "Дом стоит без крыши.", "без"),
            ("zh", "我没有去过北京。", "没"),
            ("zh", "他不喜欢喝茶。", "不"),
            ("other", "Er hat keine Zeit gehabt.", "keine"),
            ("other", "El comité no ha tomado decisiones.", "no"),
        ],
    )
    def test_negation_is_never_offered_unless_asked_for(self, language: str, text: str, cue: str) -> None:
        assert not [span for span in spans_of(text, language) if cue in [t.word.text for t in split(span, language)]]
        assert [span for span in spans_of(text, language, cut_negation=True) if cue in span]

    @pytest.mark.parametrize(
        ("language", "text"), [("zh", "这非常好。"), ("zh", "他不仅会唱歌。"), ("en", "A notable knot.")]
    )
    def test_what_only_looks_like_a_negation_is_none(self, language: str, text: str) -> None:
        assert negations(text, language) == []

    @pytest.mark.parametrize(
        ("language", "text", "parts", "whole"),
        [
            ("en", "It cost $5 million last year.", ["$", "5", "million", "$5", "5 million"], "$5 million"),
            ("en", "About 24,000 people came.", [], "24,000"),
            ("ru", "Продано 5 000 домов за год.", ["5", "000"], "5 000"),
            ("ru", "Выросло на 12 % за год.", ["12", "%"], "12 %"),
            ("zh", "我们10月3日出发。", ["10", "月", "3"], "10月3日"),
            ("en", "We met Barack Obama there.", ["Barack", "Obama"], "Barack Obama"),
            ("en", "It is John's old book.", ["John", "'s", "'s old"], "John's"),
            ("en", "The mill (an old one) stands.", ["(", "an old one)", "(an"], ""),
            ("en", "It takes 10 000–20 000 steps.", ["10", "000", "20 000", "10 000–20"], ""),
            ("en", "From 1848 -- 1920 he painted.", ["1848", "1848 --", "1920"], "1848 -- 1920"),
            ("ru", "Влейте 20 ст.л. масла.", ["20", "ст", "ст.л", "л"], ""),
            ("ru", "Уже в 5 ч. люди пришли.", [], "люди"),
            ("en", "Born 8 May 1841 in Prague.", ["8", "May", "1841", "May 1841", "8 May"], "8 May 1841"),
            ("ru", "Тут с 8 века до н. э. жили.", ["8", "века", "8 века", "до", "н", "э", "н. э."], ""),
            ("ru", "В мае, т. е. весной, ушли.", ["т. е.", "весной", "т", "е"], ""),
            ("en", 'He said "yes" to us.', ['"yes', 'yes"', '"'], '"yes"'),
        ],
    )
    def test_some_words_go_only_together(self, language: str, text: str, parts: list[str], whole: str) -> None:
        offered = spans_of(text, language)
        assert not set(offered) & set(parts)
        assert not whole or whole in offered

    @pytest.mark.parametrize(
        ("language", "text", "whole"),
        [
            ("en", "It was built there in May 2010.", "2010"),
            ("en", "On Aug. 19, the law was passed.", "Aug. 19"),
            ("ru", "Дом стоит 5 тыс.", "5 тыс"),
            ("en", "The mill stands there (an old one).", "(an old one)"),
            ("en", "He said “go home”.", "“go home”"),
            ("en", 'We all said "yes".', '"yes"'),
        ],
    )
    def test_what_ends_a_sentence_may_go_without_its_stop(self, language: str, text: str, whole: str) -> None:
        assert whole in spans_of(text, language, longest=6)

    def test_brackets_go_whole_but_for_those_around_all(self) -> None:
        spans = spans_of("The mill (an old one) stands.", "en", longest=6)
        assert "(an old one)" in spans
        assert not {"old", "an old"} & set(spans)
        assert "old" in spans_of("(The old man left the house.)", "en")

    @pytest.mark.parametrize(
        ("text", "removed", "offered"),
        [
            ('He said "go home" to us.', "go", []),  # the last word of a quotation goes only with its marks
            ('He said "go home" to us.', "", ["go", "home"]),
            ("They called () it.", "", []),  # marks with nothing between them hold nothing back
        ],
    )
    def test_no_quotation_is_emptied(self, text: str, removed: str, offered: list[str]) -> None:
        analysis = WordAnalyzer("en").analyze_one(text)
        protection = protection_of(analysis, "en")
        gone = frozenset(t.start for t in analysis.tokens if t.text == removed)
        singles = [t for t in analysis.tokens if t.start not in gone]
        free = [t.text for t in singles if protection.allows(Span(frozenset({t.start}), ""), gone)]
        assert [word for word in free if word in {"go", "home"}] == offered
        assert "it" in free or "us" in free

    @pytest.mark.parametrize(
        ("rows", "alone", "clause"),
        [
            (  # beside the main clause: with all of it
                "He 2 nsubj\nstayed VERB 0 root\nbecause 6 mark\nhe 6 nsubj\nnever 6 advmod\nslept VERB 2 advcl",
                False,
                True,
            ),
            ("He 3 nsubj\nnever 3 advmod\nslept VERB 0 root\nbecause 5 mark\nlate 3 advcl", False, False),
            (  # an exception is one of the main clause
                "He 2 nsubj\nstays VERB 0 root\nunless 5 mark\nthey 5 nsubj\ngo VERB 2 advcl",
                False,
                False,
            ),
        ],
    )
    def test_a_negation_goes_only_with_a_clause_beside_the_main_one(self, rows: str, alone: bool, clause: bool) -> None:
        rows = "\n".join(row if len(row.split()) == 4 else row.replace(" ", " X ", 1) for row in rows.splitlines())
        analysis = parsed(rows)
        protection = protection_of(analysis, "en")
        denying = next(t for t in analysis.tokens if t.text in {"never", "unless"})
        whole = frozenset(t.start for t in analysis.tokens[1:])
        assert protection.allows(Span(frozenset({denying.start}), ""), frozenset()) is alone
        assert protection.allows(Span(whole, ""), frozenset()) is clause

    def test_a_hedge_goes_only_with_what_it_hedges(self) -> None:
        rows = "He X 3 nsubj\nreportedly X 3 advmod\nleft X 0 root\nabout X 5 advmod\nten X 6 nummod\nmen X 3 obj"
        analysis = parsed(rows)
        protection = protection_of(analysis, "en")
        words = {t.text: t.start for t in analysis.tokens}

        def allows(*cut: str) -> bool:
            return protection.allows(Span(frozenset(words[word] for word in cut), ""), frozenset())

        assert not allows("reportedly")
        assert not allows("about")
        assert allows("about", "ten", "men")
        assert not protection_of(analysis, "en", cut_negation=True).with_head

    @pytest.mark.parametrize("word", ["alleged", "suspected", "possible", "attempted"])
    def test_an_adjective_that_hedges_stays_with_its_noun(self, word: str) -> None:
        analysis = parsed(f"They X 2 nsubj\nheld X 0 root\nan X 5 det\n{word} ADJ 5 amod\nthief X 2 obj")
        hedge = frozenset({analysis.tokens[3].start})
        assert not protection_of(analysis, "en").allows(Span(hedge, ""), frozenset())
        phrase = hedge | {analysis.tokens[2].start, analysis.tokens[4].start}
        assert protection_of(analysis, "en").allows(Span(phrase, ""), frozenset())

    @pytest.mark.parametrize(
        ("text", "remark"),
        [
            ("The driver was, the prosecutor claimed, drunk and very angry.", "the prosecutor claimed"),
            ("The minister took money from a firm, the opposition alleges.", "the opposition alleges."),
            ("Водитель, как утверждает прокурор, был пьян и очень зол.", "как утверждает прокурор"),
            ("He ran a shop, and claimed that it did well for years.", ""),
            ("The prosecutor claimed that the driver was drunk.", ""),
            ("Claims, he said.", ""),
        ],
    )
    def test_a_remark_that_somebody_claims_it_stays(self, text: str, remark: str) -> None:
        assert [text[start:stop].strip() for start, stop in claims(text)] == ([remark] if remark else [])
        language = "ru" if "как" in text else "en"
        fixed = protection_of(WordAnalyzer(language).analyze_one(text), language).fixed
        words = [match.start() for match in re.finditer(r"\w+", text) if match[0] in remark.split()]
        assert set(words) <= fixed

    def test_the_marks_at_the_end_stay_when_what_is_before_them_goes(self) -> None:
        analysis = WordAnalyzer("en").analyze_one("He saw “The Mill.”")
        protection = protection_of(analysis, "en")
        span = Span(frozenset(t.start for t in analysis.tokens if t.text not in {"He", "saw"}), "")
        spared = protection.without_ending(span)
        assert {t.text for t in analysis.tokens if t.start in spared.starts} == {"“", "The", "Mill", "”"}
        assert protection.allows(spared, frozenset())
        assert not protection.allows(span, frozenset())

    def test_a_capital_at_the_start_makes_no_name_of_what_is_none(self) -> None:
        rows = "{} 4 advmod\nIsraeli ADJ 3 amod\nshells NOUN 4 nsubj\nfell VERB 0 root"
        assert protection_of(parsed(rows.format("Yesterday ADV")), "en").wholes == ()
        assert protection_of(parsed(rows.format("Northern PROPN")), "en").wholes == (frozenset({0, 9}),)

    def test_names_can_be_kept(self) -> None:
        text = "We met Barack Obama there."
        assert not [span for span in spans_of(text, "en", keep_entities=True) if "Obama" in span]

    def test_kept_words_may_be_several_and_in_any_case(self) -> None:
        text = "The New York mill stands."
        assert not [span for span in spans_of(text, "en", keep=["new york"]) if "York" in span]
        assert places_of("mill", text, "en") == [(13, 17)]
        assert places_of("mil", text, "en") == []
        assert places_of("原油", "我国计划释放储备原油", "zh") == [(8, 10)]

    def test_the_final_stop_is_never_offered(self) -> None:
        assert not [span for span in spans_of("Is it true?!", "en") if span.endswith(("?", "!"))]


# A denial is cut with a whole clause that has a verb, or not at all; numbers go with what they count.
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
