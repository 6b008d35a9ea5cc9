"""The section `masked` of a recipe: a small masked language model, from nothing or an earlier one, and its packing."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from training.exporting.options import DataSet, Megabytes, require_licences
from training.finetuning.options import Learning
from training.section import Section

__all__ = ["MaskedExport", "MaskedOptions", "TextFile", "Weights"]

Weights = Literal["int8", "float32"]

_Path = Annotated[str, Field(min_length=1)]
_Share = Annotated[float, Field(gt=0, le=1)]


class TextFile(Section):
    """A file of one's own: UTF-8, a paragraph a line, plain or packed (.gz, .bz2, .xz)."""

    path: _Path
    share: Annotated[_Share, Field(description="Of its paragraphs, drawn with the seed.")] = 1.0


class MaskedExport(Section):
    """How the model is packed (python -m training.export_masked)."""

    licence: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.+-]*$", description="Of the model, as the hub writes it.")]
    data: Annotated[tuple[DataSet, ...], Field(min_length=1, description="All sets of texts that the model saw.")]
    summary: Annotated[str, Field(description="What the model is, in a sentence or two.")] = ""
    limits: Annotated[tuple[str, ...], Field(description="What it does badly, a sentence each.")] = ()
    weights: Annotated[Weights, Field(description="Numbers that the weights are kept in.")] = "int8"
    max_mb: Megabytes = 15.0
    same: Annotated[
        float, Field(ge=0, le=1, description="Least share of held-out masks with the checkpoint's first word.")
    ] = 0.9
    gap: Annotated[
        float, Field(ge=0, description="Most that log-probabilities of the right words may differ, nats on average.")
    ] = 0.1

    @model_validator(mode="after")
    def _licences_are_told(self) -> MaskedExport:
        require_licences(self.data)
        return self


class MaskedOptions(Learning):
    """What the step `masked_lm` may be told; unknown keys and values out of range are refused."""

    start: Annotated[
        _Path | None,
        Field(description="Folder of a run that is over, to go on from its weights, vocabulary and held-out texts."),
    ] = None
    sets: Annotated[
        dict[str, _Share],
        Field(default_factory=dict, description="Sets of the data folder by name, and the share of their paragraphs."),
    ]
    files: Annotated[tuple[TextFile, ...], Field(description="Text of one's own.")] = ()
    held_back: Annotated[
        tuple[_Path, ...],
        Field(
            description="Texts that measure the model later: files of lines, JSON lines (texts) or CSV (all fields)."
        ),
    ] = ()
    held_out: Annotated[_Share, Field(description="Share of paragraphs kept for the loss.")] = 0.01
    joined: Annotated[float, Field(ge=0, le=1, description="Share of sentences that the next one is joined to.")] = 0.2
    unstopped: Annotated[
        float, Field(ge=0, le=1, description="Share of texts without their last stop, as compressed ones often are.")
    ] = 0.08
    vocabulary: Annotated[int, Field(ge=100, le=65_536, description="Pieces of words, special ones among them.")] = (
        16_000
    )
    window: Annotated[int, Field(ge=8, le=512, description="Tokens of a text at most, special ones included.")] = 128
    width: Annotated[int, Field(ge=16, multiple_of=8, description="Of its vectors.")] = 256
    layers: Annotated[int, Field(ge=1, le=24)] = 6
    heads: Annotated[int, Field(ge=1, le=32)] = 4
    masked: Annotated[
        float,
        Field(gt=0, lt=0.6, description="Share of words masked, on average; a text's own is 0.5 to 1.5 times it."),
    ] = 0.18
    whole_words: Annotated[
        float, Field(ge=0, le=1, description="Share of texts with whole words masked; of the others, pieces of words.")
    ] = 0.5
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    steps: Annotated[int, Field(ge=1, description="Updates of the weights.")]
    batch_tokens: Annotated[int, Field(ge=16, description="Of a batch at most, padding included.")] = 4096
    judge_every: Annotated[int, Field(ge=1, description="Steps from one look at the held-out texts to the next.")] = (
        1000
    )
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
