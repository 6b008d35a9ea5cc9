"""The parser of English sentences: the best tree of any scores, and the bundled network's parses."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from rerank.english.trees import BUNDLED, Parse, TreeModel
from rerank.english.trees.heads import best_heads, spelling
from rerank.errors import ModelNotFound
from rewrite import catalogue
from rewrite.checksums import verify_sums

Floats = npt.NDArray[np.float64]


def is_tree(heads: Sequence[int]) -> bool:
    """One root, and every word hangs on it, near or far."""
    if sum(head == -1 for head in heads) != 1:
        return False
    for number in range(len(heads)):
        seen: set[int] = set()
        while number >= 0:
            if number in seen:
                return False
            seen.add(number)
            number = heads[number]
    return True


def total(scores: Floats, heads: Sequence[int]) -> float:
    return float(sum(scores[number, head + 1] for number, head in enumerate(heads)))


@pytest.mark.parametrize("seed", range(60))
def test_no_other_tree_has_a_higher_sum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(1 + seed % 5, 2 + seed % 5))
    found = best_heads(scores)
    others = [heads for heads in itertools.product(range(-1, len(scores)), repeat=len(scores)) if is_tree(heads)]
    assert is_tree(found)
    assert total(scores, found) == pytest.approx(max(total(scores, heads) for heads in others))


def test_cycles_within_cycles_are_resolved() -> None:
    # Each word likes its neighbour best, and only the last can well hang on nothing.
    scores = np.full((30, 31), -9.0)
    for number in range(30):
        scores[number, 1 + (number ^ 1)] = 9.0
        scores[number, 1 + (number + 2) % 30] = 5.0
    scores[29, 0] = -8.0
    found = best_heads(scores)
    assert is_tree(found)
    # Each pair has one word on the other and one on the next pair: fifteen times 9, fourteen times 5, and the root.
    assert total(scores, found) == pytest.approx(15 * 9.0 + 14 * 5.0 - 8.0)


def test_what_a_word_says_of_itself_counts_for_nothing() -> None:
    scores = np.array([[0.0, 99.0, 1.0], [3.0, 0.0, 99.0]])
    assert best_heads(scores) == [1, -1]


def test_the_spelling_of_words() -> None:
    assert spelling(["The", "UN", "of", "1945"]) == [
        (True, False, True, False),
        (True, True, False, False),
        (False, False, False, False),
        (False, False, False, True),
    ]


@pytest.fixture(scope="module")
def model() -> TreeModel:
    return TreeModel(threads=1)


def parse(model: TreeModel, text: str) -> tuple[list[str], Parse]:
    words = text.split()
    (tree,) = model.trees([words])
    assert tree is not None
    return words, tree


def test_the_package_lists_it() -> None:
    assert catalogue.OF_SPLITTER["trees-en"] == BUNDLED


def test_its_files_are_those_of_its_checksums_and_its_card_tells_its_figures() -> None:
    verify_sums(BUNDLED)
    card = json.loads((BUNDLED / "card.json").read_text(encoding="utf-8"))
    assert card["licence"] == "CC BY-SA 4.0"
    assert card["figures"]["test heads"] > 0.86
    assert sum(file.stat().st_size for file in BUNDLED.iterdir()) < 13e6


def test_a_relative_clause_hangs_on_its_noun(model: TreeModel) -> None:
    words, tree = parse(model, "The crash , which happened on Monday , was caused by strong wind .")
    arcs = {(words[n], tree.relations[n], words[head]) for n, head in enumerate(tree.heads)}
    assert {
        ("crash", "nsubj:pass", "caused"),
        ("happened", "acl:relcl", "crash"),
        ("strong", "amod", "wind"),
        ("was", "aux:pass", "caused"),
    } <= arcs
    assert tree.relations[tree.heads.index(-1)] == "root"
    assert [tag for tag, word in zip(tree.pos, words, strict=True) if word == "caused"] == ["VERB"]
    assert tree.features[words.index("happened")]["Tense"] == "Past"


@pytest.mark.parametrize("text", ["Tom Brown lived in Rome .", "She dances the waltz and sings a song , he says ."])
def test_verbs_and_no_other_words_have_forms_of_verbs(model: TreeModel, text: str) -> None:
    _, tree = parse(model, text)
    forms = ["VerbForm" in features for features in tree.features]
    assert any(forms)
    assert forms == [pos in ("VERB", "AUX") for pos in tree.pos]


def test_only_the_root_is_one(model: TreeModel) -> None:
    _, tree = parse(model, "Peter was born in Rome , and his sister Mary , whom he never met , lived in Paris .")
    assert [head for head, relation in zip(tree.heads, tree.relations, strict=True) if relation == "root"] == [-1]


def test_a_sentence_is_parsed_as_it_is_alone(model: TreeModel) -> None:
    sentences = [["He", "left", "."], "The old house that she had bought was sold .".split(), ["Why", "?"]]
    assert model.trees(sentences) == [model.trees([one])[0] for one in sentences]


def test_nothing_is_said_of_no_words_and_of_too_many(model: TreeModel) -> None:
    found = model.trees([[], ["and", "so"] * 80, ["He", "left", "."]])
    assert found[:2] == [None, None]
    assert found[2] is not None


def test_a_folder_that_is_no_parser_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match=str(tmp_path)):
        TreeModel(tmp_path)
