"""Pairs as token numbers in files, and batches of them for a trainer: nothing is tokenised or padded twice.

A pack is a folder with `source.bin` and `target.bin`, all texts in a row, four bytes a token, and `starts.npy`,
(n + 1, 2), where each begins. Texts are written and read piece by piece, so a corpus takes no memory. For a causal
model a pair is one text: its source is what stands there before the model writes, and the target goes on from it.
"""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.errors import BadInput
from training.disk import explained
from training.heads.batches import LengthBatches

_FILES = ("source.bin", "target.bin")
_STARTS = "starts.npy"
_TOKEN = np.dtype("<u4")
IGNORED = -100
# Tokens after the source in which prompts of one source may differ: the control values and what stands around them.
_MOST_CONTROLS = 12

Pair = tuple[NDArray[Any], NDArray[Any]]


def write_pack(folder: Path, pairs: Iterable[tuple[Sequence[int], Sequence[int]]]) -> int:
    """Write pairs of token numbers to `folder`; returns how many. Raises `CannotWrite`."""
    starts = array("q", [0, 0])
    with explained(folder), contextlib.ExitStack() as stack:
        folder.mkdir(parents=True, exist_ok=True)
        files = [stack.enter_context((folder / name).open("wb", buffering=1 << 20)) for name in _FILES]
        for pair in pairs:
            for file, tokens in zip(files, pair, strict=True):
                file.write(np.asarray(tokens, dtype=_TOKEN).tobytes())
                starts.append(starts[-2] + len(tokens))
        for file in files:
            file.flush()
        np.save(folder / _STARTS, np.frombuffer(starts, dtype=np.int64).reshape(-1, 2))
    return len(starts) // 2 - 1


class Pack:
    """Pairs of token numbers by index, as `write_pack` wrote them; raises `BadInput` where a file is missing or cut."""

    def __init__(self, folder: Path) -> None:
        try:
            self._starts = np.load(folder / _STARTS)
            sizes = [(folder / name).stat().st_size for name in _FILES]
        except (OSError, ValueError) as error:
            raise BadInput(f"{folder}: not a pack of pairs ({error}).", hint="Make it anew.") from None
        if sizes != (_TOKEN.itemsize * self._starts[-1]).tolist():
            raise BadInput(f"{folder}: the pack is cut off.", hint="Make it anew.")
        # A file without data cannot be mapped.
        self._texts = [
            np.memmap(folder / name, _TOKEN, "r") if size else np.zeros(0, _TOKEN)
            for name, size in zip(_FILES, sizes, strict=True)
        ]

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


class PairBatches(LengthBatches):
    """Batches of the pairs of `packs`, each as often in an epoch as the pack's `repeats` says.

    `tokens` are of the longer side, for a `causal` model of both sides, which are one text there; its loss is on the
    target, or on the `whole` text. With `shared`, pairs of a causal model that follow one another and have one source
    are one row, in which it stands once. `settings` are those of `LengthBatches`.
    """

    def __init__(
        self,
        packs: Sequence[Pack],
        repeats: Sequence[float],
        *,
        tokens: int,
        causal: bool,
        pad: int = 0,
        whole: bool = False,
        shared: bool = False,
        **settings: Any,
    ) -> None:
        self._packs, self._causal, self._whole, self._pad = packs, causal, whole, pad
        self._runs = [runs_of_one_source(pack, tokens) for pack in packs] if shared else None
        parts = [pack.lengths for pack in packs]
        if self._runs is not None:
            parts = [_lengths_of_runs(part, runs) for part, runs in zip(parts, self._runs, strict=True)]
        sizes = [len(part) for part in parts]
        self._starts = np.cumsum([0, *sizes])
        lengths = np.concatenate(parts)
        if not len(lengths):
            raise BadInput("There are no pairs to learn from.", hint="Look at what was left out, and why.")
        super().__init__(
            range(len(lengths)),
            lengths.sum(axis=1) if causal else lengths.max(axis=1),
            counts=lengths.sum(axis=1),
            tokens=tokens,
            repeats=np.repeat(repeats, sizes),
            **settings,
        )
        if not self.batches_in_epoch:
            raise BadInput("An epoch holds no pairs.", hint="Raise `repeat`.")

    def __getitem__(self, number: int) -> dict[str, Any]:
        import torch

        return {name: torch.from_numpy(table) for name, table in self.arrays(number).items()}

    def arrays(self, number: int) -> dict[str, NDArray[Any]]:
        """The k-th batch as numpy arrays."""
        indices = self.indices(number)
        if self._runs is not None:
            return batch_of_shared([self._run(self._runs, i) for i in indices], self._pad)
        pairs = [self.pair(i) for i in indices]
        if self._causal:
            return batch_of_texts(pairs, self._pad, whole=self._whole)
        return batch_of_pairs(pairs, self._pad)

    def pair(self, index: int) -> Pair:
        """A pair by its number, packs one after the other."""
        part, place = self._place(index)
        return self._packs[part][place]

    def _run(self, runs: Sequence[NDArray[np.int64]], index: int) -> tuple[int, list[Pair]]:
        part, place = self._place(index)
        first, count, common = runs[part][place].tolist()
        return common, [self._packs[part][i] for i in range(first, first + count)]

    def _place(self, index: int) -> tuple[int, int]:
        """The number of a pack, and the place in it."""
        part = int(np.searchsorted(self._starts, index, side="right")) - 1
        return part, index - int(self._starts[part])


def _lengths_of_runs(lengths: NDArray[np.int64], runs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Tokens that all pairs of a run begin with, and the others, (n, 2)."""
    sums = np.concatenate([[0], np.cumsum(lengths.sum(axis=1))])
    first, count, common = runs.T
    return np.stack([common, sums[first + count] - sums[first] - count * common], axis=1)


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


def _alike(tokens: NDArray[Any], other: NDArray[Any]) -> int:
    """How many tokens two prompts begin with alike, but not all of either."""
    shorter = min(len(tokens), len(other))
    differing = np.flatnonzero(tokens[:shorter] != other[:shorter])
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
        same_pair = owners[:, None] == owners[None, :]
        table[0, : len(ids), : len(ids)] = np.tril(same_pair | (owners == 0)[None, :])
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
        tokens = np.concatenate([source[common:], target])
        learnt = tokens.astype(np.int64)
        learnt[: len(source) - common] = IGNORED
        ids.append(tokens)
        positions.append(np.arange(common, common + len(tokens)))
        labels.append(learnt)
        owners.append(np.full(len(tokens), number))
    return np.concatenate(ids), np.concatenate(positions), np.concatenate(labels), np.concatenate(owners)


def _padded(rows: Sequence[NDArray[Any]], fill: int) -> NDArray[np.int64]:
    longest = max(len(row) for row in rows)
    table = np.full((len(rows), longest), fill, dtype=np.int64)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
