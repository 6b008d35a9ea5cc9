"""Evaluation of split-and-rephrase, of any system's outputs: docs/evaluation.md."""

from __future__ import annotations

from rewrite.evaluate.splitting.data import SplitExample, SplitSet
from rewrite.evaluate.splitting.run import RESERVED, SplitSettings, evaluate_splitting
from rewrite.evaluate.splitting.sets import SETS, load_set

__all__ = [
    "RESERVED",
    "SETS",
    "SplitExample",
    "SplitSet",
    "SplitSettings",
    "evaluate_splitting",
    "load_set",
]
