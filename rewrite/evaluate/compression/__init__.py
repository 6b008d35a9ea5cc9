"""Evaluation of sentence compression, of any system's outputs: docs/evaluation.md."""

from __future__ import annotations

from rewrite.evaluate.compression.data import CompressionExample, CompressionSet
from rewrite.evaluate.compression.run import BASELINE_NAMES, CompressionSettings, evaluate_compression
from rewrite.evaluate.compression.sets import SETS, load_set

__all__ = [
    "BASELINE_NAMES",
    "SETS",
    "CompressionExample",
    "CompressionSet",
    "CompressionSettings",
    "evaluate_compression",
    "load_set",
]
