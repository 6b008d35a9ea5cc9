"""The section `weights` of a recipe: how the weights are searched."""

from __future__ import annotations

from training.section import Section

__all__ = ["WeightOptions"]


class WeightOptions(Section):
    """What the step `weights` may be told; unknown keys and values out of range are refused."""
