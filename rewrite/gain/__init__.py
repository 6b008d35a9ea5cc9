"""How much a candidate is expected to gain in the eyes of human editors, whatever generator it is from."""

from __future__ import annotations

from rewrite.gain.scorer import FEATURES, Gain, GainModel

__all__ = ["FEATURES", "Gain", "GainModel"]
