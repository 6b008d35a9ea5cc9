"""The section `weights` of a recipe: how the weights are searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from rewrite.declaration import Section
from training.pairs import BAD_ROWS

if TYPE_CHECKING:
    from training.recipe import Run

EXAMPLE = (
    "Архимандрит Дионисий торопил ополчение поспешить к Москве и направил князю Трубецкому просьбу объединиться "
    "со Вторым ополчением."
)
"""The source of the RuSimScore paper's Table 8."""
_Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Drawing(Section):
    """What decides the score tables, but for the generator."""

    sources: Annotated[
        str | None,
        Field(
            min_length=1,
            description="Sources with references, in any format of pairs (docs/training.md).",
        ),
    ] = None
    n: Annotated[int, Field(ge=1, le=10_000, description="Candidates drawn for each sentence.")] = 30
    pipeline: Annotated[
        dict[str, Any],
        Field(description="Other options of rewrite simplify, such as {temperature: 1.2, strict: true}."),
    ] = Field(default_factory=dict)
    cross_fit: Annotated[
        bool,
        Field(
            description="Draw each fold with an edit model trained on the others' references: for sources that the "
            "bundled model was trained on (RSSE dev)."
        ),
    ] = False
    limit: Annotated[int | None, Field(ge=1, description="Only the first rows.")] = None
    folds: Annotated[int, Field(ge=2, le=100, description="Parts of the sources for cross-validation.")] = 5
    samples: Annotated[int, Field(ge=100, le=100_000, description="Resamples of a bootstrap interval.")] = 1_000
    bad_rows: Annotated[float, Field(ge=0, le=1, description="Share of malformed rows above which the step stops.")] = (
        BAD_ROWS
    )
    seed: Annotated[int | None, Field(ge=0, lt=2**32, description="Instead of the recipe's seed.")] = None


class TableOptions(_Drawing):
    """What the paper's tables may be told; unknown keys and values out of range are refused."""

    generators: Annotated[
        tuple[str, ...],
        Field(min_length=1, description="Generators to compare; the first serves the tables of one generator."),
    ] = ("edits", "deletion")
    presets: Annotated[
        tuple[str, ...],
        Field(description="Presets or preset files; the first serves the tables of one. The default's where empty."),
    ] = ()
    counts: Annotated[
        tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1, description="Numbers of candidates for Table 5.")
    ] = (100, 30, 10, 3, 1)
    report: Annotated[
        bool,
        Field(description="Also the report of rewrite evaluate rsse on the presets, and their texts in outputs.jsonl."),
    ] = False
    example: Annotated[str, Field(min_length=1, description="The source of Table 8.")] = EXAMPLE


class WeightOptions(_Drawing):
    """What the step `weights` may be told; unknown keys and values out of range are refused."""

    generator: Annotated[
        str,
        Field(
            min_length=1,
            description="Where candidates come from, as for rewrite simplify --generator; {out} is the run's folder.",
        ),
    ] = "edits"
    fixed: Annotated[
        dict[str, _Weight],
        Field(description="Weights that are not searched, such as {caution: 6.5}; the rest are."),
    ] = Field(default_factory=dict)
    least: Annotated[
        dict[str, Annotated[float, Field(ge=0, le=1)]],
        Field(
            description="The mean that a component must reach over what is chosen, such as {caution: 0.75}: SARI is "
            "raised within these bounds."
        ),
    ] = Field(default_factory=dict)
    settings: Annotated[
        int, Field(ge=10, le=10_000_000, description="Settings of weights that a search tries, for each fold and all.")
    ] = 6_000
    most: Annotated[float, Field(gt=0.01, le=1000, description="The highest weight that the search tries.")] = 20.0
    name: Annotated[str, Field(min_length=1, description="Of the preset that comes out.")] = "tuned"


def settled(options: WeightOptions, run: Run) -> WeightOptions:
    """The options with what they leave to the run: its seed, and its folder in the generator's name."""
    seed = run.recipe.seed if options.seed is None else options.seed
    return options.model_copy(update={"seed": seed, "generator": options.generator.replace("{out}", str(run.out))})
