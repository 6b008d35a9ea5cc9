"""Presets of the splitter's weights, under the names that those of `rewrite simplify` have."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["SPLIT_PRESETS"]

SPLIT_PRESETS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "balanced": MappingProxyType(
            {"splits": 11.0, "length": 6.0, "likelihood": 1.0, "consensus": 6.0, "caution": 1.25, "wholeness": 3.0}
        ),
        # Splits where it is plain how, and leaves the rest alone.
        "accurate": MappingProxyType(
            {"splits": 1.5, "length": 0.5, "likelihood": 1.0, "consensus": 6.0, "caution": 2.0, "wholeness": 3.0}
        ),
        # Splits whatever can be.
        "simple": MappingProxyType(
            {"splits": 25.0, "length": 6.0, "likelihood": 1.0, "consensus": 6.0, "caution": 0.5, "wholeness": 2.0}
        ),
    }
)
