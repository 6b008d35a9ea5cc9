"""Batches of a run, packs of large vocabularies, and what is read from files of pairs."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from training.packed import Pack, batch_of_texts, write_pack

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")

import torch

from training.packed import PairBatches

PAIRS = [([i] * (3 + i % 5), [i] * (2 + i % 7)) for i in range(1, 41)]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    write_pack(tmp_path / "pack", PAIRS)
    return Pack(tmp_path / "pack")


def epochs(*packs: Pack, repeats: tuple[float, ...] = (1.0,), **changes: Any) -> PairBatches:
    return PairBatches(packs, repeats, **{"tokens": 32, "causal": False, "seed": 5, **changes})


def pairs_in(batches: PairBatches, numbers: range) -> Counter[int]:
    return Counter(int(row[0]) for number in numbers for row in batches[number]["input_ids"])


def test_an_epoch_holds_every_pair_once_and_each_epoch_has_an_order_of_its_own(pack: Pack) -> None:
    ends = [0, *(len(epochs(pack, epochs=count)) for count in (1, 2, 3))]
    batches = epochs(pack, epochs=3)
    assert len(batches) == batches.updates == ends[-1]
    for start, end in itertools.pairwise(ends):
        assert pairs_in(batches, range(start, end)) == Counter(range(1, 41))
    first, second = ([batches[i]["input_ids"].tolist() for i in range(*part)] for part in itertools.pairwise(ends[:3]))
    assert first != second


def test_a_batch_is_the_same_wherever_a_run_goes_on(pack: Pack) -> None:
    for repeats in ((1.0,), (1.5,)):
        whole, later = (epochs(pack, repeats=repeats, epochs=4) for _ in range(2))
        place = len(whole) - 2
        for number in (place, 0, place + 1):
            assert torch.equal(whole[number]["labels"], later[number]["labels"])
        assert not all(
            torch.equal(whole[i]["input_ids"], epochs(pack, repeats=repeats, seed=6)[i]["input_ids"]) for i in range(3)
        )


def test_no_batch_is_larger_than_asked_for(pack: Pack) -> None:
    for causal in (False, True):
        batches = epochs(pack, causal=causal)
        found = [batches[i] for i in range(len(batches))]
        assert all(max(batch["input_ids"].numel(), batch["labels"].numel()) <= 32 for batch in found)
        # Pairs of like length together: little of it is padding.
        real = sum(int(batch["attention_mask"].sum()) for batch in found)
        assert real > 0.7 * sum(batch["attention_mask"].numel() for batch in found)


def test_files_count_as_often_as_asked_and_a_fraction_changes_from_epoch_to_epoch(tmp_path: Path) -> None:
    write_pack(tmp_path / "a", PAIRS[:20])
    write_pack(tmp_path / "b", PAIRS[20:])
    batches = epochs(Pack(tmp_path / "a"), Pack(tmp_path / "b"), repeats=(2.0, 0.5), epochs=1)
    held = pairs_in(batches, range(len(batches)))
    assert all(held[i] == 2 for i in range(1, 21))
    assert sum(held[i] for i in range(21, 41)) == 10
    longer = epochs(Pack(tmp_path / "a"), Pack(tmp_path / "b"), repeats=(2.0, 0.5), epochs=6)
    seen = pairs_in(longer, range(len(longer)))
    assert all(seen[i] == 12 for i in range(1, 21))
    assert sum(seen[i] for i in range(21, 41)) == 60
    assert sum(seen[i] > 0 for i in range(21, 41)) > 15


def test_updates_take_several_batches_and_go_on_into_the_next_epoch(pack: Pack) -> None:
    size = epochs(pack).batches_in_epoch
    assert len(epochs(pack, updates=7, accumulate=3)) == 21
    assert epochs(pack, epochs=1, accumulate=3).updates == -(-size // 3)
    assert epochs(pack, epochs=0.5).updates == -(-size // 2)


def test_the_loss_is_on_the_target_or_on_all() -> None:
    pairs = [(np.array([5, 6, 7]), np.array([8, 2])), (np.array([5]), np.array([9, 9, 2, 2, 2]))]
    target = batch_of_texts(pairs, 0, whole=False)
    assert target["input_ids"].tolist() == [[5, 6, 7, 8, 2, 0], [5, 9, 9, 2, 2, 2]]
    assert target["labels"].tolist() == [[-100] * 3 + [8, 2, -100], [-100, 9, 9, 2, 2, 2]]
    assert target["attention_mask"].tolist() == [[1, 1, 1, 1, 1, 0], [1] * 6]
    assert batch_of_texts(pairs, 0, whole=True)["labels"].tolist() == [[5, 6, 7, 8, 2, -100], [5, 9, 9, 2, 2, 2]]
