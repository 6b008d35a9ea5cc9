"""The section `whole` of a recipe: what a judge of whole sentences learns from, how long, and how it is packed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from training.exporting.options import DataSet
from training.finetuning.options import Learning

__all__ = ["WholeOptions"]

_Path = Annotated[str, Field(min_length=1)]
_Count = Annotated[int, Field(ge=1)]


class WholeOptions(Learning):
    """What the step `wholeness` may be told; unknown keys and values out of range are refused."""

    encoder: Annotated[
        _Path, Field(description="Folder of a masked language model (training.masked_lm) to begin with.")
    ]
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
    held_back: Annotated[
        tuple[_Path, ...], Field(description="Files whose sentences measure a splitter: none of them is learnt from.")
    ] = ()
    dev: Annotated[int, Field(ge=10, description="Examples, about, that are looked at and not learnt from.")] = 2000
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    steps: Annotated[int, Field(ge=1, description="Updates of the weights.")]
    batch_tokens: Annotated[int, Field(ge=16, description="Word pieces of a batch at most, padding included.")] = 4096
    judge_every: Annotated[int, Field(ge=1, description="Steps from one look at the dev examples to the next.")] = 400
    licence: Annotated[str, Field(description="Of the model.")] = "apache-2.0"
    data: Annotated[tuple[DataSet, ...], Field(description="All sets that the model saw, with their licences.")] = ()
    max_mb: Annotated[float, Field(gt=0, description="Megabytes (10⁶ bytes) that all files together may take.")] = 12.5

    @model_validator(mode="after")
    def _known(self) -> WholeOptions:
        from training.masked.corpora import SETS as PARAGRAPHS
        from training.splitting.pairs import SETS

        pairs = set(SETS) - {"wikisplit-dev"}
        for names, known in ((self.pairs, pairs), (self.paragraphs, set(PARAGRAPHS))):
            unknown = sorted(set(names) - known)
            if unknown:
                raise ValueError(f"no set is named {', '.join(unknown)}; known: {', '.join(sorted(known))}")
        silent = [item.name for item in self.data if not (item.licence or "").strip()]
        if silent:
            raise ValueError(f"no licence line for {', '.join(map(repr, silent))}")
        return self
