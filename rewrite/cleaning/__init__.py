"""Cleaning of what language models draw: named rules that mend a sample, and others that reject it.

    from rewrite.cleaning import clean, trace
    clean(raw, source).text
    for step in trace(raw, source): ...  # which rule did what

A rule is a function of the text and its `Context`. Repairs are tried in order, again and again until none changes
anything; then the filters are asked, and the first that objects has the text dropped, under its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rewrite.cleaning.context import Context, Rule
from rewrite.cleaning.filters import FILTERS as _FILTERS
from rewrite.cleaning.repairs import ENDS
from rewrite.cleaning.repairs import REPAIRS as _REPAIRS

__all__ = ["FILTERS", "REPAIRS", "RULES", "Cleaned", "Context", "Rule", "Step", "clean", "trace"]

# One repair may lay bare what another mends; two rounds settle nearly every text.
_ROUNDS = 20


def _name(rule: Rule) -> str:
    return rule.__name__.replace("_", " ")


REPAIRS: tuple[str, ...] = tuple(map(_name, _REPAIRS))
"""Names of the repairs, in the order in which they are tried."""
FILTERS: tuple[str, ...] = tuple(map(_name, _FILTERS))
"""Names of the filters, in the order in which they are asked."""
RULES: tuple[str, ...] = (*REPAIRS, *FILTERS)
"""Names of all rules."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A sample after cleaning.

    `text` is on one line and has no space at its ends; `fired` names the repairs that changed it, each once, in the
    order in which they first did; `dropped` names the filter that rejects it, such as `copy of the source`, and is
    empty where the text may be used (only then is `text` sure to hold anything).
    """

    text: str
    fired: tuple[str, ...] = ()
    dropped: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One rule that fired: the text `before` and `after` it, and of a filter, which leaves the text alone, the
    `reason`: its name, and what it found where there is something to show."""

    rule: str
    before: str
    after: str
    reason: str = ""


def clean(
    raw: str,
    source: str,
    *,
    stop: Sequence[str] = (),
    markers: Sequence[str] = (),
    finish_reason: str | None = None,
) -> Cleaned:
    """The rewrite of `source` that a model's `raw` sample holds, mended, or why there is none. Never raises.

    Text is cut at the first of `stop`; `markers` are literal pieces of the prompt, which a rewrite should not hold.
    `finish_reason` is the engine's: after `length` the text is cut back to its last complete sentence. Which language
    a rule is to know is told from the letters of the source: Russian or English.
    """
    steps = trace(raw, source, stop=stop, markers=markers, finish_reason=finish_reason)
    dropped = next((step.rule for step in steps if step.reason), "")
    fired = dict.fromkeys(step.rule for step in steps if not step.reason)
    return Cleaned(steps[-1].after if steps else _start(raw), tuple(fired), dropped)


def trace(
    raw: str,
    source: str,
    *,
    stop: Sequence[str] = (),
    markers: Sequence[str] = (),
    finish_reason: str | None = None,
) -> list[Step]:
    """What `clean` does with the same arguments, step by step: the rules that fired, the filter that objected last.

    Spaces at the ends go without a step, since most models begin with one.
    """
    context = Context(source, tuple(stop), tuple(markers), finished=finish_reason != "length")
    text = _start(raw)
    steps: list[Step] = []
    for _ in range(_ROUNDS):
        found, context = _round(text, context)
        if not found:
            break
        steps += found
        text = found[-1].after
    for rule in _FILTERS:
        reason = rule(text, context)
        if reason:
            return [*steps, Step(_name(rule), text, text, reason)]
    return steps


def _start(raw: str) -> str:
    return raw.strip(" ")


def _round(text: str, context: Context) -> tuple[list[Step], Context]:
    steps: list[Step] = []
    for rule in _REPAIRS:
        after = rule(text, context)
        if after != text:
            steps.append(Step(_name(rule), text, after))
            text = after
            if rule in ENDS:
                context = replace(context, finished=True)
    return steps, context
