"""Presets of the splitter's weights, under the names that those of `rewrite simplify` have."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["SPLIT_PRESETS"]

# What a chance of passing must be for a split of a sentence that is short enough already: e^(−splits/caution).
SPLIT_PRESETS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "balanced": MappingProxyType(
            {"splits": 4.5, "length": 1.5, "likelihood": 0.25, "consensus": 2.0, "caution": 5.0}
        ),
        # Splits where it is plain how, and leaves the rest alone.
        "accurate": MappingProxyType(
            {"splits": 1.0, "length": 0.3, "likelihood": 0.25, "consensus": 2.0, "caution": 5.0}
        ),
        # Splits whatever can be.
        "simple": MappingProxyType(
            {"splits": 9.0, "length": 3.0, "likelihood": 0.25, "consensus": 2.0, "caution": 5.0}
        ),
    }
)
