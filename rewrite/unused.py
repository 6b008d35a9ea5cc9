"""What options come to with the generators that they name: which would mean nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rewrite.base.package import is_installed
from rewrite.declaration import spelled
from rewrite.errors import BadOption
from rewrite.specs import Spec, scheme_of
from rewrite.task_options import TaskOptions

_TAKERS = "ct2:MODEL, hf:MODEL or openai:URL#MODEL"


def refuse_unused(options: TaskOptions) -> None:
    """Raise `BadOption` for an option that nothing in the generator takes, and `UnknownName` for no generator.

    Only what differs from its default counts as given.
    """
    if untaken := options.untaken:
        takers = [name for name in options.plain_generators if scheme_of(name).takes.issuperset(untaken)]
        raise _useless([spelled(type(options), name) for name in untaken], options.generator, takers)
    # What a task does not have is not given.
    if settings := getattr(options, "engine", None):
        _refuse_settings(settings, options.models)


def require_language_model(options: TaskOptions, what: str) -> None:
    """Raise `BadOption` about `what` unless a language model is part of the generator."""
    if not any(spec.kind.draws for spec in options.specs):
        raise _useless([what], options.generator)


def _useless(given: Sequence[str], generator: str, takers: Sequence[str] = ()) -> BadOption:
    return BadOption(
        f"The generator {generator!r} takes no {' and no '.join(given)}.",
        hint=f"Leave it out, or name a generator that does: {', '.join([*takers, _TAKERS])}.",
    )


def _refuse_settings(settings: Iterable[str], models: Iterable[Spec]) -> None:
    engines = list(dict.fromkeys(spec.engine for spec in models if spec.engine))
    if engines and is_installed() and "ct2" not in engines:
        engines.append("ct2")  # it says of English rewrites, whoever drew them, whether a reader would print them
    # Values are not shown: one may be a key in the wrong place.
    for name in settings:
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
