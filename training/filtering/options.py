"""The section `filter` of a recipe: which pairs are kept."""

from __future__ import annotations

from training.section import Section

__all__ = ["FilterOptions"]


class FilterOptions(Section):
    """What the step `filter` may be told; unknown keys and values out of range are refused."""
