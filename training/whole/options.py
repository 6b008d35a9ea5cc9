"""The section `whole` of a recipe: what a judge of whole sentences learns from, how long, and how it is packed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from training.exporting.options import Megabytes
from training.heads.options import Count, HeadOptions
from training.splitting.pairs import Pairs, Paragraphs, require_sets

__all__ = ["WholeOptions"]


class WholeOptions(HeadOptions):
    """What the step `wholeness` may be told; unknown keys and values out of range are refused."""

    pairs: Pairs
    paragraphs: Paragraphs
    proposals: Annotated[int, Field(ge=0)] = 0
    """Complex sentences of which the bundled splitter's broken proposals are taken."""
    each: Count = 4
    """Proposals of a sentence at most."""
    dev: Annotated[int, Field(ge=10)] = 2000
    """Examples, about, that are looked at and not learnt from."""
    max_mb: Megabytes = 12.5

    @model_validator(mode="after")
    def _known(self) -> WholeOptions:
        require_sets(self.pairs, self.paragraphs)
        return self
