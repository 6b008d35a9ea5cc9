"""Which edits are chosen for a taste."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rewrite.generators.edits.consistent import inconsistency
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.keep_and_gain import Options, Taste, choose, cut_tokens
from tests.rewrite.edits.conftest import Bench, at

SOURCE = "Известный писатель закончил новый роман и вернулся в старый дом, который стоит на берегу моря."


def options(bench: Bench, keep: dict[str, float], *, default: float = 1.0) -> Options:
    """The options of `SOURCE` with these keep probabilities and no risk."""
    found = bench.options(SOURCE)
    shares = np.array([keep.get(t.text, default) for t in found.tree.tokens])
    return replace(found, keep=shares, cuts={i: replace(e, risk=0.0) for i, e in found.cuts.items()}, changes=[])


def words(found: Options, edits: list[Edit]) -> set[str]:
    return {found.tree.tokens[i].text for i in cut_tokens(found.tree, edits)}


def test_what_nobody_keeps_goes_and_the_rest_stays(bench: Bench) -> None:
    found = options(bench, {"Известный": 0.0})
    assert words(found, choose(found, Taste(brevity=0.5), np.random.default_rng(0))) == {"Известный"}


def test_a_subtree_stays_for_the_sake_of_one_word(bench: Bench) -> None:
    aside = dict.fromkeys(["который", "стоит", "на", "берегу", "моря"], 0.3)
    found = options(bench, aside)
    taste = Taste(brevity=0.5)
    assert {"стоит", "берегу"} <= words(found, choose(found, taste, np.random.default_rng(0)))
    found = options(bench, {**aside, "стоит": 5.0})
    assert "стоит" not in words(found, choose(found, taste, np.random.default_rng(0)))


def test_more_brevity_cuts_more(bench: Bench) -> None:
    keep = {t.text: i / 20 for i, t in enumerate(bench.tree(SOURCE).tokens)}
    found = options(bench, keep)
    sizes = [
        len(cut_tokens(found.tree, choose(found, Taste(brevity=b), np.random.default_rng(0)))) for b in (0.0, 0.4, 0.9)
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] == 0 < sizes[-1]


def test_caution_spares_what_is_risky(bench: Bench) -> None:
    found = options(bench, {"Известный": 0.0})
    i = at(found.tree, "Известный")
    found = replace(found, cuts={i: replace(found.cuts[i], risk=1.0)})
    assert choose(found, Taste(brevity=0.5, caution=0.0), np.random.default_rng(0)) == [found.cuts[i]]
    assert choose(found, Taste(brevity=0.5, caution=1.0), np.random.default_rng(0)) == []


def test_changes_do_not_overlap_and_leave_with_what_is_cut(bench: Bench) -> None:
    found = options(bench, {"Известный": 0.0})
    first, second = at(found.tree, "Известный"), at(found.tree, "писатель")
    wide = Edit("phrase", "", changes=((second, "автор"),), touched=frozenset({second, second + 1}))
    narrow = Edit("word", "", changes=((second, "сочинитель"),), touched=frozenset({second}))
    lost = Edit("word", "", changes=((first, "знаменитый"),), touched=frozenset({first}))
    cautious = replace(found, changes=[narrow, lost, wide])
    made = choose(cautious, Taste(brevity=0.0), np.random.default_rng(0))
    assert made == [wide, lost]
    # A word that is to be changed is worth keeping, unless its head goes.
    assert choose(cautious, Taste(brevity=0.0, changing=0.0), np.random.default_rng(0)) == []


@pytest.mark.parametrize("seed", range(10))
def test_what_is_left_is_consistent(seed: int, bench: Bench) -> None:
    rng = np.random.default_rng(seed)
    found = replace(bench.options(SOURCE), keep=rng.random(len(bench.tree(SOURCE))))
    made = choose(found, Taste(brevity=0.6, noise=0.3, caution=0.0), rng)
    assert inconsistency(found.tree, cut_tokens(found.tree, made)) == ""
