"""What is said where a metric had several judges, as `learned` has by its rows' languages and lengths."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["by_several"]


def by_several(counts: Mapping[str, int], what: str) -> str:
    """How many rows (`what`) each of the judges had, by `Judged.by`; empty where one had all."""
    if len(counts) < 2:
        return ""
    named = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    told = ", ".join(f"{count} by {name}" for name, count in named)
    # One of them can judge all where all texts are of its language: bundled:TASK-LANGUAGE.
    same = len({name.rpartition("-")[2] for name in counts}) == 1
    instead = "; with --model bundled:NAME one judges all" if same else ""
    return f"{what} were judged by different evaluators, whose scores do not compare: {told}{instead}"
