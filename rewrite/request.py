"""What a user may ask for: one declaration that the command line, the Python API and a server share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rewrite.errors import BadOption

__all__ = ["Options", "make_options"]


def _flag(*names: str) -> dict[str, Any]:
    """The short spelling of an option on the command line; the long one is the field's name."""
    return {"flags": list(names)}


class Options(BaseModel):
    """How a text is rewritten. Unknown names and values out of range are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    n: Annotated[
        int,
        Field(ge=1, le=10_000, description="Candidates drawn for each sentence.", json_schema_extra=_flag("-n", "--n")),
    ] = 30
    best: Annotated[
        int | None,
        Field(
            ge=1, le=10_000, description="How many of the best rewrites to return (as text 1, in JSONL all of them)."
        ),
    ] = None
    diverse: Annotated[
        bool, Field(description="Among the --best, prefer rewrites that differ from each other over near copies.")
    ] = False
    preset: Annotated[
        str, Field(min_length=1, description="Weights: balanced, accurate, simple, paper, or a YAML file of your own.")
    ] = "balanced"
    control: Annotated[
        float | None,
        Field(
            ge=0,
            le=10,
            allow_inf_nan=False,
            description="One knob instead of weights: 0 keeps the meaning, 10 is as simple as can be.",
        ),
    ] = None
    weights: Annotated[
        dict[str, float],
        Field(
            description="Weight of one component, as in similarity=2; may be repeated; overrides preset and control.",
            json_schema_extra=_flag("-w", "--weight"),
        ),
    ] = Field(default_factory=dict)
    generator: Annotated[str, Field(min_length=1, description="Where candidates come from: edits, deletion, …")] = (
        "edits"
    )
    variant: Annotated[
        Literal["paper", "released"],
        Field(description="RuSimScore as its paper prints it, or as its released code computes it."),
    ] = "released"
    seed: Annotated[int, Field(ge=0, lt=2**63, description="Fixes the draw: same seed, same candidates.")] = 0
    strict: Annotated[
        bool, Field(description="Block candidates that drop a number, name, date, unit or quotation as well.")
    ] = False


def make_options(**values: Any) -> Options:
    """`Options(**values)`, with a `BadOption` that names the option and quotes the value instead of pydantic's own."""
    try:
        return Options(**values)
    except ValidationError as error:
        raise BadOption("; ".join(_explain(item) for item in error.errors())) from None


def _explain(item: Any) -> str:
    name = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        return f"unknown option {name!r}, known: {', '.join(Options.model_fields)}"
    return f"option {name!r} got {item['input']!r}: {item['msg']}"
