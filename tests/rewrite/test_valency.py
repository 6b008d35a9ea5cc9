"""What words ask for, by counted tables: which dependents must stay, and how often a word comes with another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rerank.analysis import LAYERS, Analyzer
from rerank.tree import Tree
from rewrite.generators.edits.repaired_tree import RepairedAnalyzer
from rewrite.generators.valency import EnglishValency, RussianValency
from tests.english import parsed

GAVE = """
They PRON 2 nsubj
handed VERB 0 root
over ADP 2 compound:prt
the DET 5 det
keys NOUN 2 obj
to ADP 7 case
neighbours NOUN 2 obl
yesterday NOUN 2 obl
_. PUNCT 2 punct
"""
LIES = """
It PRON 2 nsubj
lies VERB 0 root
nearby ADV 2 advmod
_. PUNCT 2 punct
"""
TABLE: Mapping[str, Any] = {
    "V handed over": [0.1, {"obj": 0.9, "obj||": 0.9, "obl|to|": 0.4}],
    "V lies": [0.1, {"obl|in|": 0.5, "advmod": 0.3}],
}


def _tree(lines: str) -> Tree:
    return Tree(parsed(lines).sentences[0].tokens)


def _number(tree: Tree, word: str) -> int:
    return next(n for n in tree.kept if tree.tokens[n].text == word)


def _must_have(table: Mapping[str, Any], lines: str, word: str) -> bool:
    tree = _tree(lines)
    return EnglishValency(table).must_have(tree, _number(tree, word))


def test_an_english_head_is_known_with_its_particle_and_voice() -> None:
    tree = _tree(GAVE)
    assert EnglishValency({}).head(tree, _number(tree, "handed")) == "V handed over"
    assert EnglishValency({}).frame(tree, _number(tree, "neighbours")) == "obl|to|"
    passive = _tree("Keys NOUN 3 nsubj:pass\nwere AUX 3 aux:pass\nhanded VERB 0 root\nover ADP 3 compound:prt\n")
    assert EnglishValency({}).head(passive, _number(passive, "handed")) == "V handed over pass"


def test_the_usual_object_stays_beside_other_complements_and_what_is_rare_may_go() -> None:
    assert _must_have(TABLE, GAVE, "keys")
    assert not _must_have(TABLE, GAVE, "neighbours")
    assert not _must_have(TABLE, GAVE, "yesterday")
    assert not _must_have({"V handed over": [0.3, {"obj||": 0.7}]}, GAVE, "keys")
    assert not _must_have({}, GAVE, "keys")


def test_the_last_complement_stays_and_an_adverb_may_be_it() -> None:
    rare = {"V handed over": [0.05, {"obl|for|": 0.5}]}
    assert not _must_have(rare, GAVE, "keys")
    alone = GAVE.replace("yesterday NOUN 2 obl", "yesterday ADV 2 advmod").replace("keys NOUN 2 obj", "keys NOUN 2 x")
    assert _must_have(rare, alone, "neighbours")
    assert not _must_have(rare, alone, "yesterday")
    assert _must_have(TABLE, LIES, "nearby")


def test_a_complement_that_the_others_do_not_make_up_for_stays() -> None:
    table = {"V handed over": [0.05, {"obl|to|": 0.6, "obl||": 0.2, "obj||": 0.2}]}
    assert _must_have(table, GAVE, "neighbours")
    table["V handed over"] = [0.05, {"obl|to|": 0.6, "obl||": 0.4}]
    assert not _must_have(table, GAVE, "neighbours")


@pytest.mark.parametrize(
    ("text", "word", "needed"),
    [
        ("Посёлок находится в центре области.", "центре", True),
        ("Отец обратился вчера к врачу.", "врачу", True),
        ("Ему подарили четыре книги на праздник.", "книги", True),
        ("Ему подарили четыре книги на праздник.", "праздник", False),
        ("Дети гуляли в парке.", "парке", False),
    ],
)
def test_russian_words_ask_for_what_the_shipped_table_says(
    analyzer: Analyzer, text: str, word: str, needed: bool
) -> None:
    tree = Tree(analyzer.analyze_one(text, LAYERS).sentences[0].tokens)
    valency = RussianValency(analyzer.morphology)
    assert valency.must_have(tree, _number(tree, word)) is needed


def test_the_shipped_english_table_knows_which_verbs_want_something() -> None:
    table = EnglishValency().table
    for head, frame in (("V include", "obj||"), ("V consist", "obl|of|"), ("V base pass", "obl|on|")):
        bare, frames = table[head]
        assert bare < 0.2, head
        assert frames[frame] > 0.5, head
    assert table.get("V sleep", [1.0])[0] > 0.2


def test_repaired_parses_have_one_root_and_no_cycle() -> None:
    text = "Нередко они обращались и к популярным полотнам русских художников, но не копировали их."
    raw, repaired = (one.analyze_one(text, LAYERS).sentences[0] for one in (Analyzer(), RepairedAnalyzer()))

    def reached(heads: list[int], number: int) -> set[int]:
        seen: set[int] = set()
        while number >= 0 and number not in seen:
            seen.add(number)
            number = heads[number]
        return {number}

    heads = [token.head for token in repaired.tokens]
    assert heads.count(-1) == 1
    assert all(reached(heads, number) == {-1} for number in range(len(heads)))
    assert any(reached([t.head for t in raw.tokens], number) != {-1} for number in range(len(heads)))
    word = next(token for token in repaired.tokens if token.text == "полотнам")
    assert (repaired.tokens[word.head].text, word.rel) == ("обращались", "obl")


def test_the_verb_of_a_relative_clause_is_not_the_head_of_the_sentence() -> None:
    text = (
        "В настоящее время максимальный размер штрафа, который Совет по недвижимости может наложить на агента, "
        "составляет 25000 долларов."
    )
    tokens = RepairedAnalyzer().analyze_one(text, LAYERS).sentences[0].tokens
    by_text = {token.text: token for token in tokens}
    assert by_text["составляет"].rel == "root"
    assert by_text["может"].rel == "acl:relcl"
    assert tokens[by_text["может"].head].text == "штрафа"
    assert tokens[by_text["В"].head].text == "составляет"
