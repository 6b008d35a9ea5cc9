"""What tasks may be asked for: `TaskOptions` says what all of them take, `DrawingOptions` those whose candidates may be
drawn by language models. Those of one task live with it, as `rewrite.request.Options` do.
"""

from __future__ import annotations

import math
import re
from enum import Flag, auto
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, model_validator
from pydantic.fields import FieldInfo

from rerank.weights import DEFAULT_PRESET
from rewrite.declaration import UserOptions, flags
from rewrite.specs import GENERATOR_OPTIONS, Scheme, Spec, parse_model, parse_specs, scheme_of


class Step(Flag):
    """What reads an option: a command has the options of the steps that it takes."""

    DRAW = auto()
    READ = auto()
    RECORD = auto()
    SCORE = auto()
    WEIGH = auto()
    CHOOSE = auto()


def steps_of(field: FieldInfo) -> list[Step]:
    """What reads an option."""
    return [mark for mark in field.metadata if isinstance(mark, Step)]


MASKED_COMPONENTS = ("ndd", "ppl", "cosine", "bertscore")
"""Components that ask a masked language model."""
EVALUATED_COMPONENTS = ("quality", "grammar", "content")
"""Components that ask a learned evaluator."""
LANGUAGE_NAMES = {"en": "English", "ru": "Russian"}
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
    Step.DRAW,
]
Language = Annotated[
    str | None,
    BeforeValidator(_language),
    Field(description="Language of the text, as in en, ru, zh, es. Without it, it is guessed of each text."),
    Step.READ,
]


