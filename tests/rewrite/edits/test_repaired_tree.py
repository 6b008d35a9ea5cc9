"""Repairs of the parse: on arcs made wrong on purpose, on random arcs, and what real sentences look like after them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.analysis import Sentence, Token
from rewrite.generators.edits.repaired_tree import RepairedTree
from tests.rewrite.edits.conftest import Bench, at


def sentence(*words: tuple[str, str, int, str, dict[str, str]]) -> Sentence:
    """Tokens of (text, part of speech, head, relation, features), one space apart."""
    tokens: list[Token] = []
    start = 0
    for text, pos, head, rel, feats in words:
        token = Token(text, start, start + len(text))
        token.pos, token.head, token.rel, token.feats = pos, head, rel, feats
        tokens.append(token)
        start = token.stop + 1
    return Sentence(0, start - 1, " ".join(t.text for t in tokens), tokens)


def noun(text: str, head: int, rel: str, case: str, **more: str) -> tuple[str, str, int, str, dict[str, str]]:
    return (text, "NOUN", head, rel, {"Case": case, "Number": "Sing", "Gender": "Masc", **more})


FINITE = {"VerbForm": "Fin", "Tense": "Past"}


def test_a_preposition_goes_to_the_noun_after_it() -> None:
    words = [("стоит", "VERB", -1, "root", FINITE), ("на", "ADP", 0, "case", {}), noun("берегу", 0, "obl", "Loc")]
    tree = RepairedTree(sentence(*words))
    assert tree.heads == [-1, 2, 0]
    assert tree.rels[1] == "case"


def test_an_adjective_goes_to_the_noun_that_it_agrees_with() -> None:
    adjective = ("старого", "ADJ", 0, "amod", {"Case": "Gen", "Number": "Sing", "Gender": "Masc"})
    tree = RepairedTree(sentence(noun("стена", -1, "root", "Nom"), adjective, noun("города", 0, "nmod", "Gen")))
    assert tree.heads == [-1, 2, 0]


def test_a_participial_clause_goes_to_the_noun_before_it() -> None:
    participle = ("стоящий", "VERB", 0, "amod", {"Case": "Nom", "Number": "Sing", "Gender": "Masc", "VerbForm": "Part"})
    words = [("вырос", "VERB", -1, "root", FINITE), noun("города", 0, "obl", "Gen"), noun("центр", 0, "nsubj", "Nom")]
    tree = RepairedTree(sentence(*words, (",", "PUNCT", 4, "punct", {}), (*participle[:2], 1, *participle[3:])))
    assert (tree.heads[4], tree.rels[4]) == (2, "acl")


def test_a_noun_after_the_verb_does_not_modify_one_before_it() -> None:
    words = [noun("завод", 1, "nsubj", "Nom"), ("вырос", "VERB", -1, "root", FINITE), noun("осенью", 0, "nmod", "Ins")]
    tree = RepairedTree(sentence(*words))
    assert (tree.heads[2], tree.rels[2]) == (1, "obl")


def test_coordinated_nouns_share_their_case() -> None:
    words = [
        ("увидел", "VERB", -1, "root", FINITE),
        noun("стены", 0, "obj", "Acc"),
        noun("города", 1, "nmod", "Gen"),
        noun("башни", 2, "conj", "Acc"),
    ]
    assert RepairedTree(sentence(*words)).heads == [-1, 0, 1, 1]


def test_one_root_a_finite_verb_where_there_is_one() -> None:
    words = [noun("завод", -1, "root", "Nom"), ("вырос", "VERB", -1, "root", FINITE), noun("год", -1, "root", "Acc")]
    tree = RepairedTree(sentence(*words))
    assert tree.root == 1
    assert tree.heads == [1, -1, 1]


def test_what_stands_in_brackets_is_one_subtree(bench: Bench) -> None:
    tree = bench.tree("Город стоит на берегу реки (притока Волги) с древних времён.")
    top = at(tree, "притока")
    assert tree.brackets == {top: (at(tree, "("), at(tree, ")"))}
    assert tree.span(top) == (at(tree, "("), at(tree, ")"))
    assert {tree.tokens[j].text for j in tree.words(top)} == {"притока", "Волги"}


def test_a_span_takes_the_full_stop_of_an_abbreviation(bench: Bench) -> None:
    tree = bench.tree("Рабочие построили в 1900 г. большой дом.")
    year = at(tree, "г")
    assert tree.span(year)[1] == year + 1


def test_subtrees_and_words(bench: Bench) -> None:
    tree = bench.tree("Отряд быстро вошёл в старый город.")
    city = at(tree, "город")
    assert [tree.tokens[j].text for j in tree.words(city)] == ["в", "старый", "город"]
    assert tree.subtree(tree.root) == list(range(len(tree)))
    assert tree.contiguous(city)
    assert tree.depth(city) == 1
    assert tree.child(city, "case") == at(tree, "в")
    assert tree.child(city, "nsubj") is None


def test_quotes(bench: Bench) -> None:
    tree = bench.tree("Роман «Война и мир» написан в прошлом веке.")
    assert [tree.quote_depth(at(tree, w)) for w in ("Роман", "Война", "мир", "написан")] == [0, 1, 1, 0]
    first, last = at(tree, "Война"), at(tree, "мир")
    assert tree.whole_quote(range(first, last + 1))
    assert not tree.whole_quote([last])
    assert tree.whole_quote([at(tree, "Роман")])


def test_names(bench: Bench) -> None:
    tree = bench.tree("Писатель Лев Толстой родился в деревне.")
    assert tree.start_in_entity(at(tree, "Лев")) == tree.start_in_entity(at(tree, "Толстой")) is not None
    assert tree.start_in_entity(at(tree, "деревне")) is None


@pytest.mark.parametrize(
    ("source", "word", "limited"),
    [
        ("Это самый большой дом.", "дом", True),
        ("Это первый дом.", "дом", True),
        ("Это крупнейший дом.", "дом", True),
        ("Это красивый дом.", "дом", False),
    ],
)
def test_limited(source: str, word: str, limited: bool, bench: Bench) -> None:
    tree = bench.tree(source)
    assert tree.limited(at(tree, word)) is limited


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    size = draw(st.integers(1, 9))
    words: list[tuple[str, str, int, str, dict[str, str]]] = []
    for _ in range(size):
        text = draw(st.sampled_from(["дом", "и", "(", ")", "«", "»", ",", '"']))
        pos = draw(st.sampled_from(["NOUN", "VERB", "ADJ", "ADP"])) if text.isalpha() else "PUNCT"
        feats = {"VerbForm": "Fin"} if pos == "VERB" else {"Case": draw(st.sampled_from(["Gen", "Nom"]))}
        rel = draw(st.sampled_from(["nmod", "amod", "conj", "acl", "parataxis"]))
        words.append((text, pos, draw(st.integers(-1, size - 1)), rel, feats if pos != "PUNCT" else {}))
    return sentence(*words)


@settings(max_examples=100, deadline=None)
@given(sentences())
def test_any_arcs_become_a_tree(found: Sentence) -> None:
    tree = RepairedTree(found)
    assert tree.heads.count(-1) == 1
    assert tree.subtree(tree.root) == list(range(len(tree)))
    for i in range(len(tree)):
        assert tree.depth(i) < len(tree)
        assert i in tree.subtree(i)


def test_brackets_above_what_holds_them() -> None:
    # Gathering the bracket once closed a circle, which no walk down the tree would leave.
    words: list[tuple[str, str, int, str, dict[str, str]]] = [
        ("дом", "NOUN", -1, "root", {}),
        ("(", "PUNCT", 2, "punct", {}),
        ("и", "NOUN", 5, "nmod", {}),
        ("лес", "NOUN", 0, "nmod", {}),
        (")", "PUNCT", 2, "punct", {}),
        ("сад", "NOUN", 3, "nmod", {}),
    ]
    tree = RepairedTree(sentence(*words))
    assert tree.subtree(tree.root) == list(range(6))
