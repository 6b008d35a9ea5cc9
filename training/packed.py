"""Pairs as token numbers in files, and batches of them for a trainer: nothing is tokenised twice.

A pack is a folder with `source.npy` and `target.npy`, all texts in a row, four bytes a token, and `starts.npy`,
(n + 1, 2), where each begins; they are read from the disk as they are asked for. For a causal model a pair is one text:
its source is what stands there before the model writes, and the target goes on from it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.errors import BadInput
from training.disk import explained
from training.heads.batches import LengthBatches, padded

_TEXTS = ("source.npy", "target.npy")
_STARTS = "starts.npy"
IGNORED = -100
# Tokens after the source in which prompts of one source may differ: the control values and what stands around them.
_MOST_CONTROLS = 12

Pair = tuple[NDArray[Any], NDArray[Any]]


def write_pack(folder: Path, pairs: Iterable[tuple[Sequence[int], Sequence[int]]]) -> int:
    """Write pairs of token numbers to `folder`; returns how many. Raises `CannotWrite`."""
    texts, starts = (array("I"), array("I")), array("q", [0, 0])
    for pair in pairs:
        for text, tokens in zip(texts, pair, strict=True):
            text.extend(tokens)
            starts.append(len(text))
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in zip(_TEXTS, texts, strict=True):
            np.save(folder / name, np.asarray(text))
        np.save(folder / _STARTS, np.asarray(starts).reshape(-1, 2))
    return len(starts) // 2 - 1


class Pack:
    """Pairs of token numbers by index, as `write_pack` wrote them; raises `BadInput` where a file is missing or cut."""

    def __init__(self, folder: Path) -> None:
        try:
            self._starts = np.load(folder / _STARTS)
            self._texts = [np.load(folder / name, mmap_mode="r") for name in _TEXTS]
        except (OSError, ValueError) as error:
            raise BadInput(f"{folder}: not a pack of pairs ({error}).", hint="Begin anew with --restart.") from None

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, index: int) -> Pair:
        (a, b), (c, d) = self._starts[index], self._starts[index + 1]
        return self._texts[0][a:c].astype(np.int64), self._texts[1][b:d].astype(np.int64)

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
        super().__init__(
            range(len(lengths)),
            lengths.sum(axis=1) if causal else lengths.max(axis=1),
            tokens=tokens,
            repeats=np.repeat(repeats, sizes),
            **settings,
        )

    def __getitem__(self, number: int) -> dict[str, Any]:
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


def batch_of_pairs(pairs: Sequence[Pair], pad: int) -> dict[str, Any]:
    """What an encoder-decoder learns from: `input_ids`, `attention_mask` and `labels`, padded tensors."""
    sources = [source for source, _ in pairs]
    return {
        "input_ids": padded(sources, pad),
        "attention_mask": padded([np.ones_like(source) for source in sources]),
        "labels": padded([target for _, target in pairs], IGNORED),
    }


def batch_of_texts(pairs: Sequence[Pair], pad: int, *, whole: bool) -> dict[str, Any]:
    """What a causal model learns from: as `batch_of_pairs`, source and target in a row.

    The loss is on the target alone, or with `whole` on the source as well.
    """
    texts = [np.concatenate(pair) for pair in pairs]
    batch = batch_of_pairs([(text, text) for text in texts], pad)
    if not whole:
        for row, (source, _) in zip(batch["labels"], pairs, strict=True):
            row[: len(source)] = IGNORED
    return batch


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
        shared = alike(before, source)
        rest = len(source) + len(target)
        longer = max(len(before), len(source))
        if runs and longer - shared <= _MOST_CONTROLS and 2 * shared >= longer:
            first, count, common = runs[-1]
            common = min(common, shared)
            if size + rest - common <= most:
                runs[-1] = (first, count + 1, common)
                size += rest - common
                continue
        # At least one token of each prompt is its own: what is learnt first is predicted from it.
        runs.append((i, 1, len(source) - 1))
        before, size = source, rest
    return np.array(runs, dtype=np.int64).reshape(-1, 3)


def alike(tokens: NDArray[Any], other: NDArray[Any]) -> int:
    """How many tokens two prompts begin with alike, but not all of either."""
    shorter = min(len(tokens), len(other))
    differing = np.flatnonzero(tokens[:shorter] != other[:shorter])
    return int(differing[0]) if len(differing) else max(shorter - 1, 0)


def batch_of_shared(runs: Sequence[tuple[int, Sequence[Pair]]], pad: int) -> dict[str, Any]:
    """What a causal model learns from: a row for each run, its `common` first tokens once, then each pair's own.

    A pair's tokens attend to the common ones and to their own pair's alone, and have the positions that they would have
    without the others. `attention_mask` is boolean, (rows, 1, tokens, tokens). The loss is on the targets.
    """
    columns = zip(*(_shared_row(common, pairs) for common, pairs in runs), strict=True)
    # Padding is of a pair of its own, or a row of the mask without a place to look at would have no softmax.
    tables = [padded(rows, fill) for rows, fill in zip(columns, (pad, 0, IGNORED, -1), strict=True)]
    ids, positions, labels, owners = tables
    mask = ((owners[:, :, None] == owners[:, None, :]) | (owners == 0)[:, None, :]).tril()
    return {"input_ids": ids, "position_ids": positions, "attention_mask": mask[:, None], "labels": labels}


def _shared_row(common: int, pairs: Sequence[Pair]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Tokens, positions, labels and owners (0: common to all pairs, k: of the k-th) of a run."""
    rows = [(pairs[0][0][:common], np.arange(common), np.full(common, IGNORED), np.zeros(common, dtype=np.int64))]
    for number, (source, target) in enumerate(pairs, 1):
        tokens = np.concatenate([source[common:], target])
        labels = np.concatenate([np.full(len(source) - common, IGNORED), target])
        rows.append((tokens, np.arange(common, common + len(tokens)), labels, np.full(len(tokens), number)))
    ids, positions, labels, owners = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    return ids, positions, labels, owners
