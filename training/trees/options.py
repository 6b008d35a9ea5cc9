"""The section `trees` of a recipe: what a parser learns from, how long, and how it is packed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from training.exporting.options import Megabytes
from training.heads.options import Count, HeadOptions, Name
from training.section import Section
from training.splitting.pairs import Pairs, Paragraphs, require_sets

__all__ = ["SilverOptions", "TreesOptions"]


class SilverOptions(Section):
    """Sentences without trees, to which several parsers that learnt from the treebanks alone give theirs together."""

    pairs: Pairs
    paragraphs: Paragraphs
    teachers: Annotated[int, Field(ge=1, le=9)] = 3
    """Parsers that find the trees, each of another seed."""
    steps: Count
    """Updates of the weights of each of them."""
    again: Count = 4
    """How often a sentence of the treebanks is learnt for once that such a one is."""

    @model_validator(mode="after")
    def _known(self) -> SilverOptions:
        require_sets(self.pairs, self.paragraphs)
        return self


class TreesOptions(HeadOptions):
    """What the step `english_trees` may be told; unknown keys and values out of range are refused."""

    treebanks: Name
    """A recipe of training.english_parser, or its file: its train, dev and test."""
    silver: SilverOptions | None = None
    heads_rate: Annotated[float, Field(gt=0, le=100)] = 4.0
    """How many times faster than the encoder all other weights learn."""
    least: Count = 2
    """Words that a set of features needs to be told."""
    max_mb: Megabytes = 13.0
