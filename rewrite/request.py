"""What a user may ask for: declarations that the command line, the Python API and a server share.

What all tasks take is said once: `TaskOptions`, and `DrawingOptions` for those that draw candidates. `Options` are
those of `rewrite simplify`; `SplitOptions` and `CompressOptions` live with their tasks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from rerank.weights import DEFAULT_PRESET
from rewrite.declaration import declared, flags
from rewrite.engines.registry import ENGINES
from rewrite.specs import Spec, parse_specs

STEPS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "draw": frozenset(
            {"n", "generator", "prompt", "temperature", "top_p", "top_k", "max_tokens", "base", "seed"}
            | {"engine", "sentences", "max_words"}
        ),
        "read": frozenset({"lang"}),
        "record": frozenset({"record"}),
        "score": frozenset(
            {"fluency", "masked_model", "evaluator", "variant", "strict", "engine", "sentences", "max_words"}
        ),
        "weigh": frozenset({"preset", "control", "weights"}),
        "choose": frozenset({"best", "diverse", "keep"}),
    }
)
"""Which fields of `Options` each step of a rewriting reads; a command has the options of the steps that it takes."""
THRESHOLDS = {"paper": 0.0, "released": 0.8}
"""A rewrite must beat this share of the source's own score: the released code asks for it, the paper does not."""
_MOST = 10_000
_MOST_RATIO = 20
_CODE = re.compile(r"other|[a-z]{2,3}(?:-[A-Za-z]{2,4})?")


def _language(value: Any) -> Any:
    if value is None or (isinstance(value, str) and _CODE.fullmatch(value)):
        return value
    raise ValueError("give a language such as en, ru, zh, es, or other")


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


DrawCount = Annotated[
    int,
    Field(
        ge=1,
        le=_MOST,
        description="Candidates drawn for each sentence.",
        json_schema_extra=flags("-n", "--n"),
    ),
]
Language = Annotated[
    str | None,
    BeforeValidator(_language),
    Field(description="Language of the text, as in en, ru, zh, es. Without it, it is guessed of each text."),
]


class TaskOptions(BaseModel):
    """What every task takes. Unknown names and values out of range are refused."""

    home: ClassVar[str]
    """Where the task of these options is, as `module:name`; it is imported when it runs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
        str | None, Field(min_length=1, description="Weights: balanced, accurate, simple, or a YAML file of your own.")
    ] = None
    weights: Annotated[
        dict[str, float],
        Field(
            description="Weight of one component, as in caution=2; may be repeated; overrides preset and control.",
            json_schema_extra=flags("-w", "--weight"),
        ),
    ] = Field(default_factory=dict)
    generator: Annotated[str, Field(min_length=1, description="Where candidates come from.")] = "replay"
    lang: Language = None
    keep: Annotated[
        tuple[str, ...],
        Field(description="A word (or words side by side) that every rewrite keeps; may be repeated."),
    ] = ()
    record: Annotated[
        str | None, Field(min_length=1, description="Write every candidate drawn to this file, for replay:FILE.")
    ] = None

    @model_validator(mode="after")
    def _kept_words(self) -> TaskOptions:
        if any(not word.strip() for word in self.keep):
            raise ValueError("--keep got an empty word: give a word of the text")
        return self

    @property
    def chosen_preset(self) -> str:
        """The preset in use."""
        return self.preset or DEFAULT_PRESET

    @property
    def source_share(self) -> float:
        """The share of the source's own score that a rewrite must beat."""
        return 0.0

    @property
    def told_language(self) -> str | None:
        """The language of all texts, where somebody has said it, without its region."""
        return self.lang and self.lang.partition("-")[0]

    @property
    def main_language(self) -> str | None:
        """The language that the generator is for, where it is for one alone that is not the task's first."""
        return None

    @property
    def plain_generators(self) -> tuple[str, ...]:
        """The generators of this task that need no target."""
        return ()

    @property
    def specs(self) -> tuple[Spec, ...]:
        """What `generator` says. Raises `UnknownName`."""
        return parse_specs(self.generator, self.plain_generators)

    @property
    def recordings(self) -> tuple[str, ...]:
        """The files that `replay:` names."""
        return tuple(spec.target for spec in self.specs if spec.scheme == "replay")

    @property
    def settings(self) -> dict[str, object]:
        """What decides candidates and values, beside models and weights, for the signature of a result."""
        return {}


