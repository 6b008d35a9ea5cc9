"""Weights: the exponents of the weighted product, the only definition of what a user may tune, and their presets.

A component that a preset leaves out keeps what came before it.
"""

from __future__ import annotations

import difflib
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rerank.errors import BadInput, BadWeights

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

# What readers pass and what they call simpler are learnt from their verdicts: these decide, and `similarity` and
# `entities` between texts that are alike in both (docs/simplify-english.md). `paper` is that of Russian.
ENGLISH_PRESETS = _read("""
                balanced  accurate  simple  clear  paper
    similarity  0.3       0.5       0.1     0.3    1.583
    entities    2         4         0.2     2      0.721
    lexical     0         0         0       0      1.502
    depth       0         0         0       0      0.208
    length      0         0         0       0      1.236
    readability 0         0         0       0      0.334
    simplicity  1         1         1       1      0
    caution     1.5       4         0.85    1.5    0
""")
"""Weights for English under the names of `PRESETS`."""

DEFAULT_PRESET = "balanced"
RELEASED_THRESHOLD = 0.8
"""The released RuSimScore keeps the source unless a candidate beats this share of the source's own S."""

# The control knob passes through these presets: (position, preset), ascending.
KNOB: tuple[tuple[float, str], ...] = ((0.0, "accurate"), (5.0, "balanced"), (10.0, "simple"))


@dataclass(frozen=True, init=False, eq=False)
class Weights(Mapping[str, float]):
    """A frozen mapping from component names to exponents ≥ 0; 0 leaves the component out altogether.

    With `known`, other names are refused. Raises `BadWeights` for an unknown name, a negative, infinite or NaN value,
    or something that is no number.
    """

    _values: Mapping[str, float]

    def __init__(self, values: Mapping[str, float], *, known: Iterable[str] | None = None) -> None:
        if known is not None:
            _refuse_unknown("weight", values, tuple(known))
        checked = {name: _exponent(name, value) for name, value in values.items()}
        object.__setattr__(self, "_values", MappingProxyType(checked))

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return dict(self) == dict(other) if isinstance(other, Mapping) else NotImplemented

    def __reduce__(self) -> tuple[type[Weights], tuple[dict[str, float]]]:
        return Weights, (dict(self),)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __str__(self) -> str:
        return " ".join(f"{name}={value:g}" for name, value in self._values.items())

    def with_(self, name: str, value: float) -> Weights:
        """The same weights but for `name`."""
        return Weights({**self._values, name: value})

    @staticmethod
    def named(preset: str | Mapping[str, float], explicit: Mapping[str, float]) -> frozenset[str]:
        """The components that are asked for by name, in a preset of one's own or one by one, with whatever weight."""
        return frozenset({*explicit, *(() if isinstance(preset, str) else preset)})

    @classmethod
    def resolve(
        cls,
        known: Iterable[str],
        *,
        preset: str | Mapping[str, float] | None = None,
        control: float | None = None,
        explicit: Mapping[str, float] | None = None,
        presets: Mapping[str, Mapping[str, float]] = PRESETS,
        also: Iterable[str] = (),
    ) -> Weights:
        """One weight for each of the `known` components, merged once: default < preset < control < explicit.

        The default is the preset `balanced`, and 0 for a component which that does not name. `preset` is a name from
        `presets` or weights of one's own, such as `load_preset` returns. `control` runs from 0 (keep the meaning) over
        5 (balanced) to 10 (as simple as can be). Named presets are cut down to what is known; in `explicit` and in
        one's own preset an unknown name is an error: `BadWeights`, whose hint lists the known names, and `also` those
        which would be known if they were asked for.
        """
        names, others = tuple(known), tuple(also)
        layers = [dict.fromkeys(names, 0.0), presets.get(DEFAULT_PRESET, {})]
        if isinstance(preset, str):
            layers.append(_named(preset, presets))
        elif preset is not None:
            _refuse_unknown("weight", preset, names, others)
            layers.append(cls(preset))
        if control is not None:
            layers.append(knob_weights(control, presets=presets))
        merged = {name: value for layer in layers for name, value in layer.items() if name in names}
        _refuse_unknown("weight", explicit or {}, names, others)
        return cls({**merged, **(explicit or {})})


