"""What a user may ask of a compression: one declaration for the command line and the Python API."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from rewrite.task_options import TaskOptions

DEFAULT_RATIO = 0.5
MOST_OVER = 0.1
"""By how much the ratio of one sentence may exceed what was asked for, where its words may go."""
LONGEST_SUBTREE = 9
LONGEST_SPAN = 5
"""L_max with syntax and without (section 4.2)."""
LONGEST_TO_RATIO = 20
"""The same with syntax and a ratio: there a long subtree goes only where it fits, and better whole than in pieces."""

_NO_SETTINGS = frozenset({"best", "diverse", "preset", "weights", "generator", "record", "device"})

Method = Literal["fast-ndd", "ndd", "ppl", "cosine", "bertscore"]
Overlap = Literal["share", "lower", "higher"]
Compare = Literal["current", "initial"]


class CompressOptions(TaskOptions):
    """How a text is compressed. Unknown names and values out of range are refused."""

    home: ClassVar[str] = "rewrite.compression.compressor:COMPRESS"
    ratio: Annotated[
        float | None,
        Field(
            gt=0,
            le=1,
            allow_inf_nan=False,
            description=f"Share of words to keep, punctuation not counted; {DEFAULT_RATIO:g} unless there is a "
            "--threshold.",
        ),
    ] = None
    threshold: Annotated[
        float | None,
        Field(
            allow_inf_nan=False,
            description="Instead of a ratio: cut every span whose distance is at most this (N_max; the paper's is 1).",
        ),
    ] = None
    iterations: Annotated[
        int, Field(ge=1, le=100, description="Rounds of cuts at most; to reach a --ratio there may be more.")
    ] = 5
    longest: Annotated[
        int | None,
        Field(
            ge=1,
            le=1000,
            description=f"Words of a span at most (L_max); without it {LONGEST_SPAN}, with syntax {LONGEST_SUBTREE}, "
            f"or to reach a ratio {LONGEST_TO_RATIO}.",
        ),
    ] = None
    method: Annotated[
        Method,
        Field(
            description="What a cut costs: ndd; fast-ndd, which looks at the two words beside it; ppl (perplexity of "
            "what is left), cosine or bertscore."
        ),
    ] = "fast-ndd"
    syntax: Annotated[
        bool | None,
        Field(description="Cut dependency subtrees, or any words side by side. Subtrees where there is a parser."),
    ] = None
    masked_model: Annotated[
        str,
        Field(
            min_length=1,
            description="The masked language model: bundled, bundled:FOLDER, hf:NAME (a folder or hub name) or hf.",
        ),
    ] = "bundled"
    device: Annotated[
        str, Field(min_length=1, description="Where a model of hf runs, as torch calls it: cpu, cuda.")
    ] = "cpu"
    keep_entities: Annotated[bool, Field(description="Never cut names of people, places and organisations.")] = False
    cut_negation: Annotated[bool, Field(description="Let not, never, without and their like be cut as well.")] = False
    careful: Annotated[
        bool,
        Field(
            description="Cut only what the grammar of the rest can spare: a sentence may stay longer than --ratio asks."
        ),
    ] = False
    overlap: Annotated[
        Overlap,
        Field(
            description="Of spans that overlap cut the one of the lower distance for each of its words (share), of "
            "the lower, or of the higher one (as printed in the paper)."
        ),
    ] = "share"
    compare: Annotated[
        Compare, Field(description="Distances from the text as it stands in each round, or from the initial one.")
    ] = "current"
    bias: Annotated[
        float,
        Field(gt=0, le=1, description="Below 1, later words of the text are cut more readily (the paper's nu)."),
    ] = 1.0
    generator: Annotated[
        str, Field(min_length=1, description="Where candidates come from: cuts, or replay:FILE of a --record.")
    ] = "cuts"

    @model_validator(mode="after")
    def _one_goal(self) -> CompressOptions:
        if self.ratio is not None and self.threshold is not None:
            raise ValueError("both --ratio and --threshold were given: give one of them")
        return self

    @model_validator(mode="after")
    def _by_cuts(self) -> CompressOptions:
        if models := [spec.scheme for spec in self.specs if spec.kind.draws]:
            raise ValueError(f"--generator {min(models)} is not of compress: give cuts, or replay:FILE of its --record")
        for name in self.untaken:
            raise ValueError(f"--{name} counts for nothing with --generator {self.generator}: it is of cuts")
        return self

    @model_validator(mode="after")
    def _nothing_in_vain(self) -> CompressOptions:
        ours = self.masked_model.partition(":")[0] == "bundled"
        if self.method == "bertscore" and ours:
            raise ValueError(f"--method bertscore cannot use --masked-model {self.masked_model}: give hf:NAME")
        if self.careful and (self.threshold is not None or self.syntax is False):
            other = "--no-syntax" if self.threshold is None else "--threshold"
            raise ValueError(f"--careful counts for nothing with {other}: it is of cuts by syntax to a --ratio")
        if self.bias != 1.0 and self.method not in ("ndd", "fast-ndd"):
            raise ValueError(f"bias counts for nothing with --method {self.method}: it is of ndd and fast-ndd")
        if self.device != "cpu" and ours:
            raise ValueError(f"--device counts for nothing with --masked-model {self.masked_model}: it is of hf:NAME")
        return self

    @property
    def plain_generators(self) -> tuple[str, ...]:
        return ("cuts",)

    @property
    def settings(self) -> dict[str, object]:
        return self.model_dump(exclude=set(_NO_SETTINGS))

    @property
    def goal(self) -> float | None:
        """The share of words to keep; `None` where a threshold decides."""
        return self.ratio if self.ratio is not None or self.threshold is not None else DEFAULT_RATIO
