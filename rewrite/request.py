"""What a user may ask for: one declaration that the command line, the Python API and a server share."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from rerank.presets import DEFAULT_PRESET
from rewrite.errors import BadOption
from rewrite.specs import MASKED_COMPONENTS, is_language_model, schemes

__all__ = ["Options", "draws_here", "make_options", "runs_alone", "spelling"]


_MOST = 10_000
_MOST_RATIO = 20
_NUMERIC = re.compile(r"[-+]?\d*\.?\d+|nan|[-+]?inf")
_LIMITS = {"ge": " of {:,} or more", "gt": " above {:,}", "le": " at most {:,}", "lt": " below {:,}"}


def _flag(*names: str) -> dict[str, Any]:
    """The short spelling of an option on the command line; the long one is the field's name."""
    return {"flags": list(names)}


def _number_or_auto(value: Any) -> Any:
    if value == "auto":
        return value
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = 0
    if isinstance(value, float) or not 1 <= number <= _MOST:
        raise ValueError(f"give a whole number from 1 to {_MOST:,}, or auto")
    return number


def _number_or_ratio(value: Any) -> Any:
    """`"45"` as 45 tokens, `"1.5x"` and `"1.5"` as a ratio."""
    number = value
    if isinstance(value, str):
        try:
            number = int(value) if value.isdecimal() else float(value.removesuffix("x"))
        except ValueError:
            number = math.nan
    limit = _MOST if isinstance(number, int) else _MOST_RATIO
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not 0 < number <= limit:
        raise ValueError(f"give a number of tokens such as 45, or a ratio of at most {_MOST_RATIO} such as 1.5x")
    return number


class Options(BaseModel):
    """How a text is rewritten. Unknown names and values out of range are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    n: Annotated[
        int | Literal["auto"],
        BeforeValidator(_number_or_auto),
        Field(
            description="Candidates drawn for each sentence; auto draws until more would hardly help.",
            json_schema_extra=_flag("-n", "--n"),
        ),
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
        str | None,
        Field(
            min_length=1,
            description="Weights: balanced, accurate, simple, paper, or a YAML file of your own. "
            "Without it balanced, or paper where a language model draws or drew.",
        ),
    ] = None
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
    generator: Annotated[
        str,
        Field(
            min_length=1,
            description="Where candidates come from: edits, deletion, ct2:MODEL, hf:MODEL, vllm:MODEL, "
            "openai:URL[,URL…]#MODEL, replay:FILE, a bundled model by its name, or several joined by +.",
        ),
    ] = "edits"
    prompt: Annotated[
        str | None,
        Field(
            min_length=1,
            description="How a language model is asked: a prompt's name (rewrite prompts) or a YAML file. "
            "Of several models those take it that it fits; the others choose their own.",
        ),
    ] = None
    temperature: Annotated[
        float | None,
        Field(
            ge=0,
            allow_inf_nan=False,
            description="Above 1 candidates vary more, below 1 less; 0 is greedy. Without it the prompt's own, or 1.",
        ),
    ] = None
    top_p: Annotated[
        float, Field(gt=0, le=1, description="Nucleus sampling: from the likeliest tokens that hold this probability.")
    ] = 0.95
    top_k: Annotated[
        int, Field(ge=0, description="Sampling from so many of the likeliest tokens; 0 is all of them.")
    ] = 200
    max_tokens: Annotated[
        int | float,
        BeforeValidator(_number_or_ratio),
        Field(description="New tokens at most: a number, or a ratio to the source's, as in 1.5x."),
    ] = 1.5
    engine: Annotated[
        dict[str, str],
        Field(
            description="A setting of a language model's engine, as in device=cuda or ct2.threads=2; may be repeated.",
            json_schema_extra=_flag("-e", "--engine"),
        ),
    ] = Field(default_factory=dict)
    fluency: Annotated[
        str | None,
        Field(min_length=1, description="A causal model, ct2:MODEL or hf:MODEL, for the component fluency."),
    ] = None
    masked_model: Annotated[
        str | None,
        Field(
            min_length=1,
            description="The masked language model of the components ndd, ndd_cosine, ppl, cosine and bertscore: "
            "hf:NAME, hf, bundled:en or bundled:ru. Without it the bundled one of the text's language.",
        ),
    ] = None
    record: Annotated[
        str | None, Field(min_length=1, description="Write every candidate drawn to this file, for replay:FILE.")
    ] = None
    variant: Annotated[
        Literal["paper", "released"],
        Field(description="RuSimScore as its paper prints it, or as its released code computes it."),
    ] = "released"
    seed: Annotated[int, Field(ge=0, lt=2**63, description="Fixes the draw: same seed, same candidates.")] = 0
    strict: Annotated[
        bool, Field(description="Block candidates that drop a number, name, date, unit or quotation as well.")
    ] = False

    @property
    def chosen_preset(self) -> str:
        """The preset in use: a language model has no edits to be cautious of, so it gets the paper's weights.

        So does a recording of one, which is looked into for that.
        """
        return self.preset or ("paper" if self.draws_from_model else DEFAULT_PRESET)

    @property
    def draws_from_model(self) -> bool:
        """Whether a language model draws candidates, or drew those of a recording."""
        if is_language_model(self.generator):
            return True
        if "replay:" not in self.generator:
            return False
        from rewrite.generators import recordings
        from rewrite.generators.replay import is_from_model

        return any(map(is_from_model, recordings(self.generator)))


def runs_alone(options: Options) -> bool:
    """Whether one process must do all the work: a language model has threads of its own, which no fork survives."""
    scored_by_model = options.fluency is not None or options.masked_model is not None
    by_weight = not options.weights.keys().isdisjoint(MASKED_COMPONENTS)
    return is_language_model(options.generator) or scored_by_model or by_weight


def draws_here(options: Options) -> bool:
    """Whether all language models run in this process, one text after the other; servers gain by many texts at once."""
    found = schemes(options.generator) | {(options.fluency or "").partition(":")[0]}
    return bool(found & {"ct2", "hf"}) and not found & {"openai", "vllm"}


def make_options(**values: Any) -> Options:
    """`Options(**values)`, with a `BadOption` that names the option and quotes the value instead of pydantic's own."""
    try:
        return Options(**values)
    except ValidationError as error:
        raise BadOption(f"{'; '.join(_explain(item) for item in error.errors())}.") from None


