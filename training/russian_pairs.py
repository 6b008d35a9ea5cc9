"""Pairs of Russian sets for training, without those that teach the wrong thing."""

from __future__ import annotations

from pathlib import Path

from rewrite.datasets import Pair, load_ruadapt
from training.calibrate_similarity import read_pairs as read_paraphrases

__all__ = ["adapted_pairs", "paraphrase_pairs"]

_CLOSED = (".", "!", "?", "…")


def paraphrase_pairs(path: Path) -> list[Pair]:
    """The paraphrases (class 1) of ParaPhraser whose sides differ in length, each from the longer to the shorter."""
    sides = [sorted(texts, key=len) for *texts, label in zip(*read_paraphrases(path), strict=True) if label == 1]
    return [Pair(long, short) for short, long in sides if len(short) < len(long)]


def adapted_pairs(folder: Path) -> list[Pair]:
    """RuAdapt's pairs that are aligned well and whose sides are both whole sentences."""
    # Poor alignments teach to invent; the corpus has sentences cut at an abbreviation, too.
    return [
        pair
        for pair in load_ruadapt(folder)
        if (pair.similarity or 0) >= 0.5 and pair.source.endswith(_CLOSED) and pair.target.endswith(_CLOSED)
    ]
