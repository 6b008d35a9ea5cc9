"""The compressing search on made-up distances: against a direct reading of section 4.1, and its rate control."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.masked.words import split
from rewrite.compression.analyzer import WordAnalyzer
from rewrite.compression.choices import MOST_OVER, ToRatio, goal_of
from rewrite.compression.claims import claims
from rewrite.compression.counting import WordCount
from rewrite.compression.options import Overlap
from rewrite.compression.protection import negations, places_of, protection_of
from rewrite.compression.sentences import sentences_of, skip_reason
from rewrite.generators.deletion import Path
from rewrite.generators.spans import Span
from rewrite.generators.tidy import tidy
from tests.english import parsed
from tests.rewrite.compressing import LazyObjective, kept_words, scattered, search_to_ratio, search_under

LETTERS = [chr(code) for code in range(ord("a"), ord("z") + 1)]


def direct(words: list[str], threshold: float, overlap: Overlap, longest: int, rounds: int) -> list[str]:
    """Section 4.1, span by span and pair by pair."""
    for _ in range(rounds):
        spans = {
            (i, j): scattered(words, words[:i] + words[j:])
            for i in range(len(words))
            for j in range(i + 1, min(i + longest, len(words)) + 1)
            if j - i < len(words)
        }
        spans = {span: value for span, value in spans.items() if value <= threshold}
        while clash := next(((a, b) for a in spans for b in rivals(a, spans) if is_best(a, spans, overlap)), None):
            del spans[clash[1]]
        kept = [word for k, word in enumerate(words) if not any(i <= k < j for i, j in spans)]
        assert kept, "the last word stays, which section 4.1 does not say: choose other sentences"
        if not spans:
            return words
        words = kept
    return words


Spans = dict[tuple[int, int], float]


def rivals(span: tuple[int, int], spans: Spans) -> list[tuple[int, int]]:
    return [other for other in spans if other != span and other[0] < span[1] and span[0] < other[1]]


def preference(span: tuple[int, int], spans: Spans, overlap: Overlap) -> float:
    return {"share": spans[span] / (span[1] - span[0]), "lower": spans[span], "higher": -spans[span]}[overlap]


def is_best(span: tuple[int, int], spans: Spans, overlap: Overlap) -> bool:
    """Whether no span that overlaps this one is preferred to it."""
    return all(preference(span, spans, overlap) < preference(other, spans, overlap) for other in rivals(span, spans))


class TestUnderAThreshold:
    @pytest.mark.parametrize("overlap", ["lower", "higher", "share"])
    @pytest.mark.parametrize("threshold", [0.02, 0.1, 0.4])
    def test_it_cuts_what_the_direct_algorithm_cuts(self, overlap: Overlap, threshold: float) -> None:
        sentences = [LETTERS[k : k + 13] for k in range(13)]
        search = search_under(threshold, LazyObjective(scattered), overlap=overlap, rounds=2)
        paths = search.run([" ".join(words) for words in sentences])
        for words, path in zip(sentences, paths, strict=True):
            expected = direct(words, threshold, overlap, longest=3, rounds=2)
            assert [token.word.text for token in split(path.text, "en")] == expected

    def test_all_spans_of_a_round_go_at_once_and_say_when(self) -> None:
        (path,) = search_under(0.3, LazyObjective(scattered)).run([" ".join(LETTERS[:20])])
        assert len(path.stages) > 1
        assert path.stages[-1] == path.text
        assert {cut.round for cut in path.cuts} == set(range(1, len(path.stages) + 1))
        assert sum(cut.round == 1 for cut in path.cuts) > 1
        assert all(-cut.value <= 0.3 for cut in path.cuts)

    def test_a_word_stays_whatever_the_threshold(self) -> None:
        (path,) = search_under(10.0, LazyObjective(scattered)).run(["alpha beta gamma delta"])
        assert kept_words(path) >= 1

    def test_a_threshold_below_all_distances_leaves_the_text_alone(self) -> None:
        (path,) = search_under(-1.0, LazyObjective(scattered)).run(["alpha beta gamma delta"])
        assert path.text == path.source
        assert path.cuts == ()


class TestToARatio:
    @settings(max_examples=60, deadline=None)
    @given(
        ratio=st.floats(0.05, 1.0),
        sizes=st.lists(st.integers(2, 30), min_size=1, max_size=3),
        overlap=st.sampled_from(["share", "lower", "higher"]),
        rounds=st.integers(1, 6),
    )
    def test_no_sentence_is_over_by_more_than_a_tenth(
        self, ratio: float, sizes: list[int], overlap: Overlap, rounds: int
    ) -> None:
        sentences = [" ".join(LETTERS[k % 26] * (1 + k // 26) for k in range(size)) for size in sizes]
        search = search_to_ratio(ratio, LazyObjective(scattered), overlap=overlap, rounds=rounds)
        for path, size in zip(search.run(sentences), sizes, strict=True):
            kept = kept_words(path)
            assert 1 <= kept <= max(1, math.floor((ratio + MOST_OVER) * size + 1e-9))
            assert kept == goal_of(ratio, size)

    @pytest.mark.parametrize("ratio", [0.3, 0.45, 0.7])
    def test_the_mean_of_a_corpus_is_what_was_asked_for(self, ratio: float) -> None:
        sentences = [" ".join(LETTERS[:size]) for size in range(8, 26)]
        paths = search_to_ratio(ratio, LazyObjective(scattered)).run(sentences)
        ratios = [kept_words(path) / len(path.source.split()) for path in paths]
        assert sum(ratios) / len(ratios) == pytest.approx(ratio, abs=0.03)

    def test_distances_told_late_change_nothing(self) -> None:
        sentences = [" ".join(LETTERS[k : k + 14]) for k in range(10)]
        for overlap in ("share", "lower", "higher"):
            lazy = search_to_ratio(0.4, LazyObjective(scattered), overlap=overlap, limit=0.05).run(sentences)
            told = search_to_ratio(0.4, LazyObjective(scattered, lazy=False), overlap=overlap, limit=math.inf)
            assert [path.text for path in lazy] == [path.text for path in told.run(sentences)]

    def test_of_equal_words_the_cheapest_go(self) -> None:
        costs = {"red": 0.1, "old": 0.2, "very": 0.05}

        def priced(before: Sequence[str], after: Sequence[str]) -> float:
            return sum(costs.get(word, 3.0) for word in before) - sum(costs.get(word, 3.0) for word in after)

        (path,) = search_to_ratio(0.5, LazyObjective(priced)).run(["the very old red house stands"])
        assert path.text == "the house stands"

    def test_protected_words_stay_and_the_rest_goes_as_far_as_it_can(self) -> None:
        (path,) = search_to_ratio(0.2, LazyObjective(scattered)).run(["we do not ever go there in no way at all"])
        kept = path.text.split()
        assert {"not", "no"} <= set(kept)
        assert len(kept) == 2

    def test_before_the_last_search_nothing_is_cut_far_beyond_the_goal(self) -> None:
        path = Path("a b c d e f g h i j", "a b c d e f g h i j")
        search = search_to_ratio(0.5, LazyObjective(scattered), last=False)
        search.resume([path])
        choice = search._choose
        assert isinstance(choice, ToRatio)
        assert choice.reached(path, above=0.0)

    def test_what_is_too_far_never_goes_whatever_the_ratio(self) -> None:
        (path,) = search_to_ratio(0.1, LazyObjective(scattered), farthest=0.05).run([" ".join(LETTERS[:20])])
        assert path.cuts
        assert all(-cut.value <= 0.05 for cut in path.cuts)
        (other,) = search_to_ratio(0.1, LazyObjective(scattered)).run([" ".join(LETTERS[:20])])
        assert kept_words(path) > kept_words(other)

    @pytest.mark.parametrize("size", [10, 15, 20, 25])
    def test_the_least_that_must_go_goes(self, size: int) -> None:
        (path,) = search_to_ratio(0.5, LazyObjective(scattered), least=True, rounds=1).run([" ".join(LETTERS[:size])])
        most = math.floor(0.6 * size + 1e-9)
        assert most - 4 <= kept_words(path) <= most  # a span has five words
        (other,) = search_to_ratio(0.5, LazyObjective(scattered), rounds=1).run([" ".join(LETTERS[:size])])
        assert kept_words(other) == goal_of(0.5, size) < most

    @pytest.mark.parametrize(
        ("ratio", "words", "goal"),
        [(0.5, 10, 5), (0.5, 11, 6), (0.5, 3, 1), (0.5, 1, 1), (0.01, 30, 1), (1.0, 7, 7), (0.5, 5, 3), (0.3, 10, 3)],
    )
    def test_the_goal_of_a_sentence(self, ratio: float, words: int, goal: int) -> None:
        assert goal_of(ratio, words) == goal


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
        found = spans_of("The mill (an old one) stands.", "en", longest=6)
        assert "(an old one)" in found
        assert not {"old", "an old"} & set(found)
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


class TestWords:
    @pytest.mark.parametrize(
        ("language", "text", "words"),
        [("en", "He didn't go, did he?", 6), ("zh", "我用iPhone打电话。", 6), ("ru", "Да — нет.", 2), ("en", "?!", 0)],
    )
    def test_a_ratio_counts_words_not_marks(self, language: str, text: str, words: int) -> None:
        assert WordCount(WordAnalyzer(language).analyze_one(text), language).total == words

    def test_a_word_is_gone_with_any_of_its_tokens(self) -> None:
        analysis = WordAnalyzer("en").analyze_one("one two three")
        count = WordCount(analysis, "en")
        assert count.left([]) == 3
        assert count.left([analysis.tokens[0].start]) == 2
        assert count.lost([0, 4], frozenset([0])) == 1

    def test_a_text_is_cut_into_sentences_that_join_again(self) -> None:
        text = " One stands. Two sits!  Three (of four.) "
        layout = sentences_of(text, "en")
        assert layout.sentences == ("One stands.", "Two sits!", "Three (of four.)")
        assert layout.join(layout.sentences) == text
        assert sentences_of("你好。再见！", "zh").sentences == ("你好。", "再见！")
        assert sentences_of("", "en").sentences == ()

    @pytest.mark.parametrize(
        ("text", "reason"),
        [("Hello.", "one word"), ("?!", "no words"), ("a\x07b c", "control characters"), ("a b", "")],
    )
    def test_what_cannot_be_shortened_is_passed_through(self, text: str, reason: str) -> None:
        assert skip_reason(text, "en") == reason


class TestTidyInOtherLanguages:
    @pytest.mark.parametrize(
        ("language", "text", "expected"),
        [
            ("en", "he said “ hello ” , and", "He said “hello”, and."),
            ("en", "mill ( , ) stands , .", "Mill stands."),
            ("en", 'it is "   getting  " and " good ."', 'It is "getting" and "good."'),
            ("en", 'a 5" x 7" print', 'A 5" x 7" print.'),
            ("zh", "调价周期内 ， 沙特下调   原油价格 ，   。", "调价周期内，沙特下调原油价格。"),
            ("zh", "我 用 iPhone 12 打 电话", "我用iPhone 12打电话。"),
            (
                "zh",
                "我 的 iPhone   Max  在   Apple   Inc. of   U.S.A. 买 ， 12   GB  的",
                "我的iPhone Max在Apple Inc. of U.S.A.买，12 GB的。",
            ),
            ("zh", "，世界 、 ， 你好", "世界，你好。"),
            ("other", "¿   vino ayer?", "¿Vino ayer?"),
            ("other", "el mar , , está", "El mar, está."),
        ],
    )
    def test_mends(self, language: str, text: str, expected: str) -> None:
        like = "我去。" if language == "zh" else "The mill."
        assert tidy(text, like=like, language=language) == expected
