"""The section `finetune` of a recipe: how the model learns."""

from __future__ import annotations

from training.section import Section

__all__ = ["FinetuneOptions"]


class FinetuneOptions(Section):
    """What the step `finetune` may be told; unknown keys and values out of range are refused."""
