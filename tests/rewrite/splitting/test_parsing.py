"""Sentences parsed for the splitter: words of one model, trees of another, each text one sentence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rerank.english import EnglishAnalyzer
from rerank.english.trees import Tree, TreeModel
from rewrite.splitting.words import read_words
from tests.rewrite.splitting.marking import analyzer, words_in

LONG = "He came to " + ", ".join(["Rome"] * 90) + ". She was sold."


class Counted(TreeModel):
    """The bundled parser, which keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.asked: list[tuple[str, ...]] = []

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[Tree | None]:
        self.asked += [tuple(words) for words in sentences]
        return super().trees(sentences)


@pytest.fixture(scope="module")
def plain() -> EnglishAnalyzer:
    return EnglishAnalyzer()


def test_two_sentences_are_one_tree(plain: EnglishAnalyzer) -> None:
    text = "He left Rome. She sold the old house."
    words = words_in(text)
    assert sum(word.head < 0 for word in words.words) == 1
    assert len(words) == 10
    assert [one.text for one in analyzer().analyze_one(text).sentences] == [text]
    assert len(plain.analyze_one(text).sentences) == 2


def test_words_and_lemmas_are_the_pipelines_and_the_rest_the_trees(plain: EnglishAnalyzer) -> None:
    text = "The captain of the ship, who was seen, left the city."
    words, tokens = words_in(text), plain.analyze_one(text).tokens
    assert [word.lemma for word in words.words] == [getattr(token, "lemma", "") for token in tokens]
    (tree,) = TreeModel(threads=1).trees([[token.text for token in tokens]])
    assert tree is not None
    assert tuple(word.head for word in words.words) == tree.heads
    assert tuple(word.pos for word in words.words) == tree.pos
    # Subtypes are left out but for relative clauses.
    assert "nsubj:pass" in tree.relations
    assert {word.rel for word in words.words if ":" in word.rel} == {"acl:relcl"}


def test_a_text_that_is_too_long_keeps_the_pipelines_parse_as_one_tree(plain: EnglishAnalyzer) -> None:
    words, own = words_in(LONG), plain.analyze_one(LONG)
    assert [word.pos for word in words.words] == [token.pos for token in own.tokens]
    first, second = own.sentences
    offset = len(first.tokens)
    sold = next(n for n, token in enumerate(second.tokens) if token.head < 0)
    root = next(n for n, token in enumerate(first.tokens) if token.head < 0)
    assert (words[offset + sold].rel, words[offset + sold].head) == ("parataxis", root)
    assert [word.head for word in words.words if word.head < 0] == [-1]


def test_what_was_parsed_is_remembered_and_forgotten() -> None:
    trees = Counted()
    own = EnglishAnalyzer(trees=trees, cache_size=1)
    for texts in (["He left.", "He left."], ["He left."], ["She sold it."], ["He left."]):
        read_words(texts, own)
    assert trees.asked == [("He", "left", "."), ("She", "sold", "it", "."), ("He", "left", ".")]


def test_no_sentences_have_no_parse() -> None:
    assert read_words([], analyzer()) == []
    assert len(words_in("")) == 0


def test_its_signature_names_both_models() -> None:
    assert analyzer().signature.startswith("en_open@1.0.0+trees:bundled@")
