"""The compressing search on made-up distances: against a direct reading of section 4.1, and its rate control."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.masked.words import split
from rewrite import CompressOptions, Compressor
from rewrite.compression.compression_options import MOST_OVER, Overlap
from rewrite.compression.deleter import ToRatio, goal_of
from rewrite.compression.word_analysis import WordAnalyzer, WordCount, sentences_of, skip_reason
from rewrite.generators.deletion import Path
from rewrite.generators.tidy import tidy
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
            eager = search_to_ratio(0.4, LazyObjective(scattered, lazy=False), overlap=overlap, limit=math.inf)
            assert [path.text for path in lazy] == [path.text for path in eager.run(sentences)]

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


@pytest.mark.parametrize("mark", ["- ", "1. ", "— "])
def test_the_mark_of_a_list_stays(mark: str) -> None:
    sentence = "The company, which was founded in 1998 by two brothers, sold 1,300 cars last year"
    plain, marked = Compressor(CompressOptions(ratio=0.6)).run([sentence, mark + sentence])
    assert plain.text != sentence
    assert marked.text == mark + plain.text
