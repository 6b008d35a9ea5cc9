"""SARI equals EASSE's figures, and its parts behave as their definitions say."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rerank.errors import BadInput
from rewrite.datasets import Example, load_lines, load_rsse
from rewrite.evaluate.resampling import Bootstrap
from rewrite.evaluate.sari import SARI, SariSource, sari_of_totals, tokenize_13a
from tests import paths
from tests.sari import corpus_sari, corpus_statistics

_GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "sari.json").read_text())


@cache
def _examples(corpus: str) -> list[Example]:
    if corpus == "rsse_dev":
        return load_rsse(paths.need_data("rsse", "dev_sents.csv"))
    asset = paths.need_data("asset")
    return load_lines(asset / "asset.valid.orig", [asset / f"asset.valid.simp.{i}" for i in range(10)])


@cache
def _counted(corpus: str) -> list[SariSource]:
    return [SariSource(e.source, e.references) for e in _examples(corpus)]


_SYSTEMS: dict[str, Callable[[Example], str]] = {
    "source": lambda e: e.source,
    "first_half": lambda e: " ".join(e.source.split()[: len(e.source.split()) // 2]),
    "drop_every_third": lambda e: " ".join(w for i, w in enumerate(e.source.split()) if i % 3 != 2),
    "reference_0": lambda e: e.references[0],
}


@pytest.mark.parametrize("corpus", ["rsse_dev", "asset_valid"])
@pytest.mark.parametrize("system", sorted(_SYSTEMS))
def test_equals_easse(corpus: str, system: str) -> None:
    examples = _examples(corpus)
    statistics = np.array([c.statistics(_SYSTEMS[system](e)) for c, e in zip(_counted(corpus), examples, strict=True)])
    score = SARI.of(statistics)
    for part, expected in _GOLDEN[corpus][system].items():
        assert score[part if part == "sari" else f"sari_{part}"] == pytest.approx(expected, abs=1e-4), part


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("В 1,5 раза, т.е. (почти) вдвое!", "в 1,5 раза , т . е . ( почти ) вдвое !"),
        ("«Дом» — дом… 5-й кое-кто", "«дом» — дом… 5 - й кое-кто"),
        ("a &quot;b&quot; &amp; c/d", 'a " b " & c / d'),
        ("Он сказал.", "он сказал ."),
        ("один\nдва-\nтри", "один дватри"),
        ("", ""),
    ],
)
def test_13a_tokens(text: str, tokens: str) -> None:
    assert tokenize_13a(text) == tokens.split()


def test_statistics_by_hand() -> None:
    # Unigrams: "а" is kept by both, "б" deleted by the output only, "г" by both; "д" is added by one reference.
    statistics = SariSource("а б г", ["а б", "а д"]).statistics("а д")
    assert statistics[0, 0].tolist() == [1, 1, 1]
    assert statistics[1, 0].tolist() == [2, 2, 3]
    assert statistics[2, 0].tolist() == [3, 4, 3]
    assert statistics[0, 1].tolist() == [1, 1, 1]


_words = st.lists(st.sampled_from(["дом", "сад", "кот", "не", ",", "5"]), max_size=8).map(" ".join)
_rows = st.lists(st.tuples(_words, _words, st.lists(_words, min_size=1, max_size=3)), min_size=1, max_size=6)


@settings(deadline=None, max_examples=60)
@given(_rows)
def test_scores_stay_in_range_and_repeating_the_corpus_changes_nothing(rows: list[tuple[str, str, list[str]]]) -> None:
    sources, outputs, references = zip(*rows, strict=True)
    score = corpus_sari(sources, outputs, references)
    assert len(score) == 4
    assert all(0 <= part <= 100 for part in score.values())
    twice = corpus_sari(sources * 2, outputs * 2, references * 2)
    assert twice["sari"] == pytest.approx(score["sari"])
    shuffled = corpus_sari(sources, outputs, [texts[::-1] for texts in references])
    assert shuffled == score


@settings(deadline=None, max_examples=40)
@given(_rows)
def test_exchanging_one_output_needs_only_sums(rows: list[tuple[str, str, list[str]]]) -> None:
    sources, outputs, references = (list(column) for column in zip(*rows, strict=True))
    statistics = corpus_statistics(sources, outputs, references)
    other = SariSource(sources[0], references[0]).statistics(sources[0])
    exchanged = sari_of_totals(statistics.sum(axis=0) - statistics[0] + other[None])
    fresh = corpus_sari(sources, [sources[0], *outputs[1:]], references)
    assert exchanged[0] == pytest.approx(fresh["sari"])
    assert sari_of_totals(statistics)[0] == pytest.approx(SARI.of(statistics[:1])["sari"])


def test_the_only_reference_as_output_keeps_and_deletes_perfectly() -> None:
    score = corpus_sari(
        ["старый дом стоит в саду у реки"], ["дом стоит в саду возле реки"], [["дом стоит в саду возле реки"]]
    )
    assert [score[f"sari_{part}"] for part in ("add", "keep", "delete")] == [100, 100, 100]


def test_bootstrap_is_reproducible_and_covers_the_score() -> None:
    examples = _examples("rsse_dev")[:200]
    sources, references = [e.source for e in examples], [e.references for e in examples]
    halves = corpus_statistics(sources, [_SYSTEMS["first_half"](e) for e in examples], references)
    drawn = SARI.aggregate(halves, Bootstrap(seed=3))
    score, interval = drawn.figures["sari"], drawn.interval("sari")
    assert interval == SARI.aggregate(halves, Bootstrap(seed=3)).interval("sari")
    assert interval != SARI.aggregate(halves, Bootstrap(seed=4)).interval("sari")
    assert interval.low < score < interval.high
    copies = SARI.aggregate(corpus_statistics(sources, sources, references), Bootstrap(seed=3))
    _, gain = drawn.less(copies, "sari")
    assert 15 < gain.low < gain.high < 25
    _, same = drawn.less(drawn, "sari")
    assert (same.low, same.high) == (0, 0)


def test_what_cannot_be_scored_is_refused() -> None:
    with pytest.raises(BadInput, match="at least one reference"):
        SariSource("а", [])
    with pytest.raises(BadInput, match="0 segments"):
        SARI.aggregate(np.zeros((0, 3, 4, 3)), Bootstrap())
    first, second = (SARI.aggregate(np.zeros((count, 3, 4, 3)), Bootstrap()) for count in (1, 2))
    with pytest.raises(BadInput, match="pair"):
        first.less(second, "sari")


def test_the_score_of_a_sentence_is_that_of_the_library_evaluate() -> None:
    species = SariSource("About 95 species are currently accepted .", ["About 95 species are currently known ."])
    # The example of its metric wiki_split.
    assert 100 * species.sentence_score("About 95 you now get in .") == pytest.approx(21.805555555555557)
    assert species.sentence_score("About 95 species are currently known .") == 1.0
    # A copy deletes nothing, which counts as deleted well.
    assert species.sentence_score("About 95 species are currently accepted .") > 0.5
