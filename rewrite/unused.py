"""Options that would mean nothing: a prompt where no language model draws, a setting that no engine takes."""

from __future__ import annotations

from collections.abc import Sequence

from rewrite.base.package import ADAPTERS
from rewrite.errors import BadOption
from rewrite.request import DrawingOptions, spelling
from rewrite.specs import EDITS, Spec, parse_model

__all__ = ["refuse_unused", "require_language_model"]

# What generators of other packages do with `Sampling` is theirs to say.
_WITHOUT_SAMPLING = frozenset({*EDITS, "deletion", "replay", "splitter"})
_WITHOUT_TEMPERATURE = frozenset({"deletion", "replay", "splitter"})
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
    if options.n == "auto" and len(specs) > 1 and any(spec.scheme == "replay" for spec in specs):
        raise BadOption(
            "--n auto with a recording beside other generators: a recording has no rounds.", hint="Give a number."
        )
    if options.base is not None and not any(part.needs_base for part in specs):
        raise BadOption(
            f"--base is for an adapter of the base ({', '.join(ADAPTERS)}), and none is in use.",
            hint=f"Leave it out, or use one: --generator {next(iter(ADAPTERS))} or edits-lm.",
        )
    if options.engine:
        _refuse_settings(options)


def require_language_model(options: DrawingOptions, what: str) -> None:
    """Raise `BadOption` about `what` unless a language model is part of the generator."""
    if not any(spec.is_language_model for spec in options.specs):
        raise _useless([what], options.generator)


def _is_given(options: DrawingOptions, name: str) -> bool:
    return bool(getattr(options, name) != type(options).model_fields[name].get_default(call_default_factory=True))


def _all_in(specs: Sequence[Spec], schemes: frozenset[str]) -> bool:
    return all(spec.scheme in schemes for spec in specs)


def _refuse(options: DrawingOptions, names: Sequence[str], *, takes: bool, others: str = "") -> None:
    given = [spelling(name) for name in names if _is_given(options, name)]
    if given and not takes:
        raise _useless(given, options.generator, others=others)


def _refuse_settings(options: DrawingOptions) -> None:
    specs = [*options.specs, *([parse_model(options.fluency)] if options.fluency else [])]
    asked = ("ct2" if spec.needs_base else spec.scheme for spec in specs if spec.is_language_model or spec.needs_base)
    engines = list(dict.fromkeys(asked))
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
