"""The section `splitter` of a recipe: what a splitter learns from, how long, and how it is packed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from training.exporting.options import Megabytes
from training.heads.options import Count, HeadOptions, Name, Share
from training.masked.corpora import SETS as PARAGRAPHS
from training.splitting.pairs import SETS
from training.splitting.websplit import SIDES, WebSplitOptions

__all__ = ["SplitterOptions"]


class SplitterOptions(HeadOptions):
    """What the step `splitter` may be told; unknown keys and values out of range are refused."""

    start: Name | None = None
    """Folder of an earlier run of this step, with whose network this one begins."""
    websplit: WebSplitOptions | None = None
    """Where the sets websplit and websplit-dev are, and what is drawn."""
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
        pairs = (*SETS, *SIDES)
        for names, known in ((self.sets, pairs), (self.neighbours, tuple(PARAGRAPHS)), ((self.dev,), pairs)):
            unknown = sorted(set(names) - set(known))
            if unknown:
                raise ValueError(f"no set is named {', '.join(unknown)}; known: {', '.join(known)}")
        if self.websplit is None and {*self.sets, self.dev} & set(SIDES):
            raise ValueError("the set websplit needs the section websplit, which says where the benchmark is")
        return self