def knob_weights(control: float, *, presets: Mapping[str, Mapping[str, float]] = PRESETS) -> Mapping[str, float]:
    """Weights at position `control` in [0, 10] between the presets `accurate` (0), `balanced` (5) and `simple` (10).

    Exponents are interpolated linearly between neighbours, so the weighted product S is the geometric mean of the two
    presets' S, weighted by the distances. A component that one neighbour lacks counts as 0 there.
    """
    low, high = KNOB[0][0], KNOB[-1][0]
    if not _is_number(control) or not low <= control <= high:
        raise BadWeights(f"control is {control!r}.", hint=f"Give a number from {low:g} to {high:g}.")
    (left, below), (right, above) = next(pair for pair in itertools.pairwise(KNOB) if control <= pair[1][0])
    share = (control - left) / (right - left)
    a, b = _named(below, presets), _named(above, presets)
    return {name: (1 - share) * a.get(name, 0.0) + share * b.get(name, 0.0) for name in {**a, **b}}


def load_preset(path: str | Path) -> tuple[str, Weights]:
    """Name and weights of a preset file: YAML with `name` and `weights: {component: exponent}`, and nothing else.

    Raises `BadInput` naming the file and the place if it cannot be read so, `BadWeights` for a bad value.
    """
    layout = "A preset holds `name: …` and `weights: {similarity: 2, …}`."
    try:
        data = yaml_mapping(Path(path).read_bytes(), str(path), hint=layout)
    except OSError as error:
        raise BadInput(f"Cannot read the preset {str(path)!r}: {error.strerror or error}.") from error
    surplus = [key for key in data if key not in ("name", "weights")]
    if surplus:
        raise BadInput(f"{path}: unknown key {surplus[0]!r}.", hint=layout)
    name, weights = data.get("name"), data.get("weights")
    if not isinstance(name, str) or not name:
        raise BadInput(f"{path}, name: expected a text, got {name!r}.", hint=layout)
    if not isinstance(weights, dict) or not all(isinstance(key, str) for key in weights):
        raise BadInput(f"{path}, weights: expected names with numbers, got {weights!r}.", hint=layout)
    try:
        return name, Weights(weights)
    except BadWeights as error:
        raise BadWeights(f"{path}, weights: {error.message}", hint=error.hint) from None


def yaml_mapping(data: bytes, place: str, *, hint: str) -> dict[Any, Any]:
    """What a YAML file holds, of which `hint` tells the layout. Raises `BadInput` naming the place where it cannot."""
    import yaml

    try:
        mapping: Any = yaml.safe_load(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        hint = "Save it as UTF-8: iconv -f cp1251 -t utf-8."
        raise BadInput(f"{place}, byte {error.start}: not UTF-8.", hint=hint) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
        raise BadInput(
            f"{place}{where}: not YAML: {getattr(error, 'problem', error)}.",
            hint=f"Correct it there: a text with a colon, brace or quotation mark in it stands in quotes. {hint}",
        ) from error
    if not isinstance(mapping, dict):
        raise BadInput(f"{place}: expected a mapping, got {repr(mapping)[:80]}.", hint=hint)
    return mapping


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _exponent(name: str, value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise BadWeights(f"Weight {name}={value!r} is not a number.", hint="Give a number of 0 or more.")
    if not _is_number(value) or value < 0:
        raise BadWeights(f"Weight {name}={value!r} is out of range.", hint="Give a finite number of 0 or more.")
    return float(value)


def _named(preset: str, presets: Mapping[str, Mapping[str, float]]) -> Mapping[str, float]:
    _refuse_unknown("preset", [preset], tuple(presets))
    return presets[preset]


def _refuse_unknown(kind: str, names: Iterable[str], known: tuple[str, ...], also: tuple[str, ...] = ()) -> None:
    listed = sorted({*known, *also})
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(str(name), listed, n=1)
            guess = f"Did you mean {close[0]!r}? " if close else ""
            raise BadWeights(f"Unknown {kind} {name!r}.", hint=f"{guess}Known: {', '.join(listed)}.")
