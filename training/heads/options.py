"""What the sections of all heads share, and the kinds of values that sections of recipes have."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from training.exporting.options import DataSet, Megabytes, require_licences
from training.finetuning.options import Learning

__all__ = ["Count", "HeadOptions", "Name", "Share"]

Name = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]


class HeadOptions(Learning):
    """How a network on a small encoder is trained and packed, whatever it tells; a section sets how large it may be."""

    encoder: Name
    """Folder of a masked language model (training.masked_lm) to begin with; or bundled:en."""
    held_back: tuple[Name, ...] = ()
    """Files whose sentences measure a splitter: none of them is learnt from."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    steps: Count
    """Updates of the weights."""
    batch_tokens: Annotated[int, Field(ge=16)] = 4096
    """Word pieces of a batch at most, padding included."""
    judge_every: Count = 400
    """Steps from one look at the dev examples to the next."""
    licence: str = "apache-2.0"
    """Of the model."""
    data: tuple[DataSet, ...] = ()
    """All sets that the model saw, with their licences."""
    max_mb: Megabytes

    @model_validator(mode="after")
    def _licences_are_told(self) -> HeadOptions:
        require_licences(self.data)
        return self
