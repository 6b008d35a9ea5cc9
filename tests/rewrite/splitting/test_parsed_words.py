"""A sentence as the splitter sees it: its words and tree, what ends it, and text put together from its words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rerank.english import EnglishAnalyzer
from rerank.english.trees import Parse, TreeModel
from rewrite.splitting.parsed_words import Words, read_words
from tests.english import bundled, tokens_of
from tests.rewrite.splitting.marking import analyzer, number, words_in


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


LONG = "He came to " + ", ".join(["Rome"] * 90) + ". She was sold."


class Counted(TreeModel):
    """The bundled parser, which keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.asked: list[tuple[str, ...]] = []

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[Parse | None]:
        self.asked += [tuple(words) for words in sentences]
        return super().trees(sentences)


@pytest.fixture(scope="module")
def plain() -> EnglishAnalyzer:
    return bundled()


def test_two_sentences_are_one_tree(plain: EnglishAnalyzer) -> None:
    text = "He left Rome. She sold the old house."
    words = words_in(text)
    assert sum(word.head < 0 for word in words.tokens) == 1
    assert len(words) == 10
    assert [sentence.text for sentence in analyzer().analyze_one(text).sentences] == [text]
    assert len(plain.analyze_one(text).sentences) == 2


def test_words_and_lemmas_are_the_pipelines_and_the_rest_the_trees(plain: EnglishAnalyzer) -> None:
    text = "The captain of the ship, who was seen, left the city."
    words, tokens = words_in(text), plain.analyze_one(text).tokens
    assert [word.lemma for word in words.tokens] == [getattr(token, "lemma", "") for token in tokens]
    (tree,) = TreeModel(threads=1).trees([[token.text for token in tokens]])
    assert tree is not None
    assert tuple(word.head for word in words.tokens) == tree.heads
    assert tuple(word.pos for word in words.tokens) == tree.pos
    # Subtypes are left out but for relative clauses.
    assert "nsubj:pass" in tree.relations
    assert {word.rel for word in words.tokens if ":" in word.rel} == {"acl:relcl"}


def test_a_text_that_is_too_long_keeps_the_pipelines_parse_as_one_tree(plain: EnglishAnalyzer) -> None:
    words, analysis = words_in(LONG), plain.analyze_one(LONG)
    assert [word.pos for word in words.tokens] == [token.pos for token in analysis.tokens]
    first, second = analysis.sentences
    offset = len(first.tokens)
    sold = next(n for n, token in enumerate(second.tokens) if token.head < 0)
    root = next(n for n, token in enumerate(first.tokens) if token.head < 0)
    assert (words[offset + sold].rel, words[offset + sold].head) == ("parataxis", root)
    assert [word.head for word in words.tokens if word.head < 0] == [-1]


def test_what_was_parsed_is_remembered_and_forgotten() -> None:
    trees = Counted()
    remembering = EnglishAnalyzer(trees=trees, cache_size=1)
    for texts in (["He left.", "He left."], ["He left."], ["She sold it."], ["He left."]):
        read_words(texts, remembering)
    assert trees.asked == [("He", "left", "."), ("She", "sold", "it", "."), ("He", "left", ".")]


def test_no_sentences_have_no_parse() -> None:
    assert read_words([], analyzer()) == []
    assert len(words_in("")) == 0


def test_its_signature_names_both_models() -> None:
    assert analyzer().signature.startswith("en_open@1.0.0+trees:bundled@")
