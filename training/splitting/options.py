"""The section `splitter` of a recipe: what a splitter learns from, how long, and how it is packed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from training.exporting.options import Megabytes
from training.heads.options import Count, HeadOptions, Name, Share
from training.splitting.pairs import require_sets

__all__ = ["SplitterOptions"]


class SplitterOptions(HeadOptions):
    """What the step `splitter` may be told; unknown keys and values out of range are refused."""

    sets: Annotated[tuple[Name, ...], Field(min_length=1)]
    """Sets of split sentences by name; the first is the style."""
    neighbours: tuple[Name, ...] = ()
    """Sets of paragraphs whose neighbouring sentences are fused."""
    fusions: Annotated[int, Field(ge=0)] = 10_000
    """Fused sentences at most."""
    repeat: dict[str, Count] = Field(default_factory=dict)
    """How often in an epoch the split sentences of a set are seen."""
    dev: Name = "wikisplit-dev"
    """The set that tells how the model does while it learns."""
    whole: dict[str, Share] = Field(default_factory=dict)
    """Share of a set's simple sentences that teach what needs no split; that of fusions is `fused`."""
    least: Count = 8
    """Examples that an opener needs to be in the list."""
    max_mb: Megabytes = 30.0

    @model_validator(mode="after")
    def _known(self) -> SplitterOptions:
        require_sets((*self.sets, self.dev), self.neighbours)
        return self
