"""How much a candidate is expected to gain in the eyes of human editors, whatever generator it is from."""

from __future__ import annotations

from rewrite.quality.features import FEATURES
from rewrite.quality.model import QualityModel
from rewrite.quality.scorer import Quality

__all__ = ["FEATURES", "Quality", "QualityModel"]
