from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from rewrite.splitting.triples.triple import parse_triple
from tests.training.papers.websplit.small import BORN, CLUB, SEAT, SMALL, small
from training.papers.websplit.hybrid import (
    Cutter,
    Trigrams,
    align,
    learn_cutter,
    learn_hybrid,
    learn_phrases,
    load_hybrid,
    phrase_pairs,
    rephrase,
    text_of,
    words_of,
)
from training.papers.websplit.recipe import SystemRecipe


def test_trigrams_sum_to_one_and_prefer_what_they_saw() -> None:
    model = Trigrams.learn([["a", "b", "c"], ["a", "b", "d"], ["b", "c"]])
    words = ["a", "b", "c", "d", "</s>"]
    for history in ([], ["a"], ["a", "b"], ["x", "y"]):
        # One more word that was never seen has what is left.
        total = sum(math.exp(model.log(history, word)) for word in [*words, "unseen"])
        assert total == pytest.approx(1.0, abs=1e-9)
    assert model.log(["a"], "b") > model.log(["a"], "c")
    assert math.exp(model.log(["a", "b"], "zzz")) > 0


def test_words_are_aligned_with_themselves_and_with_what_stands_for_them() -> None:
    pairs = [
        ("ada resides in cork".split(), "ada lives in cork".split()),
        ("bob resides in rome".split(), "bob lives in rome".split()),
        ("cyd sings in cork".split(), "cyd sings in cork".split()),
    ]
    assert align(pairs)[0] == {(0, 0), (1, 1), (2, 2), (3, 3)}
    found = Counter(phrase_pairs(pairs))
    assert found["resides in", "lives in"] == 2
    assert ("ada", "lives") not in found


def test_rephrasing_takes_the_likely_phrase_and_keeps_what_it_does_not_know() -> None:
    table = learn_phrases([("resides in", "lives in")] * 3 + [("ada", "ada")] * 2 + [("rare", "once")])
    assert "rare" not in table
    model = Trigrams.learn([["ada", "lives", "in", "cork"]])
    assert rephrase(["ada", "resides", "in", "Zürich"], table, model) == ["ada", "lives", "in", "Zürich"]
    assert rephrase(["rare"], table, model) == ["rare"]
    assert rephrase([], table, model) == []


TRIPLES = [parse_triple(text) for text in (CLUB, SEAT, BORN)]
ALWAYS = {
    ("chain", "whose"): (9, 9),
    ("sibling", "and"): (9, 9),
    ("apart", "and"): (9, 9),
    ("chain", "which"): (0, 9),
}


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "Ada Bell plays for A.C. Cork, whose ground is Old Park.",
            ["Ada Bell plays for A.C. Cork.", "A.C. Cork's ground is Old Park."],
        ),
        (
            "Ada Bell plays for A.C. Cork and was born in Cork.",
            ["Ada Bell plays for A.C. Cork.", "Ada Bell was born in Cork."],
        ),
        # What follows has no verb, or is less likely than not to part.
        ("Ada Bell knows A.C. Cork and Cork.", ["Ada Bell knows A.C. Cork and Cork."]),
        (
            "Ada Bell plays for A.C. Cork, which plays at Old Park.",
            ["Ada Bell plays for A.C. Cork, which plays at Old Park."],
        ),
        ("Nothing is known.", ["Nothing is known."]),
    ],
)
def test_sentences_are_cut_where_triples_part(text: str, pieces: list[str]) -> None:
    triples = [t for t in TRIPLES if t.property != "birthPlace" or "born" in text or "knows" in text]
    assert Cutter(ALWAYS, frozenset({"was", "plays"})).cut(text, triples) == pieces


def test_the_cutter_counts_over_partitions(tmp_path: Path) -> None:
    benchmark, sentences = small(tmp_path)
    cutter = learn_cutter(benchmark, [sentences[SMALL[0][1][0]]])
    # Cork, where she was born, is first mentioned; then "plays for A.C. Cork, whose ground": parted in one of three.
    assert cutter.counts[("chain", "whose")] == (1, 3)


def test_words_and_text_are_each_other() -> None:
    text = "A.C. Cork (in Italy), of D. R. Smith's, has 3.5 km/s."
    assert "A.C." in words_of(text)
    assert text_of(words_of(text)) == text


def test_the_hybrid_system_is_learnt_written_and_read(tmp_path: Path) -> None:
    benchmark, sentences = small(tmp_path)
    learn_hybrid(benchmark, list(sentences.values()), SystemRecipe(system="hybridsimpl"), tmp_path)
    triples = [parse_triple(text) for text in (CLUB, SEAT)]
    (written,) = load_hybrid(tmp_path)([("Ada Bell plays for A.C. Cork at Old Park.", triples)])
    assert written.startswith("Ada Bell plays for A.C. Cork")
