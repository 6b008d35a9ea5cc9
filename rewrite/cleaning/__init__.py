"""Cleaning of what language models draw: named rules that mend a sample, and others that reject it.

    from rewrite.cleaning import clean
    clean(raw, source).text

A rule is a function of the text and its `Context`. Repairs are tried in order, again and again until none changes
anything; then the filters are asked, and the first that objects has the text dropped, under its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rewrite.cleaning.context import Context, Filter, Rule
from rewrite.cleaning.filters import FILTERS
from rewrite.cleaning.repairs import ENDS, REPAIRS

__all__ = ["Cleaned", "Context", "Rule", "clean"]

# One repair may lay bare what another mends; two rounds settle nearly every text.
_ROUNDS = 20


def _name(rule: Rule | Filter) -> str:
    return rule.__name__.replace("_", " ")


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
    context = Context(source, tuple(stop), tuple(markers), finished=finish_reason != "length")
    # Most models begin with a space.
    text, fired = raw.strip(" "), dict[str, None]()
    for _ in range(_ROUNDS):
        before = text, context
        for rule in REPAIRS:
            after = rule(text, context)
            if after != text:
                fired[_name(rule)], text = None, after
                if rule in ENDS:
                    context = replace(context, finished=True)
        if (text, context) == before:
            break
    return Cleaned(text, tuple(fired), next((_name(rule) for rule in FILTERS if rule(text, context)), ""))
