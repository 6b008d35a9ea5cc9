"""What requests may ask of each task: options from its own declaration, less what is not to be had over HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rerank.weights import KNOB
from rewrite.base.package import ADAPTERS, INSTALL, is_installed
from rewrite.commands.default_generator import SIMPLIFY_DEFAULT, SPLIT_DEFAULT
from rewrite.compression.compression_options import CompressOptions
from rewrite.errors import BadOption, BadWeights
from rewrite.prompting.files import known_prompts
from rewrite.request import Options
from rewrite.server.errors import TooMuch
from rewrite.server.kinds import CHOOSING, Kind
from rewrite.server.schemas import ComponentInfo, ModelInfo, TaskInfo
from rewrite.server.settings import MODELS, Settings, TaskName
from rewrite.splitting.split_options import SplitOptions
from rewrite.task import task_of
from rewrite.task_options import TaskOptions

OPTIONS: Mapping[TaskName, type[TaskOptions]] = {
    "simplify": Options,
    "split": SplitOptions,
    "compress": CompressOptions,
}
LANGUAGES: Mapping[TaskName, list[str]] = {"simplify": ["ru", "en"], "split": ["en"], "compress": ["ru", "en"]}
# They name paths and addresses, or are given beside the options.
_NOT_OPTIONS = frozenset(
    {
        "record",
        "glossary",
        "replace",
        "engine",
        "fluency",
        "masked_model",
        "evaluator",
        "device",
        "model",
        "weights",
        "lang",
    }
)
_DEFAULTS = {"simplify": SIMPLIFY_DEFAULT, "split": SPLIT_DEFAULT}
# The library of BERTScore fetches its model, and a model of fluency would be named by a path.
_NOT_WEIGHED = ("bertscore", "fluency")

_LONGEST_KEEP = 50

_SAMPLES = {
    "ru": "Кошка, которую нашли дети, спала на старом диване, который стоял в углу.",
    "en": "The cat, which was found by the children in 1994, slept on an old sofa because it was tired.",
}

COMPONENTS = {
    "similarity": "how close the meaning is to the source's, by vectors of sentences",
    "entities": "how many of the source's names are kept",
    "lexical": "how common the words are",
    "depth": "how flat the grammar is",
    "length": "how short the text is beside its source",
    "readability": "how easy the text is to read, by the lengths of sentences and words",
    "structure": "whether what is kept hangs together as it did: who did what",
    "brevity": "how short the sentences are",
    "likelihood": "how probable the generator finds the text",
    "caution": "how likely readers are to pass what was changed",
    "simplicity": "how likely readers are to call the text simpler than its source",
    "splits": "how near the number of sentences is to what is wanted",
    "consensus": "how much the text agrees with the other candidates",
    "ratio": "how many words are cut",
    "coverage": "how much of the source the text says, paraphrases counted",
    "fluency": "how probable a language model finds the text",
    "ndd": "how little the meaning moves, by a masked language model",
    "ppl": "how probable a masked language model finds the text",
    "cosine": "how close the meaning is, by a masked language model",
    "quality": "how good a rewrite it is, by a learned evaluator",
    "grammar": "how good its grammar is, by a learned evaluator",
    "content": "how much of the content is kept, by a learned evaluator",
}
"""What each component measures. All are better the higher they are, in [0, 1]."""


def settable(task: TaskName) -> list[str]:
    """The options of a task that a request may set."""
    return [name for name in OPTIONS[task].model_fields if name not in _NOT_OPTIONS]


def read_options(
    task: TaskName, given: Mapping[str, Any], weights: Mapping[str, Any], lang: str | None, settings: Settings
) -> TaskOptions:
    """The options of a request. Raises `BadOption` and `BadWeights`, whose hints list what is known."""
    known = settable(task)
    for name in given:
        if name not in known:
            raise BadOption(f"Unknown option {name!r} of {task}.", hint=f"Known: {', '.join(sorted(known))}.")
    _refuse_unknown(
        "generator", given.get("generator"), (*_plain_generators(task), *filter(None, [settings.generators.get(task)]))
    )
    _refuse_unknown("preset", given.get("preset"), tuple(task_of(OPTIONS[task]()).presets))
    if "prompt" in given:
        _refuse_unknown("prompt", given["prompt"], known_prompts())
    for name in _NOT_WEIGHED:
        if name in weights:
            raise BadWeights(
                f"The weight {name!r} is not to be had here.", hint=f"Known: {', '.join(components(task))}."
            )
    values = {"generator": _generator(task, settings), **given, "weights": dict(weights)}
    options = OPTIONS[task].read(values if lang is None else {**values, "lang": lang})
    most = settings.limits.candidates
    for name in ("n", "best"):
        if (number := getattr(options, name, None) or 1) > most:
            raise BadOption(f"{name} is {number}: it may be {most} at most.", hint="The server's limit of candidates.")
    many, letters = settings.limits.keep, sum(map(len, options.keep))
    if len(options.keep) > many or letters > _LONGEST_KEEP * many:
        raise TooMuch(
            f"keep has {len(options.keep):,} words, {letters:,} letters: at most {many:,}, {_LONGEST_KEEP * many:,}.",
            hint="Send those that the texts have.",
        )
    return options


def score_options(
    task: TaskName, choosing: Mapping[str, Any], weights: Mapping[str, Any], lang: str | None, settings: Settings
) -> TaskOptions:
    """The options for candidates from anywhere: of `choosing` those that are given, and no generator."""
    given = {name: value for name, value in choosing.items() if value is not None}
    plain = OPTIONS[task].model_fields["generator"].default
    return read_options(task, {**given, "generator": plain}, weights, lang, settings)


def _refuse_unknown(kind: str, name: object, known: tuple[str, ...]) -> None:
    # Anything but a text is for the declaration to refuse.
    parts = name.split("+") if isinstance(name, str) else []
    if len(set(parts)) < len(parts):
        raise BadOption(f"{kind} {name!r} names one twice.", hint="Name each once.")
    if isinstance(name, str) and name not in known and not all(part in known for part in parts):
        raise BadOption(f"Unknown {kind} {name!r}.", hint=f"Known: {', '.join(sorted(known))}.")


def _plain_generators(task: TaskName) -> tuple[str, ...]:
    """Generators that name no path and no address."""
    options = OPTIONS[task]()
    adapters = tuple(ADAPTERS) if task != "compress" else ()
    return (*(name for name in options.plain_generators if name != "replay"), *adapters)


def _generator(task: TaskName, settings: Settings) -> str:
    default = _DEFAULTS.get(task)
    plain = OPTIONS[task].model_fields["generator"].default
    return settings.generators.get(task) or (default.chosen()[0] if default else plain)


def warm_up(settings: Settings) -> list[tuple[Kind, str]]:
    """A sentence for each model that is to be loaded at the start: what a request without options asks for."""
    named = {model.id: model for model in models()}
    chosen = (named[name] for name in settings.load)
    return [
        (
            kind_of("rewrite", model.task, read_options(model.task, {}, {}, None, settings), model.lang),
            _SAMPLES[model.lang],
        )
        for model in chosen
    ]


def tasks(settings: Settings) -> list[TaskInfo]:
    """What can be asked for, and what would have to be installed for more."""
    return [_info(task, settings) for task in OPTIONS]


def _info(task: TaskName, settings: Settings) -> TaskInfo:
    model = OPTIONS[task]
    schema = model.model_json_schema()
    generator = _generator(task, settings)
    properties = {name: schema["properties"][name] for name in settable(task)}
    properties["generator"] = {**properties["generator"], "default": generator, "enum": list(_plain_generators(task))}
    named = list(task_of(model()).presets)
    properties["preset"] = {
        **properties["preset"],
        "enum": [*named, None],
        "description": f"Weights by name: {', '.join(named)}.",
    }
    for name in {"n", "best"} & properties.keys():
        properties[name] = {**properties[name], "maximum": settings.limits.candidates}
    if generator not in properties["generator"]["enum"]:
        properties["generator"]["enum"].append(generator)
    lacks = task != "compress" and not is_installed()
    return TaskInfo(
        name=task,
        paths=["/v1/rewrite", "/v1/score", "/rerank"],
        languages=_languages(task, settings),
        options={"type": "object", "properties": properties, "additionalProperties": False},
        components=[ComponentInfo(name=name, what=COMPONENTS.get(name, "")) for name in components(task)],
        needs=INSTALL if lacks else "",
    )


@lru_cache(maxsize=len(OPTIONS))
def measured(task: TaskName) -> tuple[str, ...]:
    """The components that are measured whether they have a weight or not."""
    options = OPTIONS[task]()
    return tuple(scorer.name for scorer in task_of(options).scorers(options, frozenset()))


def components(task: TaskName) -> tuple[str, ...]:
    """What a weight may be given for, those first that are always measured."""
    on_request = (name for name in task_of(OPTIONS[task]()).on_request if name not in _NOT_WEIGHED)
    return tuple(dict.fromkeys((*measured(task), *on_request)))


def kind_of(verb: str, task: TaskName, options: TaskOptions, language: str) -> Kind:
    """The kind of work that a request asks for: all that matters before weights choose."""
    values = options.model_dump(mode="json", exclude_unset=True, exclude=set(CHOOSING))
    asked = dict.fromkeys(sorted(options.weights.keys() - set(measured(task))), 1.0)
    return Kind(verb, task, json.dumps({**values, "weights": asked}, sort_keys=True), language)


def presets() -> dict[str, Any]:
    """Weights by task, language and name, and the places of presets on the knob."""
    named: dict[str, Any] = {}
    for task, languages in LANGUAGES.items():
        of_task = task_of(OPTIONS[task]())
        named[task] = {
            language: {
                name: dict(weights) for name, weights in of_task.presets_in.get(language, of_task.presets).items()
            }
            for language in languages
        }
    return {**named, "knob": [list(stop) for stop in KNOB]}


def offered(settings: Settings) -> list[ModelInfo]:
    """The models that are installed."""
    return [model for model in models() if model.lang in _languages(model.task, settings)]


def _languages(task: TaskName, settings: Settings) -> list[str]:
    lacks_english = task == "simplify" and "simplify" not in settings.generators and not is_installed()
    return ["ru"] if lacks_english else LANGUAGES[task]


def models() -> list[ModelInfo]:
    """Tasks in languages, by the names that clients give models."""
    split = (name.split("-") for name in MODELS)
    return [ModelInfo.model_validate({"id": f"{task}-{lang}", "task": task, "lang": lang}) for task, lang in split]
