"""A sentence as the splitter sees it: what ends it, how its marks stand, and text put together from its words."""

from __future__ import annotations

import pytest

from rewrite.splitting.words import Words
from tests.english import tokens_of
from tests.rewrite.splitting.marking import number, words_in


class TestStyle:
    @pytest.mark.parametrize(
        "text", ["He left , and she stayed .", "It was n't there yet", "The dog 's tail is long", "Who left ?"]
    )
    def test_marks_apart_tell_a_tokenised_text(self, text: str) -> None:
        assert words_in(text).apart

    @pytest.mark.parametrize(
        "text", ["He left, and she stayed.", "It wasn't there.", "They left at 5 .30 or so.", "He has .5 percent left"]
    )
    def test_ordinary_text_has_them_on_words(self, text: str) -> None:
        assert not words_in(text).apart


class TestEnd:
    @pytest.mark.parametrize(
        ("text", "last"),
        [
            ("He left.", "left"),
            ("He left .", "left"),
            ("He left", "left"),
            ("Has he really left?!", "left"),
            ("He left...", "left"),
            ("He left (in May).", ")"),
            ("He works for Acme Inc.", "Inc."),
        ],
    )
    def test_marks_at_the_end_are_not_in_the_sentence(self, text: str, last: str) -> None:
        words = words_in(text)
        assert words[words.end - 1].text == last

    def test_a_text_of_marks_alone_has_no_words_before_its_end(self) -> None:
        assert words_in("...!").end == 0


class TestJoin:
    @pytest.mark.parametrize(
        "text",
        [
            "He didn't see Tom's (old) car, did he?",
            "He did n't see Tom 's ( old ) car , did he ?",
            "“No,” said the boy — “not $5.50!”",
        ],
    )
    def test_all_words_give_the_text_again(self, text: str) -> None:
        words = words_in(text)
        assert words.join(range(len(words))) == text

    def test_words_that_were_apart_get_a_space_and_marks_none(self) -> None:
        words = words_in("The dog, which barked, ran home.")
        before, after = number(words, "barked"), number(words, "home")
        assert words.join([0, 1, after]) == "The dog home"
        assert words.join([0, 1, after, len(words) - 1, before]) == "The dog home. barked"

    def test_tokenised_text_keeps_its_marks_apart(self) -> None:
        words = words_in("The dog , which barked , ran home .")
        assert words.join([0, 1, len(words) - 1]) == "The dog ."

    def test_a_bracket_is_not_set_apart_from_what_it_holds(self) -> None:
        words = words_in("The dog (big and loud) ran home.")
        assert words.join([1, number(words, "("), number(words, "loud"), number(words, ")")]) == "dog (loud)"

    def test_line_breaks_become_spaces(self) -> None:
        words = words_in("He left\n   and she stayed.")
        assert words.join(range(4)) == "He left and she"


class TestParse:
    def test_a_words_place_lemma_and_features(self) -> None:
        words = Words(
            "He left.", tokens_of("He PRON 2 nsubj\nleft VERB 0 root Lemma=leave Tense=Past\n_. PUNCT 2 punct")
        )
        left = words[1]
        assert words.text[left.start : left.stop] == "left"
        assert (left.lemma, left.feature("Tense"), left.feature("Mood")) == ("leave", "Past", "")
        assert [words[n].text for n in words.children[1]] == ["He", "."]

    @pytest.mark.parametrize(("text", "is_mark"), [(",", True), ("—", True), ("5", False), ("'s", False), ("ä", False)])
    def test_a_mark_has_no_letter_and_no_digit(self, text: str, is_mark: bool) -> None:
        assert tokens_of(f"{text} X 0 root")[0].is_mark is is_mark
