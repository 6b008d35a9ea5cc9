"""What makes work alike: sentences of one kind go to a worker together."""

from __future__ import annotations

from typing import NamedTuple

SAMPLING = ("n", "seed", "temperature", "top_p", "top_k", "max_tokens", "keep")
"""Options that pipelines with the same models may differ in: see `Pipeline.like`."""
CHOOSING = ("best", "diverse", "preset", "control", "weights")
"""Options that only the choice from a table reads."""


class Kind(NamedTuple):
    """What is the same for all sentences of a batch: what to do, the task, its options as JSON, and the language.

    Of weights the options hold the names alone of what is measured only if it is asked for.
    """

    verb: str
    task: str
    options: str
    language: str