class TaskOptions(UserOptions):
    """What every task takes. Unknown names and values out of range are refused, by a `BadOption`."""

    home: ClassVar[str]
    """Where the task of these options is, as `module:name`; it is imported when it runs."""
    shares_models: ClassVar[bool] = False
    """Whether forked processes share models that are loaded before; no threads of a model survive a fork."""

    best: Annotated[
        int | None,
        Field(
            ge=1, le=10_000, description="How many of the best rewrites to return (as text 1, in JSONL all of them)."
        ),
        Step.CHOOSE,
    ] = None
    diverse: Annotated[
        bool,
        Field(description="Among the --best, prefer rewrites that differ from each other over near copies."),
        Step.CHOOSE,
    ] = False
    preset: Annotated[
        str | None,
        Field(min_length=1, description="Weights: balanced, accurate, simple, or a YAML file of your own."),
        Step.WEIGH,
    ] = None
    weights: Annotated[
        dict[str, float],
        Field(
            description="Weight of one component, as in caution=2; may be repeated; overrides preset and control.",
            json_schema_extra=flags("-w", "--weight"),
        ),
        Step.WEIGH,
    ] = Field(default_factory=dict)
    generator: Annotated[str, Field(min_length=1, description="Where candidates come from."), Step.DRAW] = "replay"
    lang: Language = None
    keep: Annotated[
        tuple[str, ...],
        Field(
            description="A word (or words side by side) that every rewrite keeps, or the file of a --glossary; may "
            "be repeated."
        ),
        Step.CHOOSE,
    ] = ()
    glossary: Annotated[
        tuple[str, ...],
        Field(description="A file of words and phrases that every rewrite keeps in some form; may be repeated."),
        Step.CHOOSE,
    ] = ()
    replace: Annotated[
        str | None,
        Field(
            min_length=1,
            description="A file of preferred terms: the old one, a tab and the new one on each line (or a .csv of two "
            "columns). They are put into the text in the form that it asks for.",
        ),
        Step.CHOOSE,
    ] = None
    record: Annotated[
        str | None,
        Field(min_length=1, description="Write every candidate drawn to this file, for replay:FILE."),
        Step.RECORD,
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
    def models(self) -> tuple[Spec, ...]:
        """The generators and, after them, models that score."""
        return self.specs

    def specs_in(self, language: str) -> tuple[Spec, ...]:
        """The generators for texts in `language`. Raises `BadOption` where there is none."""
        return self.specs

    @property
    def recordings(self) -> tuple[str, ...]:
        """The files that `replay:` names."""
        return tuple(spec.target for spec in self.specs if spec.target and not spec.kind.draws)

    @property
    def untaken(self) -> list[str]:
        """Options that differ from their defaults, though only generators take them that are not in use."""
        specs = self.specs
        defaults = {name: type(self).model_fields[name].default for name in type(self).model_fields}
        given = [n for n, default in defaults.items() if n in GENERATOR_OPTIONS and getattr(self, n) != default]
        return [n for n in given if not any(n in spec.kind.takes for spec in specs)]

    @property
    def runs_alone(self) -> bool:
        """Whether one process must do all the work: a language model's threads survive no fork."""
        return False

    @property
    def draws_here(self) -> bool:
        """Whether all models run in this process, one text after the other; servers gain by many texts at once."""
        return True

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
        Step.WEIGH,
    ] = None
    prompt: Annotated[
        str | None,
        Field(
            min_length=1,
            description="How a language model is asked: a prompt's name (rewrite prompts) or a YAML file. "
            "Of several models those take it that it fits; the others choose their own.",
        ),
        Step.DRAW,
    ] = None
    temperature: Annotated[
        float | None,
        Field(
            ge=0,
            allow_inf_nan=False,
            description="Above 1 candidates vary more, below 1 less; 0 is greedy. Without it the prompt's own, or 1.",
        ),
        Step.DRAW,
    ] = None
    top_p: Annotated[
        float,
        Field(gt=0, le=1, description="Nucleus sampling: from the likeliest tokens that hold this probability."),
        Step.DRAW,
    ] = 0.95
    top_k: Annotated[
        int,
        Field(ge=0, description="Sampling from so many of the likeliest tokens; 0 is all of them."),
        Step.DRAW,
    ] = 200
    max_tokens: Annotated[
        int | float,
        BeforeValidator(_number_or_ratio),
        Field(description="New tokens at most: a number, or a ratio to the source's, as in 1.5x."),
        Step.DRAW,
    ] = 1.5
    engine: Annotated[
        dict[str, str],
        Field(
            description="A setting of a language model's engine, as in device=cuda or ct2.threads=2; may be repeated.",
            json_schema_extra=flags("-e", "--engine"),
        ),
        Step.DRAW | Step.SCORE,
    ] = Field(default_factory=dict)
    sentences: Annotated[
        int | None,
        Field(ge=1, le=10, description="Only rewrites of so many sentences; a model that can is asked for them."),
        Step.DRAW | Step.SCORE,
    ] = None
    max_words: Annotated[
        int | None,
        Field(ge=3, le=1000, description="Only rewrites whose sentences have at most so many words each."),
        Step.DRAW | Step.SCORE,
    ] = None
    fluency: Annotated[
        str | None,
        Field(min_length=1, description="A causal model, ct2:MODEL, for the component fluency."),
        Step.SCORE,
    ] = None
    masked_model: Annotated[
        str | None,
        Field(
            min_length=1,
            description="The masked language model of the components ndd, ppl, cosine and bertscore: "
            "hf:NAME, hf, bundled:en, bundled:ru or bundled:FOLDER. Without it the bundled one of the text's language.",
        ),
        Step.SCORE,
    ] = None
    evaluator: Annotated[
        str | None,
        Field(
            min_length=1,
            description="The learned evaluator of the components quality, grammar and content: a folder that "
            "python -m training.evaluator has written. Without it the bundled one of the text's language.",
        ),
        Step.SCORE,
    ] = None
    seed: Annotated[
        int, Field(ge=0, lt=2**63, description="Fixes the draw: same seed, same candidates."), Step.DRAW
    ] = 0

    @property
    def draws_from_model(self) -> bool:
        """Whether a language model draws candidates, or drew those of a recording."""
        return any(kind.draws for kind in self._kinds)

    @property
    def _kinds(self) -> list[Scheme]:
        """What the generators are like, and those that made the candidates of recordings."""
        kinds = [spec.kind for spec in self.specs]
        if self.recordings:
            from rewrite.generators.replay import recorded_generators

            kinds += (scheme_of(name) for path in self.recordings for name in sorted(recorded_generators(path)))
        return kinds

    @property
    def models(self) -> tuple[Spec, ...]:
        return (*self.specs, *([parse_model(self.fluency)] if self.fluency else []))

    @property
    def lengths(self) -> dict[str, int | None]:
        """What is asked of the length of rewrites."""
        return {"sentences": self.sentences, "max_words": self.max_words}

    @property
    def runs_alone(self) -> bool:
        scored_by_model = any(model is not None for model in (self.fluency, self.masked_model, self.evaluator))
        by_weight = not self.weights.keys().isdisjoint((*MASKED_COMPONENTS, *EVALUATED_COMPONENTS))
        return scored_by_model or by_weight or any(spec.engine for spec in self.specs)

    @property
    def draws_here(self) -> bool:
        engines = {spec.engine for spec in self.models} - {""}
        return not self.shares_models or (bool(engines) and "openai" not in engines)

    @property
    def settings(self) -> dict[str, object]:
        settings: dict[str, object] = {"n": self.n, "seed": self.seed}
        settings |= {name: value for name, value in self.lengths.items() if value is not None}
        if any(spec.kind.draws for spec in self.specs):
            settings |= {name: getattr(self, name) for name in ("temperature", "top_p", "top_k", "max_tokens")}
        elif self.temperature is not None:
            settings["temperature"] = self.temperature
        return settings
