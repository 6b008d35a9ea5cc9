"""What goes to a worker and comes back. Sentences of one kind go together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

SAMPLING = ("n", "seed", "temperature", "top_p", "top_k", "max_tokens", "keep")
"""Options that pipelines with the same models may differ in: see `Pipeline.like`."""
CHOOSING = ("best", "diverse", "preset", "control", "weights")
"""Options that only the choice from a table reads."""
AT_ONCE = 16_384
"""Bytes of a message that a pipe takes or gives in one piece, without waiting for whoever is at its other end."""


class Kind(NamedTuple):
    """What is the same for all sentences of a batch: what to do, the task, its options as JSON, and the language.

    Of weights the options hold the names alone of what is measured only if it is asked for.
    """

    verb: str
    task: str
    options: str
    language: str


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a batch: a sentence's result or a table for each item, and the signature behind them."""

    outcomes: Sequence[Any]
    settings: str


@dataclass(frozen=True, slots=True)
class Crash:
    """An error that nobody expected: its kind, and where it was raised, without its message, which may hold a text."""

    name: str
    trace: str