class DrawingOptions(TaskOptions):
    """What tasks take whose candidates may be drawn by language models."""

    n: DrawCount = 30
    control: Annotated[
        float | None,
        Field(
            ge=0,
            le=10,
            allow_inf_nan=False,
            description="One knob instead of weights: 0 is the preset accurate, 5 balanced, 10 simple.",
        ),
    ] = None
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
            description="For the adapters of the base: a GGUF file of the base, not the package's.",
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
    seed: Annotated[int, Field(ge=0, lt=2**63, description="Fixes the draw: same seed, same candidates.")] = 0

    @property
    def draws_from_model(self) -> bool:
        """Whether a language model draws candidates, or drew those of a recording."""
        return any(spec.is_language_model for spec in self.specs) or not self._recorded.isdisjoint(ENGINES)

    @property
    def _recorded(self) -> frozenset[str]:
        """Names of the generators that made the candidates of recordings."""
        if not self.recordings:
            return frozenset()
        from rewrite.generators.replay import recorded_generators

        return frozenset().union(*map(recorded_generators, self.recordings))

    @property
    def settings(self) -> dict[str, object]:
        settings: dict[str, object] = {"n": self.n, "seed": self.seed}
        settings |= {name: value for name in ("sentences", "max_words") if (value := getattr(self, name)) is not None}
        if any(spec.is_language_model for spec in self.specs):
            settings |= {name: getattr(self, name) for name in ("temperature", "top_p", "top_k", "max_tokens")}
        elif self.temperature is not None:
            settings["temperature"] = self.temperature
        return settings


class Options(DrawingOptions):
    """How a Russian or English text is simplified. Unknown names and values out of range are refused."""

    home: ClassVar[str] = "rewrite.simplification:SIMPLIFY"
    preset: Annotated[
        str | None,
        Field(
            min_length=1,
            description="Weights: balanced, accurate, simple, clear, paper, or a YAML file of your own. "
            "Without it clear for edits-lm, paper where a language model other than the bundled ones draws or drew, "
            "else balanced.",
        ),
    ] = None
    generator: Annotated[
        str,
        Field(
            min_length=1,
            description="Where candidates come from: edits, edits-lm, deletion, ct2:MODEL, hf:MODEL, vllm:MODEL, "
            "openai:URL[,URL…]#MODEL, replay:FILE, a bundled model by its name, or several joined by +.",
        ),
    ] = "edits"
    variant: Annotated[
        Literal["paper", "released"],
        Field(description="RuSimScore as its paper prints it, or as its released code computes it."),
    ] = "released"
    strict: Annotated[
        bool, Field(description="Block candidates that drop a number, name, date, unit or quotation as well (Russian).")
    ] = False
    lang: Annotated[
        Language,
        Field(
            description="ru or en. Without it, it is guessed; what reads as English is rewritten as such by the "
            "default with the language model (edits-lm) and by gemma-en alone, other generators need to be told."
        ),
    ] = None

    @model_validator(mode="after")
    def _known_language(self) -> Options:
        if self.told_language not in (None, "ru", "en"):
            raise ValueError(f"--lang {self.lang}: simplify knows Russian, ru, and English, en")
        if self.strict and "en" in (self.told_language, self.main_language):
            given = "--lang en" if self.told_language == "en" else f"--generator {self.generator}"
            raise ValueError(f"--strict counts for nothing with {given}: it is of the Russian guard")
        return self

    @property
    def chosen_preset(self) -> str:
        """The preset in use: where a language model draws, the paper's weights, but for the project's own adapter.

        For `edits-lm`, which knows where to cut sentences, it is one that asks for short ones, unless the knob says
        what is wanted. So too for a recording of either, which is looked into for that.
        """
        if self.preset is not None:
            return self.preset
        if self.told_language == "en":
            return DEFAULT_PRESET
        asks_model = any(spec.scheme == "edits-lm" for spec in self.specs)
        if self.control is None and (asks_model or "edits-lm" in self._recorded):
            return "clear"
        # What an editor passes was learnt on the adapter's own draws, so `balanced` can be cautious of them too.
        is_adapted = any(spec.is_adapter for spec in self.specs)
        return "paper" if self.draws_from_model and not is_adapted else DEFAULT_PRESET

    @property
    def draws_english(self) -> bool:
        """Whether English is rewritten: it is told, or the adapter for it is named, or the base is in use."""
        return self.told_language == "en" or any(
            spec.scheme == "edits-lm" or spec.language == "en" for spec in self.specs
        )

    @property
    def main_language(self) -> str | None:
        return "en" if {spec.language for spec in self.specs} == {"en"} else None

    @property
    def source_share(self) -> float:
        return THRESHOLDS[self.variant]

    @property
    def plain_generators(self) -> tuple[str, ...]:
        from rewrite.generators import known_generators

        return known_generators()

    @property
    def settings(self) -> dict[str, object]:
        return {**super().settings, "strict": self.strict}


def make_options(**values: Any) -> Options:
    """`Options(**values)`, with a `BadOption` that names the option and quotes the value instead of pydantic's own."""
    return declared(Options, values)


def not_of(*steps: str) -> frozenset[str]:
    """The fields of `Options` that no step of `steps` reads."""
    return frozenset(Options.model_fields) - frozenset().union(*(STEPS[step] for step in steps))
