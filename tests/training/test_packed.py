"""Pairs of token numbers in files, and batches of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from rerank.errors import BadInput
from rewrite.errors import CannotWrite
from training.packed import IGNORED, Pack, batch_of_pairs, plan_batches, write_pack

PAIRS = [([1] * n, [2] * (n + 1)) for n in (5, 1, 3, 9, 2, 2, 7)]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    assert write_pack(tmp_path / "pack", iter(PAIRS)) == len(PAIRS)
    return Pack(tmp_path / "pack")


def test_what_was_written_is_read(pack: Pack) -> None:
    assert [(source.tolist(), target.tolist()) for source, target in (pack[i] for i in range(len(pack)))] == PAIRS
    assert pack.lengths.tolist() == [[len(source), len(target)] for source, target in PAIRS]


def planned(pack: Pack, tokens: int, seed: int = 0) -> list[list[int]]:
    found = plan_batches(pack.lengths.max(axis=1), tokens, np.random.default_rng(seed))
    return [batch.tolist() for batch in found]


def test_every_pair_is_in_one_batch_and_none_is_larger_than_asked_for(pack: Pack) -> None:
    plan = planned(pack, 12)
    assert sorted(i for batch in plan for i in batch) == list(range(len(PAIRS)))
    tables = [batch_of_pairs([pack[i] for i in batch], 0) for batch in plan]
    assert all(table["labels"].size <= 12 for table in tables)
    assert all(((table["labels"] == IGNORED) | (table["labels"] == 2)).all() for table in tables)
    assert sum(int(table["attention_mask"].sum()) for table in tables) == sum(len(source) for source, _ in PAIRS)


def test_a_seed_fixes_the_order(pack: Pack) -> None:
    orders = [planned(pack, 6, seed) for seed in (1, 1, 2, 3)]
    assert orders[0] == orders[1]
    assert orders[2] != orders[0] or orders[3] != orders[0]


def test_what_breaks_off_leaves_no_pack(tmp_path: Path) -> None:
    def torn() -> Iterator[tuple[list[int], list[int]]]:
        yield [1], [2]
        raise KeyboardInterrupt

    write_pack(tmp_path, PAIRS)
    with pytest.raises(KeyboardInterrupt):
        write_pack(tmp_path, torn())
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full stands for a full disk")
def test_a_full_disk_is_told_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "target.npy").symlink_to("/dev/full")
    # Of many, the buffer is written while pairs come; of few, at the end.
    for count in (1, 100_000):
        with pytest.raises(CannotWrite, match=r"target\.npy': No space left on device\. Free some space"):
            write_pack(tmp_path, (([1], [1] * 20) for _ in range(count)))
        assert not list(tmp_path.iterdir())
        (tmp_path / "target.npy").symlink_to("/dev/full")


def test_a_pack_that_is_cut_off_is_refused(pack: Pack, tmp_path: Path) -> None:
    starts = (tmp_path / "pack" / "starts.npy").read_bytes()
    write_pack(tmp_path / "pack", iter(PAIRS[:3]))
    (tmp_path / "pack" / "starts.npy").write_bytes(starts)
    with pytest.raises(BadInput, match="cut off"):
        Pack(tmp_path / "pack")
    with pytest.raises(BadInput, match="not a pack"):
        Pack(tmp_path)
