"""The section `whole` of a recipe: what a judge of whole sentences learns from, how long, and how it is packed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from training.encoders.options import EncoderOptions
from training.exporting.options import Megabytes
from training.splitting.plain import Pairs, Paragraphs, require_sets

__all__ = ["WholeOptions"]


class WholeOptions(EncoderOptions):
    """What the step `wholeness` may be told; unknown keys and values out of range are refused."""

    pairs: Pairs
    paragraphs: Paragraphs
    proposals: Annotated[
        int, Field(ge=0, description="Complex sentences of which the bundled splitter's broken proposals are taken.")
    ] = 0
    each: Annotated[int, Field(ge=1, description="Proposals of a sentence at most.")] = 4
    dev: Annotated[int, Field(ge=10, description="Examples, about, that are looked at and not learnt from.")] = 2000
    max_mb: Megabytes = 12.5

    @model_validator(mode="after")
    def _known(self) -> WholeOptions:
        require_sets(self.pairs, self.paragraphs)
        return self