def _explain(item: Any) -> str:
    """One of pydantic's errors in plain words: the option as it is written, what it got, what it takes."""
    if item["type"] == "extra_forbidden":
        return f"unknown option {str(item['loc'][0])!r}, known: {', '.join(Options.model_fields)}"
    name, *inner = (str(part) for part in item["loc"])
    field = Options.model_fields[name]
    wanted = str(item["ctx"]["error"]) if item["type"] == "value_error" else f"give {_wanted(field)}"
    value = item["input"]
    # A number that came as text, from the command line, is shown as the number it was meant to be.
    shown = value if isinstance(value, str) and _NUMERIC.fullmatch(value) else repr(value)
    return f"{spelling(name)}{''.join(f' {part}' for part in inner)} is {shown}: {wanted}"


def spelling(name: str) -> str:
    """An option as it is written on the command line, its shortest form."""
    extra = Options.model_fields[name].json_schema_extra
    flags = extra.get("flags") if isinstance(extra, dict) else None
    return str(flags[0]) if isinstance(flags, list) else f"--{name.replace('_', '-')}"


def _wanted(field: FieldInfo) -> str:
    """What an option takes, as its declaration says."""
    annotation = next((a for a in get_args(field.annotation) if a is not type(None)), field.annotation)
    if get_origin(field.annotation) is Literal:
        return " or ".join(map(str, get_args(field.annotation)))
    if get_origin(field.annotation) is dict:
        return "a number" if get_args(field.annotation)[1] is float else "a text"
    if annotation in (int, float):
        return f"a {'whole ' if annotation is int else ''}number{_range(field)}"
    return "yes or no" if annotation is bool else "a text that is not empty"


def _range(field: FieldInfo) -> str:
    limits = {name: v for item in field.metadata for name in _LIMITS if (v := getattr(item, name, None)) is not None}
    if set(limits) == {"ge", "le"}:
        return f" from {limits['ge']:,} to {limits['le']:,}"
    return " and".join(_LIMITS[name].format(limit) for name, limit in limits.items())
