"""How much a candidate is expected to gain in the eyes of human editors, whatever generator it is from."""

from __future__ import annotations

from rewrite.gain.features import FEATURES
from rewrite.gain.scorer import Gain, GainModel

__all__ = ["FEATURES", "Gain", "GainModel"]
