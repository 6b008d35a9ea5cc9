"""What the network's heads are asked: the bundled heads, on vectors drawn by chance."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from rerank.masked.packed import read_arrays
from rewrite.splitting.model import BUNDLED, OPENERS, proposals
from rewrite.splitting.network import WIDTH, Heads, Reading, features_of
from rewrite.splitting.openers import phrase_slot
from rewrite.splitting.split import Split
from tests.rewrite.splitting.marking import words_in

TEXT = "Alan Shepard was born in Rome, and the old mayor of the town wrote a long book in 1950."


@pytest.fixture(scope="module")
def openers() -> list[tuple[str, ...]]:
    return [tuple(parts) for parts in json.loads((BUNDLED / OPENERS).read_text(encoding="utf-8"))]


@pytest.fixture(scope="module")
def heads() -> Heads:
    return Heads({name: array.astype(np.float32) for name, array in read_arrays(BUNDLED).items()})


def reading(heads: Heads, seed: int, text: str = TEXT) -> Reading:
    features = features_of(words_in(text), lambda word: (7,))
    vectors = np.random.default_rng(seed).normal(size=(features.length + 2, WIDTH))
    return heads.read(features, vectors.astype(np.float32))


def _logprob(heads: Heads, sentence: Reading, openers: list[tuple[str, ...]], split: Split) -> float:
    beginnings, nouns = heads.openers(sentence, split.start, split.kept, split.stop)
    total = heads.cuts(sentence)[0][split.start, split.stop] + heads.dropped(sentence, split.start)[split.dropped]
    total += beginnings[openers.index(split.opener)]
    return float(total + (nouns[split.antecedent] if split.antecedent >= 0 else 0))


@pytest.mark.parametrize("seed", range(4))
class TestLikelihoods:
    def test_the_likeliest_is_first_and_all_together_are_no_more_than_certain(
        self, heads: Heads, openers: list[tuple[str, ...]], seed: int
    ) -> None:
        splits, none = proposals(heads, reading(heads, seed), openers)
        assert len(splits) > 20
        assert [split.logprob for split in splits] == sorted((split.logprob for split in splits), reverse=True)
        assert 0 < math.exp(none) + sum(math.exp(split.logprob) for split in splits) <= 1 + 1e-4
        # Each stands there once, or its probability would be counted twice.
        assert len(
            {(split.start, split.stop, split.dropped, split.opener, split.antecedent) for split in splits}
        ) == len(splits)

    def test_a_split_has_the_probability_of_its_steps(
        self, heads: Heads, openers: list[tuple[str, ...]], seed: int
    ) -> None:
        sentence = reading(heads, seed)
        splits, _ = proposals(heads, sentence, openers)
        for split in splits[::5]:
            assert split.logprob == pytest.approx(_logprob(heads, sentence, openers, split), abs=1e-4)

    def test_both_sentences_have_words_and_slots_have_their_noun(
        self, heads: Heads, openers: list[tuple[str, ...]], seed: int
    ) -> None:
        sentence = reading(heads, seed)
        for split in proposals(heads, sentence, openers)[0]:
            assert 1 <= split.start <= split.kept <= split.stop - 2 <= sentence.end - 2
            assert bool(phrase_slot(split.opener)) == (split.antecedent >= 0)
            assert split.antecedent < 0 or sentence.nouns[split.antecedent]


def test_splits_by_rule_stand_among_the_others_by_the_probability_of_their_cut(
    heads: Heads, openers: list[tuple[str, ...]]
) -> None:
    sentence = reading(heads, 1)
    rule = Split(start=6, stop=sentence.end, dropped=2, opener=("this", "was", "because"))
    splits, none = proposals(heads, sentence, openers, [rule])
    plain, same = proposals(heads, sentence, openers)
    (ruled,) = (split for split in splits if split.opener == rule.opener)
    assert [split for split in splits if split is not ruled] == plain
    assert none == same
    assert splits == sorted(splits, key=lambda split: -split.logprob)
    # The best of the places where its words begin or are gone.
    cut = heads.cuts(sentence)[0][6:9, sentence.end].max()
    assert (ruled.start, ruled.stop, ruled.dropped) == (6, sentence.end, 2)
    assert ruled.logprob == pytest.approx(float(cut) - 0.7)


@pytest.mark.parametrize("text", ["He left.", "Tom", "."])
def test_what_is_too_short_has_few_splits_or_none(heads: Heads, openers: list[tuple[str, ...]], text: str) -> None:
    splits, none = proposals(heads, reading(heads, 0, text), openers)
    assert splits == []
    assert none == pytest.approx(0, abs=1e-5)
