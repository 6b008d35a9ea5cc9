"""Arrays of small integers come back as they were, from a smaller file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rerank.arrays import save_arrays


def test_arrays_come_back_from_a_smaller_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    arrays = {
        "layer.0/a": np.rint(rng.normal(0, 4, (64, 2048))).astype(np.int8),
        "layer.0/scales": rng.random(64, dtype=np.float32),
        "checksum": np.array(7, np.uint32),
    }
    save_arrays(tmp_path / "mine.npz", arrays)
    np.savez_compressed(tmp_path / "usual.npz", **arrays)  # type: ignore[arg-type]
    with np.load(tmp_path / "mine.npz", allow_pickle=False) as read:
        assert list(read) == list(arrays)
        assert all(read[name].dtype == array.dtype for name, array in arrays.items())
        assert all(np.array_equal(read[name], array) for name, array in arrays.items())
    assert (tmp_path / "mine.npz").stat().st_size < 0.95 * (tmp_path / "usual.npz").stat().st_size
