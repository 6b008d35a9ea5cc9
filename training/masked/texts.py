"""What is learnt from, and what is held out: sentences and pairs of neighbours, no sentence twice, and as tokens."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.masked.corpora import HeldBack
from training.packed import write_pack

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
