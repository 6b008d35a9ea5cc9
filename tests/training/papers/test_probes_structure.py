"""Table 10's sentences, what is pruned from trees, and predicates: by hand, and against an oracle."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rerank.masked.base import Word
from rerank.masked.bundled import load
from rerank.masked.registry import create_masked_model
from rerank.masked.words import split_words
from rerank.ndd.attention import Balanced
from rerank.ndd.distance import Ndd
from rewrite.compression.deleter import Under
from rewrite.errors import BadInput
from rewrite.generators.deletion import Trial
from tests.processor import needs_vnni
from tests.training.papers.probing import CountingModel
from training.papers.probes.__main__ import main
from training.papers.probes.examples import SENTENCES, SOURCE, distances, examples, ranks, verdicts
from training.papers.probes.predicates import METHODS, depths, detected, read_conll2009, read_treebank, verbs_of
from training.papers.probes.pruning import Pruned, is_subtree, objective, proportions, pruned_by, pruning, random_spans

PAPER = {edit.text: edit.ndd for edit in SENTENCES}


def test_the_papers_own_distances_pass_its_own_ranking() -> None:
    assert ranks(PAPER)["I am walking in the hot rain."] == 4
    assert [ranks(PAPER)[edit.text] for edit in SENTENCES] == [1, 2, 3, 4, 1, 2, 3, 1, 2, 3, 1, 3, 2]
    assert verdicts(PAPER) == [
        "ranked as in the paper: 4 of 4 groups (adjective, noun, verb, subject and tense)",
        "cold→hot farther than cold→cool: yes (3.170, 0.810)",
        "He am farthest of all: yes (13.040; farthest: He am walking in the cold rain.)",
    ]


def test_other_distances_do_not() -> None:
    own = {**PAPER, "I am walking in the hot rain.": 0.5, "I am walking in the cold night.": 99.0}
    groups, hot, he_am = verdicts(own)
    assert groups == "ranked as in the paper: 2 of 4 groups (verb, subject and tense)"
    assert hot.startswith("cold→hot farther than cold→cool: no (0.500, 0.810)")
    assert he_am == "He am farthest of all: no (13.040; farthest: I am walking in the cold night.)"


def test_table_ten_has_all_sentences_in_both_scales() -> None:
    tables, notes = examples(CountingModel())
    assert [len(table.rows) for table in tables] == [14, 14]
    assert len(notes) == 6
    rows = {str(row[1]): row for row in tables[0].rows}
    assert rows[SOURCE][2] == 0.0
    # One word of eight is another one: S_C of the counts is 7/8.
    assert rows["I am walking in the hot rain."][6] == pytest.approx(7 / 8)
    assert rows["He is walking in the cold rain."][6] == pytest.approx(6 / 8)
    # Each of the seven common words sees one word exchanged: two of 64 words have other chances, 2 and 1 of 71.
    kl = distances(CountingModel(), "kl")["I am walking in the hot rain."]
    assert kl == pytest.approx((2 / 71) * np.log(2) - (1 / 71) * np.log(2), abs=1e-6)


TREE = """\
# text = I ate that cake.
1\tI\tI\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tate\teat\tVERB\t_\t_\t0\troot\t_\t_
3\tthat\tthat\tDET\t_\t_\t4\tdet\t_\t_
4\tcake\tcake\tNOUN\t_\t_\t2\tobj\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# a word of several, and an empty node
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
2.1\tthere\tthere\tADV\t_\t_\t_\t_\t_\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_
"""


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.conllu"
    path.write_text(TREE, encoding="utf-8")
    return path


def test_trees_as_analyses(treebank: Path) -> None:
    cake, go = read_treebank(treebank)
    assert (cake.text, go.text) == ("I ate that cake.", "Don't go")
    assert [token.head for token in cake.tokens] == [1, -1, 3, 1, 1]
    assert [cake.text[t.start : t.stop] for t in cake.tokens] == ["I", "ate", "that", "cake", "."]
    assert depths(cake.tokens) == [2, 1, 3, 2, 2]  # as in the paper's Figure 5: "that" is deeper than "cake"
    assert [token.text for token in go.tokens] == ["Do", "n't", "go"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1\tI\tI\tPRON\t_\t_\t0\troot\t_", "line 3: not a row of CoNLL-U"),
        ("x\tI\tI\tPRON\t_\t_\t0\troot\t_\t_", "line 3: not a row of CoNLL-U"),
        ("2\tI\tI\tPRON\t_\t_\t0\troot\t_\t_", "sentence 1: the word 2 comes where 1 should"),
        ("1\tI\tI\tPRON\t_\t_\t7\troot\t_\t_", "sentence 1: the head is '7'.*up to 1"),
        ("1\tI\tI\tPRON\t_\t_\t_\troot\t_\t_", "sentence 1: the head is '_'"),
        ("1\tI\tI\tPRON\t_\t_\t2\ta\t_\t_\n2\tgo\tgo\tVERB\t_\t_\t1\tb\t_\t_", "sentence 1: its heads go round"),
    ],
)
def test_broken_trees(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "broken.conllu"
    path.write_text(f"# a comment\n\n{row}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        read_treebank(path)


def test_subtrees_and_depths_of_what_was_pruned(treebank: Path) -> None:
    cake, go = read_treebank(treebank)
    nothing: frozenset[int] = frozenset()
    assert is_subtree(cake, frozenset({2, 3}), nothing)  # that cake
    assert not is_subtree(cake, frozenset({1, 2}), nothing)  # ate that
    assert not is_subtree(cake, frozenset({3}), nothing)
    assert is_subtree(cake, frozenset({3}), frozenset({2}))  # cake, once that is gone
    pruned = [
        Pruned(cake, [frozenset({2}), frozenset({3}), frozenset({1, 4})]),  # that | cake | ate .
        Pruned(go, [frozenset({0, 1})]),  # Do n't
    ]
    rate, *figures = proportions(pruned)
    assert rate == pytest.approx(100 * 2 / 8)
    # Of six words gone, ate is 1 deep, that 3 deep, the four others 2.
    assert figures[:4] == pytest.approx([100 / 6, 400 / 6, 100 / 6, 0.0])
    # Both single words were whole subtrees; "ate ." and "Do n't" were not.
    assert figures[4:6] == pytest.approx([100.0, 0.0])
    assert np.isnan(figures[6])


def test_random_spans_have_the_same_lengths(treebank: Path) -> None:
    cake, go = read_treebank(treebank)
    like = [Pruned(cake, [frozenset({2}), frozenset({3, 4})]), Pruned(go, [])]
    seen = set()
    for seed in range(200):
        first, second = random_spans(like, seed=seed)
        assert [len(span) for span in first.spans] == [1, 2]
        assert not first.spans[0] & first.spans[1]
        left = [place for place in range(5) if place not in first.spans[0]]
        low, high = (left.index(place) for place in sorted(first.spans[1]))
        assert high == low + 1  # side by side in what the first one left
        assert second.spans == []
        seen.add(tuple(first.spans))
    assert len(seen) == 15  # 5 places for the first, 3 for the second
    assert random_spans(like, seed=1)[0].spans == random_spans(like, seed=1)[0].spans


def test_the_search_prunes_by_tokens(treebank: Path) -> None:
    cake, _ = read_treebank(treebank)

    def only_that_cake(trials: list[Trial]) -> list[np.ndarray]:
        # "that cake" costs nothing, everything else more than the threshold.
        found = []
        for trial in trials:
            free = [sorted(cake.text[start : start + 4] for start in removed) for removed in trial.removed]
            found.append(np.array([0.0 if texts in ([], ["cake", "that"]) else -9.0 for texts in free]))
        return found

    from training.papers.probes.pruning import _TokenCount

    under = Under(1.0, "share", lambda path: _TokenCount(cake))
    (pruned,) = pruned_by(only_that_cake, under, [cake], rounds=5, longest=5)
    assert pruned.spans == [frozenset({2, 3})]


def test_table_seven_prunes_alike(treebank: Path) -> None:
    table = pruning(CountingModel(), read_treebank(treebank), thresholds=(0.05, 2.0), longest=2, seed=0, lang="en")
    rows = {(row[0], row[1]): row for row in table.rows}
    assert list(rows) == [(m, n) for n in ("0.05", "2") for m in ("random", "PPL", "NDD")]
    assert len({row[2] for (_, threshold), row in rows.items() if threshold == "2"}) == 1
    assert rows["NDD", "2"][2] < 100.0


CONLL = """\
1\tHe\the\the\tPRP\tPRP\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\t_
2\tdid\tdo\tdo\tVBD\tVBD\t_\t_\t0\t0\tROOT\tROOT\tY\tdo.01\t_\t_
3\tn't\tnot\tnot\tRB\tRB\t_\t_\t2\t2\tADV\tADV\t_\t_\t_\t_
4\tgo\tgo\tgo\tVB\tVB\t_\t_\t2\t2\tVC\tVC\tY\tgo.01\t_\t_
5\t-LRB-\t(\t(\t(\t(\t_\t_\t4\t4\tP\tP\t_\t_\t_\t_
6\t_\t_\t_\tp\tp\t_\t_\t4\t4\tSBJ\tSBJ\t_\t_\t_\t_
7\ta_partir_de\t_\t_\ts\ts\t_\t_\t4\t4\tADV\tADV\t_\t_\t_\t_

1\tYes\tyes\tyes\tUH\tUH\t_\t_\t0\t0\tROOT\tROOT\t_\t_
"""


def test_conll_2009(tmp_path: Path) -> None:
    path = tmp_path / "tiny.txt"
    path.write_text(CONLL, encoding="utf-8")
    first, second = read_conll2009(path)
    assert [word.text for word in first.words] == ["He", "did", "n't", "go", "(", "a partir de"]
    assert [word.spaced for word in first.words] == [True, True, False, True, True, True]
    assert first.predicates == [False, True, False, True, False, False]
    assert (second.words, second.predicates) == ([Word("Yes")], [False])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1\tHe\the", "line 2: 3 fields, not a row of CoNLL-2009"),
        ("2" + "\t_" * 13, "line 2: the word '2' comes where 1 should"),
        ("1\tHe" + "\t_" * 10 + "\tx\t_", "line 2: FILLPRED is 'x'"),
        ("1\t" + "\t_" * 12, "line 2: the form is empty"),
    ],
)
def test_broken_conll_2009(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "broken.txt"
    path.write_text(f"\n{row}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=message):
        read_conll2009(path)


def test_verbs_of_a_treebank(treebank: Path) -> None:
    cake, go = verbs_of(read_treebank(treebank))
    assert cake.predicates == [False, True, False, False, False]
    assert go.predicates == [False, False, True]  # the auxiliary is none
    assert [word.spaced for word in go.words] == [True, False, True]


@needs_vnni
def test_each_word_is_the_one_that_is_edited() -> None:
    words = split_words("He did not see the old house .", "en")
    model = load("en")
    ndd = Ndd(model, divergence="kl", attention=Balanced(0.9))
    found = detected(model, words, "a")
    for place in (0, 2, 6):
        source = ndd.read(words)
        without = source.compare([*words[:place], *words[place + 1 :]])
        replaced = source.compare([*words[:place], Word("a"), *words[place + 1 :]])
        expected = ndd.distances([(source, [without, source.mask([place]), replaced])])[0]
        measured = [found["NDD", edit][place] for edit in ("delete", "mask", "stop word")]
        assert measured == pytest.approx(expected.tolist(), abs=1e-4)
    assert len({round(float(value), 6) for value in found["NDD", "delete"]}) == len(words)


def test_pruning_measures_as_compression_does() -> None:
    assert objective(load("en")).ndd.signature().startswith("ndd:kl,balanced(0.9),bias(1),masking(word)")


def test_edits_of_each_word_by_hand() -> None:
    words = [Word("a"), Word("dog"), Word("runs")]
    found = detected(CountingModel(), words, "a")
    assert set(found) == set(METHODS)
    # PPL: each of n different words is expected once where one is masked: 1 of 64 + n − 1.
    full, cut = np.log(64 + 2), np.log(64 + 1)
    assert found["PPL", "delete"] == pytest.approx([cut - full] * 3, abs=1e-5)
    assert found["PPL", "mask"] == pytest.approx([cut - full] * 3, abs=1e-5)
    # A stop word in the place of itself changes nothing.
    assert found["NDD", "stop word"][0] == 0.0
    assert (found["NDD", "stop word"][1:] > 0).all()
    # At each of the two other words it knows one word more in the source, of 66 parts, than in the edited text, of 65,
    # mask or gap; their balanced weights come to 2 (0.9 + 0.81), wherever the edit is.
    kl = np.log(66 / 65) - np.log(2) / 65
    assert found["NDD", "delete"] == pytest.approx([3.42 * kl] * 3, rel=1e-4)
    assert found["NDD", "mask"] == pytest.approx([3.42 * kl] * 3, rel=1e-4)
    three = [found["NDD", edit] for edit in ("delete", "mask", "stop word")]
    assert found["NDD", "ensemble"] == pytest.approx(np.mean(three, axis=0))


def test_the_commands(
    treebank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    conll = tmp_path / "tiny.txt"
    conll.write_text(CONLL, encoding="utf-8")
    for module in ("pruning", "predicates", "examples"):
        monkeypatch.setattr(f"training.papers.probes.{module}.create_masked_model", lambda *_, **__: CountingModel())
    assert main(["pruning", "--conllu", str(treebank), "--threshold", "1"]) == 0
    assert "2 sentences of tiny.conllu" in capsys.readouterr().out
    assert main(["predicates", "--conll", str(conll), "--set", "spa"]) == 0
    shown = capsys.readouterr().out
    assert "mAP" in shown
    assert "1 sentences of at most 50 words with a predicate, 2 predicates among 6 words" in shown
    assert "Stop word: el." in shown
    assert main(["predicates", "--conllu", str(treebank), "--set", "other"]) == 2
    assert "--stop-word" in capsys.readouterr().err
    assert main(["pruning", "--conllu", str(treebank), "--threshold", "1", "--lang", "es"]) == 0
    assert main(["examples"]) == 0
    assert "of 4 groups" in capsys.readouterr().out
    assert main(["pruning", "--data", str(tmp_path)]) == 1
    assert "Give --conllu FILE" in capsys.readouterr().err


@pytest.mark.paper
def test_models_by_folder(tiny_masked_model: Callable[[str], Path]) -> None:
    folder = tiny_masked_model("bert")
    values = distances(create_masked_model(f"hf:{folder}"), "hellinger")
    assert all(0 < value < 1 for value in values.values())


@pytest.mark.paper
@pytest.mark.xfail(strict=True, reason="The bar is open: docs/probes.md tells what the bundled model ranks otherwise.")
def test_table_ten_with_the_bundled_model() -> None:
    """What the project wants of it; once it holds, this fails until the mark is taken away."""
    groups, hot, he_am = verdicts(distances(create_masked_model("bundled:en"), "kl"))
    assert any(f"paper: {count} of 4" in groups for count in (3, 4))
    assert ": yes" in hot
    assert ": yes" in he_am
