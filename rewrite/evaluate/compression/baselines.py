"""Baselines that need no model, at the compression rate of a system or of the gold compressions.

How many words a sentence keeps is settled first, by one rate for the whole set or by what a system kept of each
sentence; which words, is the baseline. Every sentence keeps one word at least.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rewrite.evaluate.compression.words import Splitter, kept_text

__all__ = ["BASELINES", "baseline_outputs", "budgets_at", "budgets_of"]

# Words in the sentence, words to keep, generator: the places kept, in order.
_Choice = Callable[[int, int, np.random.Generator], Sequence[int]]

BASELINES: dict[str, _Choice] = {
    "drop head": lambda words, kept, rng: range(words - kept, words),
    "drop tail": lambda words, kept, rng: range(kept),
    "random drop": lambda words, kept, rng: sorted(rng.choice(words, size=kept, replace=False).tolist()),
}


def budgets_at(lengths: Sequence[int], rate: float) -> list[int]:
    """Words to keep of sentences with `lengths` words (each at least 1), at one `rate` in (0, 1] for all.

    What rounding adds to one sentence is taken off the next, so that the sum is `rate` of all words to half a word
    (more where the last sentences are so short that keeping a word of each is too much).
    """
    budgets: list[int] = []
    words = kept = 0
    for length in lengths:
        words += length
        budgets.append(min(length, max(1, round(rate * words) - kept)))
        kept += budgets[-1]
    return budgets


def budgets_of(lengths: Sequence[int], kept: Sequence[float]) -> list[int]:
    """Words to keep of each sentence where a system, or the mean of annotators, kept `kept`: rounded, 1 to all."""
    return [min(length, max(1, round(count))) for length, count in zip(lengths, kept, strict=True)]


def baseline_outputs(
    name: str, sources: Sequence[str], splitters: Sequence[Splitter], budgets: Sequence[int], *, seed: int = 0
) -> list[str]:
    """The outputs of the baseline `name` of `BASELINES`; `seed` settles what random drop draws."""
    choose = BASELINES[name]
    rng = np.random.default_rng(seed)
    outputs = []
    for source, splitter, budget in zip(sources, splitters, budgets, strict=True):
        spans = splitter.spans(source)
        kept = choose(len(spans), budget, rng) if spans else ()
        outputs.append(kept_text(source, [spans[place] for place in kept], splitter.gap))
    return outputs
