"""What the sections `splitter`, `whole` and `trees` share: networks that begin with a masked language model."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from training.exporting.options import DataSet, Megabytes, require_licences
from training.finetuning.options import Learning

__all__ = ["EncoderOptions"]

_Path = Annotated[str, Field(min_length=1)]


class EncoderOptions(Learning):
    """How a network on a small encoder is trained and packed, whatever it tells; a section sets how large it may be."""

    encoder: Annotated[
        _Path,
        Field(description="Folder of a masked language model (training.masked_lm) to begin with; or bundled:en."),
    ]
    held_back: Annotated[
        tuple[_Path, ...], Field(description="Files whose sentences measure a splitter: none of them is learnt from.")
    ] = ()
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    steps: Annotated[int, Field(ge=1, description="Updates of the weights.")]
    batch_tokens: Annotated[int, Field(ge=16, description="Word pieces of a batch at most, padding included.")] = 4096
    judge_every: Annotated[int, Field(ge=1, description="Steps from one look at the dev examples to the next.")] = 400
    licence: Annotated[str, Field(description="Of the model.")] = "apache-2.0"
    data: Annotated[tuple[DataSet, ...], Field(description="All sets that the model saw, with their licences.")] = ()
    max_mb: Megabytes

    @model_validator(mode="after")
    def _licences_are_told(self) -> EncoderOptions:
        require_licences(self.data)
        return self
