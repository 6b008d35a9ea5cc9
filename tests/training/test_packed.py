"""Pairs of token numbers in files, and batches of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rerank.errors import BadInput
from rewrite.errors import CannotWrite
from training.packed import IGNORED, Pack, PairBatches, batch_of_pairs, write_pack

PAIRS = [([1] * n, [2] * (n + 1)) for n in (5, 1, 3, 9, 2, 2, 7)]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    assert write_pack(tmp_path / "pack", iter(PAIRS)) == len(PAIRS)
    return Pack(tmp_path / "pack")


def test_what_was_written_is_read(pack: Pack) -> None:
    assert [(source.tolist(), target.tolist()) for source, target in (pack[i] for i in range(len(pack)))] == PAIRS
    assert pack.lengths.tolist() == [[len(source), len(target)] for source, target in PAIRS]


def planned(pack: Pack, tokens: int, seed: int = 0) -> list[list[int]]:
    batches = PairBatches([pack], [1.0], tokens=tokens, causal=False, seed=seed)
    return [batches.indices(number) for number in range(len(batches))]


def test_every_pair_is_in_one_batch_and_none_is_larger_than_asked_for(pack: Pack) -> None:
    plan = planned(pack, 12)
    assert sorted(i for batch in plan for i in batch) == list(range(len(PAIRS)))
    tables = [batch_of_pairs([pack[i] for i in batch], 0) for batch in plan]
    assert all(table["labels"].numel() <= 12 for table in tables)
    assert all(((table["labels"] == IGNORED) | (table["labels"] == 2)).all() for table in tables)
    assert sum(int(table["attention_mask"].sum()) for table in tables) == sum(len(source) for source, _ in PAIRS)


def test_a_seed_fixes_the_order(pack: Pack) -> None:
    orders = [planned(pack, 6, seed) for seed in (1, 1, 2, 3)]
    assert orders[0] == orders[1]
    assert orders[2] != orders[0] or orders[3] != orders[0]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full stands for a full disk")
def test_a_full_disk_is_told_with_the_folder(tmp_path: Path) -> None:
    (tmp_path / "target.npy").symlink_to("/dev/full")
    with pytest.raises(CannotWrite, match=rf"'{tmp_path}': No space left on device\. Free some space"):
        write_pack(tmp_path, (([1], [1] * 20) for _ in range(100_000)))


def test_a_pack_that_is_cut_off_is_refused(pack: Pack, tmp_path: Path) -> None:
    target = (tmp_path / "pack" / "target.npy").read_bytes()
    (tmp_path / "pack" / "target.npy").write_bytes(target[:-4])
    for folder in (tmp_path / "pack", tmp_path):
        with pytest.raises(BadInput, match="not a pack"):
            Pack(folder)
