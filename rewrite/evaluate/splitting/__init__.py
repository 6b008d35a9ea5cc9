"""Evaluation of split-and-rephrase, of any system's outputs: docs/evaluation.md."""

from __future__ import annotations

from rewrite.evaluate.splitting.corpora import SETS
from rewrite.evaluate.splitting.scoring import RESERVED, SplitScoring

__all__ = ["RESERVED", "SETS", "SplitScoring"]
