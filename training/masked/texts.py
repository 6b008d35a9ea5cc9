"""What is learnt from, and what is held out: sentences and pairs of neighbours, no sentence twice."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from training.held_back import HeldBack

__all__ = ["Gathered", "gather", "rows"]

_WORD = re.compile(r"\w+")
_MOST_HELD_OUT = 3_000


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
    found = list(paragraphs)
    random.Random(seed).shuffle(found)
    first = min(max(1, round(share * len(found))), _MOST_HELD_OUT)
    if held_out is not None:
        found, first = [*held_out, *found], len(held_out)
    seen: set[int] = set()
    kept: list[list[str]] = []
    repeated = measuring = 0
    for paragraph in found:
        own = []
        for sentence in paragraph:
            key = hash(tuple(_WORD.findall(sentence.lower())))
            if key in seen:
                repeated += 1
            elif sentence in held_back:
                measuring += 1
            else:
                seen.add(key)
                own.append(sentence)
        kept.append(own)
    train, held_out = ([one for one in part if one] for part in (kept[first:], kept[:first]))
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
