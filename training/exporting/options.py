"""The section `export` of a recipe: how the model is packed."""

from __future__ import annotations

from training.section import Section

__all__ = ["ExportOptions"]


class ExportOptions(Section):
    """What the step `export` may be told; unknown keys and values out of range are refused."""
