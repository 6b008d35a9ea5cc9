"""Presets: named weights, as plain data. A component that a preset leaves out keeps what came before it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["DEFAULT_PRESET", "KNOB", "PRESETS"]

# In `clear` long sentences are cut in two rather than shortened, and what is changed must be surer to be right.
# `paper` was tuned by the author of RuSimScore for SARI on RSSE dev: the exponents of the released code.
_TABLE = """
                balanced  accurate  simple  clear  paper
    similarity  0.5       4         0       0.5    1.583
    entities    0.7       2         0.2     0.7    0.721
    lexical     1.5       1.5       1.5     1.5    1.502
    depth       0.2       0.2       0.2     0.2    0.208
    length      8         2         8       5      1.236
    readability 0.35      0.35      0.35    0.35   0.334
    structure   6         10        6       6      0
    brevity     0         0         6       6      0
    likelihood  11        11        11      11     0
    caution     6.5       12        4       8      0
"""


def _read(table: str) -> Mapping[str, Mapping[str, float]]:
    """Of each column its name, and the number in each row by the row's name."""
    names, *rows = (line.split() for line in table.strip().splitlines())
    return MappingProxyType(
        {
            name: MappingProxyType({component: float(numbers[column]) for component, *numbers in rows})
            for column, name in enumerate(names)
        }
    )


PRESETS = _read(_TABLE)

DEFAULT_PRESET = "balanced"

# The control knob passes through these presets: (position, preset), ascending.
KNOB: tuple[tuple[float, str], ...] = ((0.0, "accurate"), (5.0, "balanced"), (10.0, "simple"))
