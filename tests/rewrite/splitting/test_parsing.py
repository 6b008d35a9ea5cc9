"""Sentences parsed for the splitter: words of one model, trees of another, each text one sentence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rerank.english import EnglishAnalyzer, pipeline
from rerank.english.trees import Tree, TreeModel
from rewrite.splitting.parsing import Parser
from rewrite.splitting.words import words_of

LONG = "He came to " + ", ".join(["Rome"] * 90) + "."


class Counted(TreeModel):
    """The bundled parser, which keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.asked: list[tuple[str, ...]] = []

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[Tree | None]:
        self.asked += [tuple(words) for words in sentences]
        return super().trees(sentences)


@pytest.fixture(scope="module")
def analyzer() -> EnglishAnalyzer:
    return EnglishAnalyzer(pipeline.BUNDLED)


def test_two_sentences_are_one_tree(analyzer: EnglishAnalyzer) -> None:
    (words,) = Parser(analyzer).parse(["He left Rome. She sold the old house."])
    assert sum(word.head < 0 for word in words.words) == 1
    assert len(words) == 10


def test_words_and_lemmas_are_the_analyzers_and_the_rest_the_trees(analyzer: EnglishAnalyzer) -> None:
    text = "The captain of the ship left the city."
    before = [(token.pos, token.head, token.rel) for token in analyzer.analyze_one(text).tokens]
    trees = Counted()
    (words,) = Parser(analyzer, trees).parse([text])
    tokens = analyzer.analyze_one(text).tokens
    assert [word.lemma for word in words.words] == [getattr(token, "lemma", "") for token in tokens]
    (tree,) = trees.trees([[token.text for token in tokens]])
    assert tree is not None
    assert tuple(word.head for word in words.words) == tree.heads
    assert tuple(word.pos for word in words.words) == tree.pos
    # The analysis is shared with others.
    assert [(token.pos, token.head, token.rel) for token in tokens] == before


def test_a_sentence_that_is_too_long_keeps_the_analyzers_parse(analyzer: EnglishAnalyzer) -> None:
    (words,) = Parser(analyzer).parse([LONG])
    assert words == words_of(analyzer.analyze_one(LONG))


def test_what_was_parsed_is_remembered_and_forgotten(analyzer: EnglishAnalyzer) -> None:
    trees = Counted()
    parser = Parser(analyzer, trees, remembered=1)
    one, other = "He left.", "She sold it."
    parser.parse([one, one])
    parser.parse([one])
    assert len(trees.asked) == 1
    parser.parse([other])
    parser.parse([one])
    assert trees.asked == [("He", "left", "."), ("She", "sold", "it", "."), ("He", "left", ".")]


def test_no_sentences_have_no_parse(analyzer: EnglishAnalyzer) -> None:
    assert Parser(analyzer).parse([]) == []
    (words,) = Parser(analyzer).parse([""])
    assert len(words) == 0


def test_its_signature_names_both_models(analyzer: EnglishAnalyzer) -> None:
    assert Parser(analyzer).signature.startswith("en_open@1.0.0+trees:bundled@")
