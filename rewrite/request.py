"""What a user may ask for: one declaration that the command line, the Python API and a server share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from rerank.presets import DEFAULT_PRESET
from rewrite.declaration import declared, flags, spelled
from rewrite.engines.registry import ENGINES
from rewrite.specs import EVALUATED_COMPONENTS, MASKED_COMPONENTS, asks_model, is_adapted, is_language_model, schemes

__all__ = ["STEPS", "Options", "draws_here", "make_options", "not_of", "runs_alone", "spelling"]


STEPS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "draw": frozenset(
            {"n", "generator", "prompt", "temperature", "top_p", "top_k", "max_tokens", "base", "seed"}
            | {"engine", "sentences", "max_words"}
        ),
        "record": frozenset({"record"}),
        "score": frozenset(
            {"fluency", "masked_model", "evaluator", "variant", "strict", "engine", "sentences", "max_words"}
        ),
        "weigh": frozenset({"preset", "control", "weights"}),
        "choose": frozenset({"best", "diverse"}),
    }
)
"""Which fields of `Options` each step of a rewriting reads; a command has the options of the steps that it takes."""
_MOST = 10_000
_MOST_RATIO = 20


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
            json_schema_extra=flags("-n", "--n"),
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
            description="Weights: balanced, accurate, simple, clear, paper, or a YAML file of your own. "
            "Without it clear for edits-lm, paper where a language model other than gemma-ru draws or drew, "
            "else balanced.",
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
            json_schema_extra=flags("-w", "--weight"),
        ),
    ] = Field(default_factory=dict)
    generator: Annotated[
        str,
        Field(
            min_length=1,
            description="Where candidates come from: edits, edits-lm, deletion, ct2:MODEL, hf:MODEL, vllm:MODEL, "
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
            json_schema_extra=flags("-e", "--engine"),
        ),
    ] = Field(default_factory=dict)
    sentences: Annotated[
        int | None,
        Field(ge=1, le=10, description="Only rewrites of so many sentences; a model that can is asked for them."),
    ] = None
    max_words: Annotated[
        int | None,
        Field(ge=3, le=1000, description="Only rewrites whose sentences have at most so many words each."),
    ] = None
    base: Annotated[
        str | None,
        Field(
            min_length=1,
            description="For gemma-ru: a GGUF file or a folder of safetensors of the base, not the package's.",
        ),
    ] = None
    fluency: Annotated[
        str | None,
        Field(min_length=1, description="A causal model, ct2:MODEL or hf:MODEL, for the component fluency."),
    ] = None
    masked_model: Annotated[
        str | None,
        Field(
            min_length=1,
            description="The masked language model of the components ndd, ndd_cosine, ppl, cosine and bertscore: "
            "hf:NAME, hf, bundled:en, bundled:ru or bundled:FOLDER. Without it the bundled one of the text's language.",
        ),
    ] = None
    evaluator: Annotated[
        str | None,
        Field(
            min_length=1,
            description="The learned evaluator of the components quality, grammar and content: a folder that "
            "python -m training.evaluator has written. Without it the bundled one of the text's language.",
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
        """The preset in use: where a language model draws, the paper's weights, but for the project's own adapter.

        For `edits-lm`, which knows where to cut sentences, it is one that asks for short ones, unless the knob says
        what is wanted. So too for a recording of either, which is looked into for that.
        """
        if self.preset is not None:
            return self.preset
        if self.control is None and (asks_model(self.generator) or "edits-lm" in self._recorded):
            return "clear"
        # What an editor passes was learnt on the adapter's own draws, so `balanced` can be cautious of them too.
        return "paper" if self.draws_from_model and not is_adapted(self.generator) else DEFAULT_PRESET

    @property
    def draws_from_model(self) -> bool:
        """Whether a language model draws candidates, or drew those of a recording."""
        return is_language_model(self.generator) or not self._recorded.isdisjoint(ENGINES)

    @property
    def _recorded(self) -> frozenset[str]:
        """Names of the generators that made the candidates of recordings."""
        if "replay:" not in self.generator:
            return frozenset()
        from rewrite.generators import recordings
        from rewrite.generators.replay import recorded_generators

        return frozenset().union(*map(recorded_generators, recordings(self.generator)))


def runs_alone(options: Options) -> bool:
    """Whether one process must do all the work: a language model has threads of its own, which no fork survives."""
    scored_by_model = any(one is not None for one in (options.fluency, options.masked_model, options.evaluator))
    by_weight = not options.weights.keys().isdisjoint((*MASKED_COMPONENTS, *EVALUATED_COMPONENTS))
    return is_language_model(options.generator) or asks_model(options.generator) or scored_by_model or by_weight


def draws_here(options: Options) -> bool:
    """Whether all language models run in this process, one text after the other; servers gain by many texts at once."""
    found = schemes(options.generator) | {(options.fluency or "").partition(":")[0]}
    found |= {"ct2"} if asks_model(options.generator) else set()
    return bool(found & {"ct2", "hf"}) and not found & {"openai", "vllm"}


def make_options(**values: Any) -> Options:
    """`Options(**values)`, with a `BadOption` that names the option and quotes the value instead of pydantic's own."""
    return declared(Options, values)


def not_of(*steps: str) -> frozenset[str]:
    """The fields of `Options` that no step of `steps` reads."""
    return frozenset(Options.model_fields) - frozenset().union(*(STEPS[step] for step in steps))


def spelling(name: str) -> str:
    """An option as it is written on the command line, its shortest form."""
    return spelled(Options, name)
