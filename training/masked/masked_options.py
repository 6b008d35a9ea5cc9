"""The section `masked` of a recipe: a small masked language model, from nothing or an earlier one, and its packing."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from rewrite.declaration import Count, Name, Section, Share
from training.card import Megabytes, PackedOptions
from training.finetuning.learning import Learning

Weights = Literal["int8", "float32"]
_Part = Annotated[float, Field(gt=0, le=1)]


class TextFile(Section):
    """A file of one's own: UTF-8, a paragraph a line, plain or packed (.gz, .bz2, .xz)."""

    path: Name
    share: _Part = 1.0
    """Of its paragraphs, drawn with the seed."""


class MaskedExport(PackedOptions):
    """How the model is packed (python -m training.export_masked)."""

    weights: Weights = "int8"
    """Numbers that the weights are kept in."""
    max_mb: Megabytes = 15.0


class MaskedOptions(Learning):
    """What the step `masked_lm` may be told; unknown keys and values out of range are refused."""

    start: Name | None = None
    """Folder of a run that is over, to go on from its weights, vocabulary and held-out texts."""
    sets: dict[str, _Part] = Field(default_factory=dict)
    """Sets of the data folder by name, and the share of their paragraphs."""
    files: tuple[TextFile, ...] = ()
    """Text of one's own."""
    held_back: tuple[Name, ...] = ()
    """Texts that measure the model later: files of lines, JSON lines (texts) or CSV (all fields)."""
    held_out: _Part = 0.01
    """Share of paragraphs kept for the loss."""
    joined: Share = 0.2
    """Share of sentences that the next one is joined to."""
    unstopped: Share = 0.08
    """Share of texts without their last stop, as compressed ones often are."""
    vocabulary: Annotated[int, Field(ge=100, le=65_536)] = 16_000
    """Pieces of words, special ones among them."""
    window: Annotated[int, Field(ge=8, le=512)] = 128
    """Tokens of a text at most, special ones included."""
    width: Annotated[int, Field(ge=16, multiple_of=8)] = 256
    """Of its vectors."""
    layers: Annotated[int, Field(ge=1, le=24)] = 6
    heads: Annotated[int, Field(ge=1, le=32)] = 4
    masked: Annotated[float, Field(gt=0, lt=0.6)] = 0.18
    """Share of words masked, on average; a text's own is 0.5 to 1.5 times it."""
    whole_words: Share = 0.5
    """Share of texts with whole words masked; of the others, pieces of words."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    steps: Count
    """Updates of the weights."""
    batch_tokens: Annotated[int, Field(ge=16)] = 4096
    """Of a batch at most, padding included."""
    judge_every: Count = 1000
    """Steps from one look at the held-out texts to the next."""
    export: MaskedExport | None = None

    @model_validator(mode="after")
    def _fit_together(self) -> MaskedOptions:
        from training.masked.corpora import SETS

        unknown = sorted(set(self.sets) - set(SETS))
        if unknown:
            raise ValueError(f"no set is named {', '.join(unknown)}; known: {', '.join(SETS)}")
        if not self.sets and not self.files:
            raise ValueError("give sets or files to learn from")
        if self.width % self.heads:
            raise ValueError(f"width {self.width} is no multiple of heads {self.heads}")
        if self.precision == "fp16" and self.device == "cpu":
            raise ValueError("precision fp16 needs a GPU: take bf16")
        return self
