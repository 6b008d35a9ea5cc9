"""The section `export` of a recipe: how the model is packed, and what its card says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, model_validator

from training.section import Section

__all__ = [
    "DataSet",
    "ExportOptions",
    "Megabytes",
    "PackedOptions",
    "Quantization",
    "VerifyOptions",
    "require_licences",
]

Quantization = Literal["int8", "int8_float32", "float16", "float32"]
Megabytes = Annotated[float, Field(gt=0, description="Megabytes (10⁶ bytes) that all files together may take.")]
_Text = Annotated[str, Field(min_length=1)]


class DataSet(Section):
    """A set of texts that the model has learnt from."""

    name: Annotated[_Text, Field(description="As its makers call it.")]
    licence: Annotated[
        str | None,
        Field(description="Its licence, as stated at its origin; where none is stated, `none stated`. Never left out."),
    ] = None
    used_for: Annotated[str, Field(description="Pre-training, fine-tuning, choice of weights …")] = ""
    origin: Annotated[str, Field(description="Where it is from: an address, or a reference.")] = ""
    hub: Annotated[str | None, Field(description="Its name on the Hugging Face hub, if it is there.")] = None


def require_licences(data: Sequence[DataSet]) -> None:
    """Raise `ValueError` with the names of those sets of which nobody says under what licence they are."""
    silent = [item.name for item in data if not (item.licence or "").strip()]
    if silent:
        raise ValueError(
            f"no licence line for {', '.join(map(repr, silent))} (write `none stated` where its origin states none)"
        )


class VerifyOptions(Section):
    """How far the packed model may be from the checkpoint. Bounds that are not given depend on the quantisation."""

    sentences: Annotated[tuple[_Text, ...], Field(description="What both are asked; by default a dozen of ours.")] = ()
    same: Annotated[
        float | None, Field(ge=0, le=1, description="Least share of sentences with the same greedy text.")
    ] = None
    gap: Annotated[
        float | None,
        Field(ge=0, description="Most that the log-probability of the checkpoint's texts may differ, nats a token."),
    ] = None


class PackedOptions(Section):
    """What the card of a packed model tells beside figures."""

    licence: Annotated[
        str,
        Field(
            pattern=r"^[a-z0-9][a-z0-9.+-]*$", description="Of the model, as the hub writes it: apache-2.0, mit, other."
        ),
    ]
    data: Annotated[tuple[DataSet, ...], Field(min_length=1, description="All sets of texts that the model saw.")]
    summary: Annotated[str, Field(description="What the model is, in a sentence or two.")] = ""
    limits: Annotated[tuple[_Text, ...], Field(description="What it does badly, a sentence each.")] = ()

    @model_validator(mode="after")
    def _licences_are_told(self) -> PackedOptions:
        require_licences(self.data)
        return self


class ExportOptions(PackedOptions):
    """What the step `export` may be told; unknown keys and values out of range are refused."""

    licence_name: Annotated[
        _Text | None, Field(description="What the licence is, where the hub knows it as other.")
    ] = None
    model: Annotated[_Text, Field(description="Folder of the trained model, by transformers.")] = "{out}/model"
    quantization: Annotated[Quantization, Field(description="Numbers that the weights are kept in.")] = "int8"
    prompt: Annotated[
        _Text | None,
        Field(description="A shipped prompt or a YAML file; by default prompt.yaml in the folder of the model."),
    ] = None
    max_mb: Annotated[
        float | None, Field(gt=0, description="Megabytes (10⁶ bytes) that all files together may take.")
    ] = None
    base: Annotated[
        _Text | None,
        Field(description="What training began with, for the card; by default finetune.model if the hub has it."),
    ] = None
    figures: Annotated[
        _Text | None,
        Field(description="JSON file with measured figures; by default `{out}/figures.json` if it is there."),
    ] = None
    verify: VerifyOptions = VerifyOptions()

    @model_validator(mode="after")
    def _other_has_a_name(self) -> ExportOptions:
        if self.licence == "other" and self.licence_name is None:
            raise ValueError("licence is other, so licence_name has to say which")
        return self
