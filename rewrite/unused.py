"""What options come to with the generators that they name: which would mean nothing, and how the work can run."""

from __future__ import annotations

from collections.abc import Sequence

from rewrite.base.package import ADAPTERS, is_installed
from rewrite.declaration import spelled
from rewrite.errors import BadOption
from rewrite.request import DrawingOptions, Options
from rewrite.specs import EDITS, EVALUATED_COMPONENTS, MASKED_COMPONENTS, SPLITTERS, Spec, parse_model

# What generators of other packages do with `Sampling` is theirs to say.
_WITHOUT_SAMPLING = frozenset({*EDITS, *SPLITTERS, "deletion", "replay"})
_WITHOUT_TEMPERATURE = frozenset({*SPLITTERS, "deletion", "replay"})
_TAKERS = "ct2:MODEL, hf:MODEL, vllm:MODEL or openai:URL#MODEL"


def refuse_unused(options: DrawingOptions) -> None:
    """Raise `BadOption` for an option that nothing in the generator takes, and `UnknownName` for no generator.

    Only what differs from its default counts as given.
    """
    specs = options.specs
    edits = "edits, " if any(name in EDITS for name in options.plain_generators) else ""
    _refuse(options, ["prompt"], takes=any(spec.is_language_model for spec in specs))
    _refuse(options, ["top_p", "top_k", "max_tokens"], takes=not _all_in(specs, _WITHOUT_SAMPLING))
    _refuse(options, ["temperature"], takes=not _all_in(specs, _WITHOUT_TEMPERATURE), others=edits)
    if options.base is not None and not any(part.needs_base for part in specs):
        raise BadOption(
            f"--base is for an adapter of the base ({', '.join(ADAPTERS)}), and none is in use.",
            hint=f"Leave it out, or use one: --generator {' or '.join(_asking_the_base(options))}.",
        )
    if options.engine:
        _refuse_settings(options)


def _asking_the_base(options: DrawingOptions) -> tuple[str, ...]:
    """The generators of the task that an adapter of the base draws or judges for."""
    return ("gemma-en", "splitter-lm") if "splitter-lm" in options.plain_generators else (*ADAPTERS, "edits-lm")


def require_language_model(options: DrawingOptions, what: str) -> None:
    """Raise `BadOption` about `what` unless a language model is part of the generator."""
    if not any(spec.is_language_model for spec in options.specs):
        raise _useless([what], options.generator)


def _is_given(options: DrawingOptions, name: str) -> bool:
    return bool(getattr(options, name) != type(options).model_fields[name].get_default(call_default_factory=True))


def _all_in(specs: Sequence[Spec], schemes: frozenset[str]) -> bool:
    return all(spec.scheme in schemes for spec in specs)


def _refuse(options: DrawingOptions, names: Sequence[str], *, takes: bool, others: str = "") -> None:
    given = [spelled(Options, name) for name in names if _is_given(options, name)]
    if given and not takes:
        raise _useless(given, options.generator, others=others)


def _refuse_settings(options: DrawingOptions) -> None:
    specs = [*options.specs, *([parse_model(options.fluency)] if options.fluency else [])]
    asked = ("ct2" if spec.needs_base else spec.scheme for spec in specs if spec.is_language_model or spec.needs_base)
    engines = list(dict.fromkeys(asked))
    if engines and is_installed() and "ct2" not in engines:
        engines.append("ct2")  # it says of English rewrites, whoever drew them, whether a reader would print them
    # Values are not shown: one may be a key in the wrong place.
    for name in options.engine:
        meant_for, dot, _ = name.rpartition(".")
        if not engines:
            raise BadOption(
                f"-e {name} is a setting of a language model's engine, and none is in use.",
                hint="Leave it out, or name a language model for it.",
            )
        if dot and meant_for not in engines:
            raise BadOption(
                f"-e {name} is for the engine {meant_for!r}, which is not in use.",
                hint=f"In use: {', '.join(engines)}.",
            )


def _useless(given: Sequence[str], generator: str, *, others: str = "") -> BadOption:
    return BadOption(
        f"The generator {generator!r} takes no {' and no '.join(given)}.",
        hint=f"Leave it out, or name a generator that does: {others}{_TAKERS}.",
    )


def runs_alone(options: DrawingOptions) -> bool:
    """Whether one process must do all the work: a language model has threads of its own, which no fork survives."""
    scored_by_model = any(model is not None for model in (options.fluency, options.masked_model, options.evaluator))
    by_weight = not options.weights.keys().isdisjoint((*MASKED_COMPONENTS, *EVALUATED_COMPONENTS))
    drawn_by_model = any(spec.is_language_model or spec.needs_base for spec in options.specs)
    return drawn_by_model or scored_by_model or by_weight


def draws_here(options: DrawingOptions) -> bool:
    """Whether all language models run in this process, one text after the other; servers gain by many texts at once."""
    engines = {"ct2" if spec.needs_base else spec.scheme for spec in options.specs}
    engines |= {parse_model(options.fluency).scheme} if options.fluency else set()
    return bool(engines & {"ct2", "hf"}) and not engines & {"openai", "vllm"}
