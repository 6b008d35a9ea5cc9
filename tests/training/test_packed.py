"""Pairs of token numbers in files, and batches of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rerank.errors import BadInput
from training.packed import BatchSet, Pack, write_pack

PAIRS = [([1] * n, [2] * (n + 1)) for n in (5, 1, 3, 9, 2, 2, 7)]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    assert write_pack(tmp_path / "pack", iter(PAIRS)) == len(PAIRS)
    return Pack(tmp_path / "pack")


def test_what_was_written_is_read(pack: Pack) -> None:
    assert [(source.tolist(), target.tolist()) for source, target in (pack[i] for i in range(len(pack)))] == PAIRS
    assert pack.lengths.tolist() == [[len(source), len(target)] for source, target in PAIRS]


def test_every_pair_is_in_one_batch_and_none_is_larger_than_asked_for(pack: Pack) -> None:
    pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
    batches = [BatchSet(pack, tokens=12, pad=0)[i] for i in range(len(BatchSet(pack, tokens=12, pad=0)))]
    lengths = sorted(length for batch in batches for length in batch["attention_mask"].sum(dim=1).tolist())
    assert lengths == sorted(len(source) for source, _ in PAIRS)
    assert all(batch["labels"].numel() <= 12 for batch in batches)
    assert all(((batch["labels"] == -100) | (batch["labels"] == 2)).all() for batch in batches)


def test_a_seed_fixes_the_order(pack: Pack) -> None:
    orders = [[b.tolist() for b in BatchSet(pack, tokens=6, pad=0, seed=seed)._batches] for seed in (1, 1, 2, 3)]
    assert orders[0] == orders[1]
    assert orders[2] != orders[0] or orders[3] != orders[0]


def test_a_pack_that_is_cut_off_is_refused(pack: Pack, tmp_path: Path) -> None:
    starts = (tmp_path / "pack" / "starts.npy").read_bytes()
    write_pack(tmp_path / "pack", iter(PAIRS[:3]))
    (tmp_path / "pack" / "starts.npy").write_bytes(starts)
    with pytest.raises(BadInput, match="cut off"):
        Pack(tmp_path / "pack")
    with pytest.raises(BadInput, match="not a pack"):
        Pack(tmp_path)
