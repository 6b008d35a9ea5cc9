"""The section `splitter` of a recipe: what a splitter learns from, how long, and how it is packed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from training.encoders.options import EncoderOptions
from training.exporting.options import Megabytes
from training.masked.corpora import SETS as PARAGRAPHS
from training.splitting.pairs import SETS
from training.splitting.websplit import SIDES, WebSplitOptions

__all__ = ["SplitterOptions"]

_Path = Annotated[str, Field(min_length=1)]


class SplitterOptions(EncoderOptions):
    """What the step `splitter` may be told; unknown keys and values out of range are refused."""

    start: Annotated[
        _Path | None, Field(description="Folder of an earlier run of this step, with whose network this one begins.")
    ] = None
    websplit: Annotated[
        WebSplitOptions | None, Field(description="Where the sets websplit and websplit-dev are, and what is drawn.")
    ] = None
    sets: Annotated[
        tuple[_Path, ...], Field(min_length=1, description="Sets of split sentences by name; the first is the style.")
    ]
    neighbours: Annotated[
        tuple[_Path, ...], Field(description="Sets of paragraphs whose neighbouring sentences are fused.")
    ] = ()
    fusions: Annotated[int, Field(ge=0, description="Fused sentences at most.")] = 10_000
    repeat: Annotated[
        dict[str, Annotated[int, Field(ge=1)]],
        Field(default_factory=dict, description="How often in an epoch the split sentences of a set are seen."),
    ]
    dev: Annotated[_Path, Field(description="The set that tells how the model does while it learns.")] = "wikisplit-dev"
    whole: Annotated[
        dict[str, Annotated[float, Field(ge=0, le=1)]],
        Field(
            default_factory=dict,
            description="Share of a set's simple sentences that teach what needs no split; that of fusions is `fused`.",
        ),
    ]
    least: Annotated[int, Field(ge=1, description="Examples that an opener needs to be in the list.")] = 8
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
