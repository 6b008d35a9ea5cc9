"""Pairs as token numbers in one file, and batches of them for a trainer: nothing is tokenised or padded twice.

A pack is a folder with `source.npy` and `target.npy`, all texts in a row, and `starts.npy`, (n + 1, 2), where each
begins. It is written and read piece by piece, so a corpus takes no memory. For a causal model a pair is one text: its
source is what stands there before the model writes, and the target goes on from it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from rerank.errors import BadInput
from training.disk import cannot_write, explained

__all__ = [
    "IGNORED",
    "Pack",
    "batch_of_pairs",
    "batch_of_shared",
    "batch_of_texts",
    "plan_batches",
    "runs_of_one_source",
    "write_pack",
]

_NAMES = ("source", "target")
_LARGEST_SMALL = 65_536
IGNORED = -100
# Tokens after the source in which prompts of one source may differ: the control values and what stands around them.
_MOST_CONTROLS = 12

Pair = tuple[NDArray[Any], NDArray[Any]]


def write_pack(
    folder: Path, pairs: Iterable[tuple[Sequence[int], Sequence[int]]], *, vocabulary: int = _LARGEST_SMALL
) -> int:
    """Write pairs of token numbers below `vocabulary` to `folder`; returns how many.

    What breaks off leaves no pack. Raises `CannotWrite`.
    """
    # Of a vocabulary that fits; a pack is half the size of one with four bytes.
    small = np.dtype(np.uint16 if vocabulary <= _LARGEST_SMALL else np.uint32)
    files = [folder / f"{name}.npy" for name in (*_NAMES, "starts")]
    try:
        return _write(files, small, pairs)
    except BaseException:
        for path in files:
            with contextlib.suppress(OSError):
                path.unlink()
        raise


def _write(files: Sequence[Path], dtype: np.dtype[Any], pairs: Iterable[tuple[Sequence[int], Sequence[int]]]) -> int:
    with contextlib.ExitStack() as stack:
        source, target = (stack.enter_context(_Growing(path, dtype)) for path in files[:2])
        starts = stack.enter_context(_Growing(files[2], np.dtype(np.int64), columns=2))
        starts.add([0, 0])
        for pair in pairs:
            source.add(pair[0])
            target.add(pair[1])
            starts.add([source.size, target.size])
    return starts.size // 2 - 1


class _Growing:
    """An .npy file that is written from front to back; its header gets its final shape on leaving."""

    def __init__(self, path: Path, dtype: np.dtype[Any], columns: int | None = None) -> None:
        self._path = path
        self._dtype = dtype
        self._columns = columns
        self.size = 0

    def __enter__(self) -> _Growing:
        with explained(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = self._path.open("wb", buffering=1 << 20)
            self._length = self._write_header()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            # A full disk says once more that it does not take what is still in the buffer.
            with contextlib.suppress(OSError):
                self._file.close()

    def add(self, numbers: Sequence[int]) -> None:
        try:
            self._file.write(np.asarray(numbers, dtype=self._dtype).tobytes())
        except OSError as error:
            raise cannot_write(self._path, error) from error
        self.size += len(numbers)

    def _finish(self) -> None:
        with explained(self._path):
            self._file.seek(0)
            if self._write_header() != self._length:
                raise ValueError(f"{self._path}: {self.size} numbers do not fit the header.")
            self._file.close()

    def _write_header(self) -> int:
        shape = (self.size,) if self._columns is None else (self.size // self._columns, self._columns)
        described = np.lib.format.dtype_to_descr(self._dtype)
        np.lib.format.write_array_header_1_0(self._file, {"descr": described, "fortran_order": False, "shape": shape})
        return self._file.tell()


class Pack:
    """Pairs of token numbers by index, as `write_pack` wrote them; raises `BadInput` where a file is missing or cut."""

    def __init__(self, folder: Path) -> None:
        try:
            self._texts = [_mapped(folder / f"{name}.npy") for name in _NAMES]
            self._starts = np.load(folder / "starts.npy")
        except (OSError, ValueError) as error:
            raise BadInput(f"{folder}: not a pack of pairs ({error}).", hint="Make it anew.") from None
        sizes = [len(text) for text in self._texts]
        if self._starts.shape[1:] != (2,) or not len(self._starts) or sizes != self._starts[-1].tolist():
            raise BadInput(f"{folder}: the pack is cut off.", hint="Make it anew.")

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, index: int) -> Pair:
        (a, b), (c, d) = self._starts[index], self._starts[index + 1]
        return self._texts[0][a:c], self._texts[1][b:d]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each source and target, (n, 2)."""
        lengths: NDArray[np.int64] = np.diff(self._starts, axis=0)
        return lengths


def _mapped(path: Path) -> NDArray[Any]:
    # A file without data cannot be mapped.
    array: NDArray[Any] = np.load(path, mmap_mode="r" if os.path.getsize(path) > 1024 else None)
    return array


