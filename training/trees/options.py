"""The section `trees` of a recipe: which treebanks a parser learns from, how long, and how it is packed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from training.encoders.options import EncoderOptions
from training.exporting.options import Megabytes

__all__ = ["TreesOptions"]


class TreesOptions(EncoderOptions):
    """What the step `english_trees` may be told; unknown keys and values out of range are refused."""

    treebanks: Annotated[
        str,
        Field(min_length=1, description="A recipe of training.english_parser, or its file: its train, dev and test."),
    ]
    heads_rate: Annotated[
        float, Field(gt=0, le=100, description="How many times faster than the encoder all other weights learn.")
    ] = 4.0
    least: Annotated[int, Field(ge=1, description="Words that a set of features needs to be told.")] = 2
    max_mb: Megabytes = 13.0
