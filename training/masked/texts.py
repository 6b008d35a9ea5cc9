"""What is learnt from, and what is held out: sentences and pairs of neighbours, no sentence twice, and as tokens.

In batches with masks in them; and how well a model fills the masks of texts that it has not learnt from.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.finetuning.judging import measuring
from training.heads.batches import padded
from training.masked.corpora import HeldBack
from training.masked.vocabulary import MASK, PAD
from training.packed import Pack, PairBatches, write_pack

_WORD = re.compile(r"\w+")
_MOST_HELD_OUT = 3_000
_CHUNK = 5_000
_JOINERS = frozenset("-.,/:&'’")


@dataclass(frozen=True)
class Gathered:
    """Paragraphs to learn from and paragraphs held out, and how many sentences were left out for what reason."""

    train: list[list[str]]
    held_out: list[list[str]]
    repeated: int
    held_back: int

    def __str__(self) -> str:
        learnt, kept = (sum(map(len, part)) for part in (self.train, self.held_out))
        return (
            f"{learnt:,} sentences to learn from, {kept:,} held out; left out: {self.repeated:,} that came before, "
            f"{self.held_back:,} that measure models"
        )


def gather(
    paragraphs: Iterable[list[str]],
    held_back: HeldBack,
    *,
    share: float,
    seed: int,
    held_out: Sequence[list[str]] | None = None,
) -> Gathered:
    """Paragraphs in random order, `share` of them held out (at most 3,000), or those that an earlier run `held_out`.

    A sentence that equals an earlier one but for case and marks is dropped, so none that is held out is learnt from;
    and one that is `held_back`.
    """
    shuffled = list(paragraphs)
    random.Random(seed).shuffle(shuffled)
    first = min(max(1, round(share * len(shuffled))), _MOST_HELD_OUT)
    if held_out is not None:
        shuffled, first = [*held_out, *shuffled], len(held_out)
    seen: set[int] = set()
    kept: list[list[str]] = []
    repeated = measuring = 0
    for paragraph in shuffled:
        new = []
        for sentence in paragraph:
            key = hash(tuple(_WORD.findall(sentence.lower())))
            if key in seen:
                repeated += 1
            elif sentence in held_back:
                measuring += 1
            else:
                seen.add(key)
                new.append(sentence)
        kept.append(new)
    train, held_out = ([paragraph for paragraph in part if paragraph] for part in (kept[first:], kept[:first]))
    return Gathered(train=train, held_out=held_out, repeated=repeated, held_back=measuring)


def rows(paragraphs: Sequence[Sequence[str]], *, joined: float, unstopped: float, seed: int) -> Iterator[str]:
    """Texts: a sentence, or with the share `joined` two neighbours; some without the stop at their end."""
    rng = random.Random(seed)
    for paragraph in paragraphs:
        left = list(paragraph)
        while left:
            text = left.pop(0)
            if left and rng.random() < joined:
                text = f"{text} {left.pop(0)}"
            yield text.removesuffix(".") if rng.random() < unstopped else text


def begins(text: str, tokens: Sequence[str], offsets: Sequence[tuple[int, int]]) -> list[int]:
    """For each token 1 where a word begins, 0 where it goes on: `well-known` and `1,300` are one word each."""
    marks: list[int] = []
    for i, (token, (start, end)) in enumerate(zip(tokens, offsets, strict=True)):
        touches = i > 0 and offsets[i - 1][1] == start
        if text[start:end] in _JOINERS:
            goes_on = touches and text[start - 1].isalnum() and text[end : end + 1].isalnum()
        else:
            # After a joiner that goes on itself, and so stands between two letters or numbers.
            goes_on = touches and text[start - 1] in _JOINERS and not marks[-1]
        marks.append(0 if goes_on or token.startswith("##") else 1)
    return marks


def write_rows(folder: Path, tokenizer: Any, texts: Iterable[str], window: int) -> int:
    """Write the texts that fit the window to a pack of pairs: tokens, and a mark at each that begins a word.

    Special tokens are included, each a word of its own. Returns how many fit. Raises `CannotWrite`.
    """

    def encoded() -> Iterator[tuple[list[int], list[int]]]:
        left = iter(texts)
        while chunk := list(itertools.islice(left, _CHUNK)):
            for text, row in zip(chunk, tokenizer.encode_batch(chunk), strict=True):
                if 2 < len(row.ids) <= window:
                    yield row.ids, [1, *begins(text, row.tokens[1:-1], row.offsets[1:-1]), 1]

    return write_pack(folder, encoded())


Flags = NDArray[np.bool_]
Figures = dict[str, float]


class MaskedBatches(PairBatches):
    """A torch dataset whose k-th item is the k-th batch of the run, of texts of like length.

    An item has `input_ids` (rows, longest), the flat `places` of the masks in it and the tokens that stood there,
    `targets`; and `attention_mask`, where rows are of several lengths. What is masked depends on the seed and the
    number of the batch alone.
    """

    def __init__(self, pack: Pack, *, seed: int, share: float, whole: float, **settings: Any) -> None:
        super().__init__([pack], [1.0], causal=False, seed=seed, **settings)
        self._masked, self._whole_words, self._mask_seed = share, whole, seed

    def __getitem__(self, number: int) -> dict[str, Any]:
        import torch

        pairs = [self.pair(i) for i in self.indices(number)]
        tokens, starts = padded([row for row, _ in pairs], PAD).numpy(), padded([marks for _, marks in pairs]).numpy()
        lengths = np.array([len(row) for row, _ in pairs])
        there = np.arange(tokens.shape[1]) < lengths[:, None]
        rng = np.random.default_rng([self._mask_seed, 1, number])
        places = np.flatnonzero(choose(starts, lengths, rng, share=self._masked, whole=self._whole_words))
        targets = tokens.ravel()[places]
        tokens.ravel()[places] = MASK
        tables = {"input_ids": tokens, "places": places, "targets": targets}
        if not there.all():
            tables["attention_mask"] = there.astype(np.int64)
        return {name: torch.from_numpy(table) for name, table in tables.items()}


def choose(
    starts: NDArray[Any], lengths: NDArray[np.int64], rng: np.random.Generator, *, share: float, whole: float
) -> Flags:
    """True at each token to be masked, (rows, longest); never a special token, and in each row at least one.

    `starts` (rows, longest) is 1 where a word begins. A row's own share is drawn from 0.5 to 1.5 times `share`. In the
    share `whole` of rows words are masked with all their tokens, in the others each token for itself.
    """
    rows, longest = starts.shape
    places = np.arange(longest)
    free = (places > 0) & (places < lengths[:, None] - 1)
    words = np.cumsum(starts, axis=1) - 1
    by_token = rng.random((rows, longest))
    by_word = np.take_along_axis(rng.random((rows, longest)), np.minimum(words, longest - 1), axis=1)
    drawn = np.where(rng.random((rows, 1)) < whole, by_word, by_token)
    drawn = np.where(free, drawn, 2.0)
    bound = share * (0.5 + rng.random((rows, 1)))
    chosen: Flags = free & (drawn <= np.maximum(bound, drawn.min(axis=1, keepdims=True)))
    return chosen


def measure(model: Any, batches: MaskedBatches) -> Figures:
    """On all held-out texts once, with the masks of epoch 0.

    `loss` in nats a mask, `accuracy`, the share of masks whose first guess is right, and how many `masks` there were.
    """
    loss, right, masks = 0.0, 0, 0
    with measuring(model, batches) as every:
        for batch in every:
            said, count = model(**batch), len(batch["targets"])
            loss += float(said["loss"]) * count
            right += int((said["logits"].argmax(-1) == batch["targets"]).sum())
            masks += count
    return {"loss": loss / max(masks, 1), "accuracy": right / max(masks, 1), "masks": masks}


def frequency_baseline(batches: MaskedBatches, counts: NDArray[np.int64]) -> Figures:
    """What one reaches by the frequency of tokens alone: `counts` of each in the texts learnt from."""
    smooth = (counts + 1.0) / (counts + 1.0).sum()
    targets = np.concatenate([batches[number]["targets"] for number in range(batches.batches_in_epoch)])
    right = float((targets == int(counts.argmax())).mean())
    return {"loss": float(-np.log(smooth[targets]).mean()), "accuracy": right, "masks": len(targets)}
