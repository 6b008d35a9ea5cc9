"""Evaluation of sentence compression, of any system's outputs: docs/evaluation.md."""

from __future__ import annotations

from rewrite.evaluate.compression.corpora import SETS
from rewrite.evaluate.compression.scoring import BASELINE_NAMES, CompressionScoring, CompressionSettings

__all__ = ["BASELINE_NAMES", "SETS", "CompressionScoring", "CompressionSettings"]
