"""Pairs as token numbers in one file, and batches of them for a trainer: nothing is tokenised or padded twice.

A pack is a folder with `source.npy` and `target.npy`, all texts in a row, and `starts.npy`, (n + 1, 2), where each
begins. It is read as it lies on the disk, so a corpus takes no memory.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.errors import BadInput

__all__ = ["BatchSet", "Pack", "write_pack"]

_NAMES = ("source", "target")
# Of a vocabulary that fits; a pack is half the size of one with four bytes.
_TYPE = np.uint16
IGNORED = -100


def write_pack(folder: Path, pairs: Iterable[tuple[Sequence[int], Sequence[int]]]) -> int:
    """Write pairs of token numbers below 65,536 to `folder`; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    starts = [(0, 0)]
    parts: tuple[list[NDArray[Any]], list[NDArray[Any]]] = ([], [])
    for pair in pairs:
        for side, ids in zip(parts, pair, strict=True):
            side.append(np.asarray(ids, dtype=_TYPE))
        starts.append((starts[-1][0] + len(pair[0]), starts[-1][1] + len(pair[1])))
    for name, side in zip(_NAMES, parts, strict=True):
        np.save(folder / f"{name}.npy", np.concatenate([np.empty(0, _TYPE), *side]))
    np.save(folder / "starts.npy", np.asarray(starts, dtype=np.int64))
    return len(starts) - 1


class Pack:
    """Pairs of token numbers by index, as `write_pack` wrote them; raises `BadInput` where a file is missing or cut."""

    def __init__(self, folder: Path) -> None:
        try:
            self._texts = [np.load(folder / f"{name}.npy", mmap_mode="r") for name in _NAMES]
            self._starts = np.load(folder / "starts.npy")
        except (OSError, ValueError) as error:
            raise BadInput(f"{folder}: not a pack of pairs ({error}).", hint="Make it anew.") from None
        if [len(text) for text in self._texts] != self._starts[-1].tolist():
            raise BadInput(f"{folder}: the pack is cut off.", hint="Make it anew.")

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, index: int) -> tuple[NDArray[Any], NDArray[Any]]:
        (a, b), (c, d) = self._starts[index], self._starts[index + 1]
        return self._texts[0][a:c], self._texts[1][b:d]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each source and target, (n, 2)."""
        found: NDArray[np.int64] = np.diff(self._starts, axis=0)
        return found


class BatchSet:
    """The batches of one epoch of a pack, of pairs of like length, in an order that `seed` fixes.

    A batch has at most `tokens` on its longer side, padding counted. It is a torch dataset whose items are whole
    batches (`input_ids`, `attention_mask`, `labels`), for a loader with `batch_size=None`.
    """

    def __init__(self, pack: Pack, *, tokens: int, pad: int, seed: int = 0) -> None:
        self._pack = pack
        self._pad = pad
        self._batches = list(_batches(pack.lengths.max(axis=1), tokens, seed))

    def __len__(self) -> int:
        return len(self._batches)

    def __getitem__(self, index: int) -> dict[str, Any]:
        import torch

        pairs = [self._pack[i] for i in self._batches[index]]
        sources = _padded([source for source, _ in pairs], self._pad)
        return {
            "input_ids": torch.from_numpy(sources),
            "attention_mask": torch.from_numpy((sources != self._pad).astype(np.int64)),
            "labels": torch.from_numpy(_padded([target for _, target in pairs], IGNORED)),
        }


def _batches(lengths: NDArray[np.int64], tokens: int, seed: int) -> Iterator[list[int]]:
    rng = np.random.default_rng(seed)
    # Shuffled before a stable sort, or pairs of one length would always meet the same company.
    order = rng.permutation(len(lengths))
    order = order[np.argsort(lengths[order], kind="stable")]
    found: list[list[int]] = []
    batch: list[int] = []
    for index in order.tolist():
        if batch and (len(batch) + 1) * int(lengths[index]) > tokens:
            found.append(batch)
            batch = []
        batch.append(index)
    if batch:
        found.append(batch)
    random.Random(seed).shuffle(found)
    yield from found


def _padded(rows: Sequence[NDArray[Any]], fill: int) -> NDArray[np.int64]:
    longest = max(len(row) for row in rows)
    table = np.full((len(rows), longest), fill, dtype=np.int64)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
