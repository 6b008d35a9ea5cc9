"""What a user may ask of a split: one declaration for the command line and the Python API."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from rewrite.declaration import declared, flags

__all__ = ["SplitOptions", "split_options"]


class SplitOptions(BaseModel):
    """How a text is split. Unknown names and values out of range are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sentences: Annotated[
        int | None,
        Field(
            ge=1,
            le=50,
            description="Sentences wanted of each sentence. Without it two, and more while one has over 20 words.",
        ),
    ] = None
    max_words: Annotated[
        int | None,
        Field(ge=3, le=1000, description="Go on splitting while a sentence has more words than this."),
    ] = None
    n: Annotated[
        int,
        Field(
            ge=1,
            le=1000,
            description="Candidates for each sentence.",
            json_schema_extra=flags("-n", "--n"),
        ),
    ] = 10
    best: Annotated[
        int | None,
        Field(ge=1, le=1000, description="How many of the best to return (as text 1, in JSONL all of them)."),
    ] = None
    preset: Annotated[
        str,
        Field(min_length=1, description="Weights: balanced, accurate, simple, or a YAML file of your own."),
    ] = "balanced"
    control: Annotated[
        float | None,
        Field(
            ge=0,
            le=10,
            allow_inf_nan=False,
            description="One knob instead of weights: 0 splits only where it is plain how, 10 whatever can be.",
        ),
    ] = None
    weights: Annotated[
        dict[str, float],
        Field(
            description="Weight of one component, as in length=2; may be repeated; overrides preset and control.",
            json_schema_extra=flags("-w", "--weight"),
        ),
    ] = Field(default_factory=dict)
    model: Annotated[
        str, Field(min_length=1, description="The splitter's model: bundled, or the folder of one of your own.")
    ] = "bundled"

    @property
    def diverse(self) -> bool:
        """Choices stand by their scores alone."""
        return False

    @property
    def variant(self) -> str:
        """A split is chosen where it scores above the source itself."""
        return "split"


def split_options(**values: Any) -> SplitOptions:
    """`SplitOptions(**values)`, with a `BadOption` that names the option and quotes the value."""
    return declared(SplitOptions, values)
