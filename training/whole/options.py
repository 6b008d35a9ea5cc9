"""The section `whole` of a recipe: what a judge of whole sentences learns from, how long, and how it is packed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from training.encoders.options import EncoderOptions
from training.exporting.options import Megabytes

__all__ = ["WholeOptions"]

_Path = Annotated[str, Field(min_length=1)]
_Count = Annotated[int, Field(ge=1)]


class WholeOptions(EncoderOptions):
    """What the step `wholeness` may be told; unknown keys and values out of range are refused."""

    pairs: Annotated[
        dict[str, _Count], Field(min_length=1, description="Sets of split sentences, and how many pairs of each.")
    ]
    paragraphs: Annotated[
        dict[str, _Count],
        Field(default_factory=dict, description="Sets of running text, and how many sentences of each."),
    ]
    proposals: Annotated[
        int, Field(ge=0, description="Complex sentences of which the bundled splitter's broken proposals are taken.")
    ] = 0
    each: Annotated[int, Field(ge=1, description="Proposals of a sentence at most.")] = 4
    dev: Annotated[int, Field(ge=10, description="Examples, about, that are looked at and not learnt from.")] = 2000
    max_mb: Megabytes = 12.5

    @model_validator(mode="after")
    def _known(self) -> WholeOptions:
        from training.masked.corpora import SETS as PARAGRAPHS
        from training.splitting.pairs import SETS

        pairs = set(SETS) - {"wikisplit-dev"}
        for names, known in ((self.pairs, pairs), (self.paragraphs, set(PARAGRAPHS))):
            unknown = sorted(set(names) - known)
            if unknown:
                raise ValueError(f"no set is named {', '.join(unknown)}; known: {', '.join(sorted(known))}")
        return self