def plan_batches(lengths: NDArray[np.int64], tokens: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Indices of `lengths` in batches of like length, in random order, of at most `tokens` with padding.

    What is longer than `tokens` is a batch of its own. How many batches there are does not depend on `rng`.
    """
    # Shuffled before a stable sort, or pairs of one length would always meet the same company.
    order = rng.permutation(len(lengths))
    order = order[np.argsort(lengths[order], kind="stable")]
    cuts = list(_cuts(lengths[order].tolist(), tokens))
    batches = np.split(order, cuts) if len(order) else []
    return [batches[i] for i in rng.permutation(len(batches))]


def _cuts(lengths: Sequence[int], tokens: int) -> Iterator[int]:
    """Where a batch ends and another begins, for `lengths` in ascending order."""
    start = 0
    for place, length in enumerate(lengths):
        if place > start and (place - start + 1) * length > tokens:
            yield place
            start = place


def batch_of_pairs(pairs: Sequence[Pair], pad: int) -> dict[str, NDArray[np.int64]]:
    """What an encoder-decoder learns from: `input_ids`, `attention_mask` and `labels`, padded."""
    sources = [source for source, _ in pairs]
    return {
        "input_ids": _padded(sources, pad),
        "attention_mask": _padded([np.ones_like(source) for source in sources], 0),
        "labels": _padded([target for _, target in pairs], IGNORED),
    }


def batch_of_texts(pairs: Sequence[Pair], pad: int, *, whole: bool) -> dict[str, NDArray[np.int64]]:
    """What a causal model learns from: as `batch_of_pairs`, source and target in a row.

    The loss is on the target alone, or with `whole` on the source as well.
    """
    texts = [np.concatenate(pair) for pair in pairs]
    labels = _padded(texts, IGNORED)
    if not whole:
        for row, (source, _) in zip(labels, pairs, strict=True):
            row[: len(source)] = IGNORED
    return {
        "input_ids": _padded(texts, pad),
        "attention_mask": _padded([np.ones_like(text) for text in texts], 0),
        "labels": labels,
    }


def runs_of_one_source(pack: Pack, most: int) -> NDArray[np.int64]:
    """The runs of pairs of a causal model that follow one another and share a source, (n, 3).

    Each row has the first pair, how many there are, and how many tokens their prompts begin with alike: all but the
    last few, in which controls may differ. A run has at most `most` tokens, the shared ones counted once.
    """
    runs: list[tuple[int, int, int]] = []
    before: NDArray[Any] = np.zeros(0)
    size = 0
    for i in range(len(pack)):
        source, target = pack[i]
        alike = _alike(before, source)
        rest = len(source) + len(target)
        longer = max(len(before), len(source))
        if runs and longer - alike <= _MOST_CONTROLS and 2 * alike >= longer:
            first, count, common = runs[-1]
            common = min(common, alike)
            if size + rest - common <= most:
                runs[-1] = (first, count + 1, common)
                size += rest - common
                continue
        # At least one token of each prompt is its own: what is learnt first is predicted from it.
        runs.append((i, 1, len(source) - 1))
        before, size = source, rest
    return np.array(runs, dtype=np.int64).reshape(-1, 3)


def _alike(one: NDArray[Any], other: NDArray[Any]) -> int:
    """How many tokens two prompts begin with alike, but not all of either."""
    shorter = min(len(one), len(other))
    differing = np.flatnonzero(one[:shorter] != other[:shorter])
    return int(differing[0]) if len(differing) else max(shorter - 1, 0)


def batch_of_shared(runs: Sequence[tuple[int, Sequence[Pair]]], pad: int) -> dict[str, NDArray[Any]]:
    """What a causal model learns from: a row for each run, its `common` first tokens once, then each pair's own.

    A pair's tokens attend to the common ones and to their own pair's alone, and have the positions that they would have
    without the others. `attention_mask` is boolean, (rows, 1, tokens, tokens). The loss is on the targets.
    """
    rows = [_shared_row(common, pairs) for common, pairs in runs]
    longest = max(len(ids) for ids, *_ in rows)
    mask = np.zeros((len(rows), 1, longest, longest), dtype=bool)
    for table, (ids, _, _, owners) in zip(mask, rows, strict=True):
        own = owners[:, None] == owners[None, :]
        table[0, : len(ids), : len(ids)] = np.tril(own | (owners == 0)[None, :])
        # Padding looks at itself: a row of the mask without a place to look at has no softmax.
    mask |= np.eye(longest, dtype=bool)
    return {
        "input_ids": _padded([ids for ids, *_ in rows], pad),
        "position_ids": _padded([positions for _, positions, *_ in rows], 0),
        "attention_mask": mask,
        "labels": _padded([labels for _, _, labels, _ in rows], IGNORED),
    }


def _shared_row(common: int, pairs: Sequence[Pair]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Tokens, positions, labels and owners (0: common to all pairs, k: of the k-th) of a run."""
    ids = [pairs[0][0][:common]]
    positions, labels, owners = [np.arange(common)], [np.full(common, IGNORED)], [np.zeros(common, dtype=np.int64)]
    for number, (source, target) in enumerate(pairs, 1):
        own = np.concatenate([source[common:], target])
        learnt = own.astype(np.int64)
        learnt[: len(source) - common] = IGNORED
        ids.append(own)
        positions.append(np.arange(common, common + len(own)))
        labels.append(learnt)
        owners.append(np.full(len(own), number))
    return np.concatenate(ids), np.concatenate(positions), np.concatenate(labels), np.concatenate(owners)


def _padded(rows: Sequence[NDArray[Any]], fill: int) -> NDArray[np.int64]:
    longest = max(len(row) for row in rows)
    table = np.full((len(rows), longest), fill, dtype=np.int64)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
