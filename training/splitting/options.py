"""The section `splitter` of a recipe: what a splitter learns from, how long, and how it is packed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from training.exporting.options import DataSet
from training.finetuning.options import Learning
from training.splitting.websplit import SIDES, WebSplitOptions

__all__ = ["SplitterOptions"]

_Path = Annotated[str, Field(min_length=1)]


class SplitterOptions(Learning):
    """What the step `splitter` may be told; unknown keys and values out of range are refused."""

    encoder: Annotated[
        _Path, Field(description="Folder of a masked language model (training.masked_lm) to begin with.")
    ]
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
    held_back: Annotated[
        tuple[_Path, ...], Field(description="Files whose sentences measure the model: none of them is learnt from.")
    ] = ()
    dev: Annotated[_Path, Field(description="The set that tells how the model does while it learns.")] = "wikisplit-dev"
    whole: Annotated[
        dict[str, Annotated[float, Field(ge=0, le=1)]],
        Field(
            default_factory=dict,
            description="Share of a set's simple sentences that teach what needs no split; that of fusions is `fused`.",
        ),
    ]
    least: Annotated[int, Field(ge=1, description="Examples that an opener needs to be in the list.")] = 8
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    steps: Annotated[int, Field(ge=1, description="Updates of the weights.")]
    batch_tokens: Annotated[int, Field(ge=16, description="Word pieces of a batch at most, padding included.")] = 4096
    judge_every: Annotated[int, Field(ge=1, description="Steps from one look at the dev set to the next.")] = 400
    licence: Annotated[str, Field(description="Of the model.")] = "apache-2.0"
    data: Annotated[tuple[DataSet, ...], Field(description="All sets that the model saw, with their licences.")] = ()
    max_mb: Annotated[float, Field(gt=0, description="Megabytes (10⁶ bytes) that all files together may take.")] = 30.0

    @model_validator(mode="after")
    def _known(self) -> SplitterOptions:
        from training.masked.corpora import SETS as PARAGRAPHS
        from training.splitting.pairs import SETS

        pairs = (*SETS, *SIDES)
        for names, known in ((self.sets, pairs), (self.neighbours, tuple(PARAGRAPHS)), ((self.dev,), pairs)):
            unknown = sorted(set(names) - set(known))
            if unknown:
                raise ValueError(f"no set is named {', '.join(unknown)}; known: {', '.join(known)}")
        if self.websplit is None and {*self.sets, self.dev} & set(SIDES):
            raise ValueError("the set websplit needs the section websplit, which says where the benchmark is")
        silent = [item.name for item in self.data if not (item.licence or "").strip()]
        if silent:
            raise ValueError(f"no licence line for {', '.join(map(repr, silent))}")
        return self
