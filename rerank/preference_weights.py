"""Weights from choices between rows of score tables: which candidate a person liked better, and than which.

Bradley and Terry (1952) in the model that chooses: the log-odds that row i is preferred to row j are log Sᵢ − log Sⱼ =
Σₖ wₖ (log vᵢₖ − log vⱼₖ). The weights ≥ 0 of greatest posterior probability are found, with a normal prior around those
to start from: a few choices move them a little, many move them wherever they point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rerank.errors import BadInput
from rerank.types import FloatArray, ScoreTable
from rerank.weights import Weights

FEWEST = 10
"""Choices that weights are learnt from, at least."""
_FLOOR = 1e-9
"""What a value of 0 counts as: scorers that have no 0 end here, too."""
_SPREAD = 0.5
"""Standard deviation of the prior, as a share of the weight, and of 1 for weights below 1."""
_STEPS = 200
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Preference:
    """Row `preferred` of `table` is better than each of the rows `over`; `None` is the source.

    `threshold` is the share of the source's score that a candidate must beat, as in `rerank.select.select`.
    """

    table: ScoreTable
    preferred: int | None
    over: tuple[int | None, ...]
    threshold: float = 1.0


@dataclass(frozen=True)
class Fit:
    """Weights that were learnt, and the share of the choices that agree with those before and after."""

    weights: Weights
    before: float
    after: float


def fit_weights(preferences: Sequence[Preference], start: Weights) -> Fit:
    """The weights that make the choices likely, near `start`, which has one for each component.

    Raises `BadInput` for fewer choices than `FEWEST`, for a table with other components than the first, and for a row
    that is not there or is preferred to itself; the message names the choice.
    """
    if len(preferences) < FEWEST:
        raise BadInput(f"There are {len(preferences)} choices.", hint=f"Weights are learnt from {FEWEST} or more.")
    components = preferences[0].table.components
    parts = [_contrasts(number, preference, components) for number, preference in enumerate(preferences)]
    contrasts, offsets = np.vstack([x for x, _ in parts]), np.concatenate([b for _, b in parts])
    sizes = np.array([len(x) for x, _ in parts])
    first = np.array([start.get(name, 0.0) for name in components])
    learnt = _most_likely(contrasts, offsets, np.repeat(1 / sizes, sizes), first)

    def agreement(weights: FloatArray) -> float:
        right = contrasts @ weights + offsets > 0
        return float(np.logical_and.reduceat(right, np.cumsum(sizes) - sizes).mean())

    weights = Weights({name: round(value, 4) for name, value in zip(components, learnt.tolist(), strict=True)})
    return Fit(weights, agreement(first), agreement(np.array(list(weights.values()))))


def _contrasts(number: int, preference: Preference, components: tuple[str, ...]) -> tuple[FloatArray, FloatArray]:
    """Of each pair of rows what the preferred one has more of, in logarithms `[m, k]`, and a constant `[m]`."""
    table, place = preference.table, f"choices[{number}]"
    if table.components != components:
        raise BadInput(
            f"{place}: its table has the components {', '.join(table.components)}.",
            hint=f"All tables must have those of the first: {', '.join(components)}.",
        )
    rows = (preference.preferred, *preference.over)
    if len(rows) < 2 or rows[0] in rows[1:]:
        shown = ", ".join(map(str, rows[1:11]))
        raise BadInput(f"{place}: a row is preferred to others than itself, got {rows[0]} over [{shown}].")
    for row in rows:
        if row is not None and not 0 <= row < len(table.candidates):
            raise BadInput(f"{place}: there is no row {row}.", hint=f"The table has {len(table.candidates)}.")
    values = np.vstack([table.values, table.source_values])
    logs = np.log(np.maximum(values, _FLOOR))[[-1 if row is None else row for row in rows]]
    bars = np.array([np.log(preference.threshold) if row is None and preference.threshold > 0 else 0.0 for row in rows])
    return logs[0] - logs[1:], bars[0] - bars[1:]


def _most_likely(x: FloatArray, offsets: FloatArray, shares: FloatArray, start: FloatArray) -> FloatArray:
    """argmin over w ≥ 0 of Σᵢ shareᵢ · log(1 + exp(−xᵢ·w − offsetᵢ)) + ½ Σₖ ((wₖ − startₖ) / spreadₖ)².

    Newton's method on the weights that are not held at 0, projected (Bertsekas 1982); the loss is strictly convex.
    """
    precision = 1 / (_SPREAD * np.maximum(start, 1.0)) ** 2

    def loss(w: FloatArray) -> float:
        return float(shares @ np.logaddexp(0, -x @ w - offsets) + 0.5 * precision @ (w - start) ** 2)

    w: FloatArray = start.copy()
    for _ in range(_STEPS):
        wrong = np.exp(-np.logaddexp(0, x @ w + offsets))
        gradient = precision * (w - start) - x.T @ (shares * wrong)
        free = (w > 0) | (gradient < 0)
        if not free.any() or np.abs(gradient[free]).max() < _TOLERANCE:
            break
        curvature = (x.T * (shares * wrong * (1 - wrong))) @ x + np.diag(precision)
        step = np.zeros_like(w)
        step[free] = np.linalg.solve(curvature[np.ix_(free, free)], gradient[free])
        size, now = 1.0, loss(w)
        while size > _TOLERANCE and loss(np.maximum(w - size * step, 0)) > now:
            size /= 2
        if size <= _TOLERANCE:  # rounding hides what is left to gain
            break
        w = np.maximum(w - size * step, 0.0)
    return w
