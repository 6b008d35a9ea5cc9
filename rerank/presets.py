"""Presets: named weights, as plain data. A component that a preset leaves out keeps what came before it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["DEFAULT_PRESET", "KNOB", "PRESETS"]


def _freeze(**weights: float) -> Mapping[str, float]:
    return MappingProxyType(weights)


_BALANCED = {
    "similarity": 0.5,
    "entities": 0.7,
    "lexical": 1.5,
    "depth": 0.2,
    "length": 8.0,
    "readability": 0.35,
    "structure": 6.0,
    "brevity": 0.0,
    "likelihood": 11.0,
    "caution": 6.5,
}

PRESETS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "balanced": _freeze(**_BALANCED),
        "accurate": _freeze(
            similarity=4.0,
            entities=2.0,
            lexical=1.5,
            depth=0.2,
            length=2.0,
            readability=0.35,
            structure=10.0,
            brevity=0.0,
            likelihood=11.0,
            caution=12.0,
        ),
        "simple": _freeze(
            similarity=0.0,
            entities=0.2,
            lexical=1.5,
            depth=0.2,
            length=8.0,
            readability=0.35,
            structure=6.0,
            brevity=6.0,
            likelihood=11.0,
            caution=4.0,
        ),
        # Long sentences are cut in two rather than shortened, and what is changed must be surer to be right.
        "clear": _freeze(**_BALANCED | {"length": 5.0, "caution": 8.0, "brevity": 6.0}),
        # Tuned by the author of RuSimScore for SARI on RSSE dev; the exponents of the released code.
        "paper": _freeze(
            similarity=1.583,
            entities=0.721,
            lexical=1.502,
            depth=0.208,
            length=1.236,
            readability=0.334,
            structure=0.0,
            brevity=0.0,
            likelihood=0.0,
            caution=0.0,
        ),
    }
)

DEFAULT_PRESET = "balanced"

# The control knob passes through these presets: (position, preset), ascending.
KNOB: tuple[tuple[float, str], ...] = ((0.0, "accurate"), (5.0, "balanced"), (10.0, "simple"))
