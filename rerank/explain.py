"""Why this candidate: what each component contributes, who came second, and what would change the choice.

As weight k moves by d, every log total moves on a line: Tᵢ(d) = Tᵢ + d · log vᵢₖ. Candidate c is chosen where its line
is above all others and above the source's line plus the log threshold, which is an interval of d, in closed form. The
smallest |d| over all c and k is exact. Only d = −wₖ stands apart: there the component drops out, zeros included.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rerank.combine import log_totals
from rerank.select import Selection, log_threshold
from rerank.types import Candidate, FloatArray

_DIGITS = range(2, 16)


@dataclass(frozen=True)
class Flip:
    """Set `component` from `before` to `after`, all other weights as they are, and candidate `index` is chosen.

    `bound` is the exact weight at which the choice changes; `after` is the nearest number beyond it of as few decimals
    as will do.
    """

    component: str
    before: float
    after: float
    bound: float
    index: int


@dataclass(frozen=True)
class Contribution:
    """One component of the choice: its `value`, `weight`, and `factor` = value^(weight/Σw) of the score.

    `against` is the ratio of that factor to the runner-up's (1 if there is none): above 1 it speaks for the choice.
    """

    component: str
    value: float
    weight: float
    factor: float
    against: float


@dataclass(frozen=True)
class Explanation:
    """A choice in numbers; `lines()` puts it into words.

    `runner_up` is the next best unblocked candidate, or the best one if the source was kept; `runner_up_index` its row.
    """

    selection: Selection
    contributions: tuple[Contribution, ...]
    runner_up: Candidate | None
    runner_up_index: int | None
    flip: Flip | None

    def lines(self) -> list[str]:
        """Plain sentences, without colour: the choice, its components, the runner-up and the smallest flip."""
        chosen = self.selection
        kept = f"The source is kept: {chosen.reason}." if chosen.fell_back else f"Score {chosen.score:.4g}."
        return [kept, *map(_component_line, self.contributions), *self._runner_up_lines(), self._flip_line()]

    def _runner_up_lines(self) -> list[str]:
        if self.runner_up is None or self.runner_up_index is None:
            return ["There is no runner-up."]
        score = self.selection.ranked.score(self.runner_up_index)
        lines = [f"Runner-up, score {score:.4g}: {self.runner_up.text}"]
        ranked = sorted(self.contributions, key=lambda c: -c.against)
        ahead = [f"{c.component} (×{c.against:.3f})" for c in ranked if c.against >= 1.0005]
        behind = [f"{c.component} (×{c.against:.3f})" for c in reversed(ranked) if c.against <= 0.9995]
        if ahead:
            lines.append(f"Against it, the choice gains by {', '.join(ahead)}.")
        if behind:
            lines.append(f"It loses by {', '.join(behind)}.")
        return lines

    def _flip_line(self) -> str:
        if self.flip is None:
            return "No change of a single weight leads to another candidate."
        text = self.selection.ranked.table.candidates[self.flip.index].text
        return f"With {self.flip.component}={self.flip.after:.15g} (now {self.flip.before:g}) it would be: {text}"


def explain(selection: Selection) -> Explanation:
    """Explain a choice from its table alone; calls no model."""
    ranked, table = selection.ranked, selection.ranked.table
    order = [i for i in ranked.order if i != selection.index]
    second = order[0] if order else None
    weights = ranked.exponents.tolist()
    values = table.source_values if selection.index is None else table.values[selection.index]
    rival = values if second is None else table.values[second]
    rows = zip(table.components, values.tolist(), rival.tolist(), weights, strict=True)
    return Explanation(
        selection=selection,
        contributions=tuple(_contribution(*row, sum(weights)) for row in rows),
        runner_up=None if second is None else table.candidates[second],
        runner_up_index=second,
        flip=smallest_flip(selection),
    )


def _contribution(component: str, value: float, rival: float, weight: float, whole: float) -> Contribution:
    share = weight / whole if whole > 0 else 0.0
    # 0⁰ = 1 in Python, as a component without weight demands.
    factor, other = value**share, rival**share
    against = factor / other if other > 0 else (math.inf if factor > 0 else 1.0)
    return Contribution(component, value, weight, factor, against)


def _component_line(c: Contribution) -> str:
    if c.weight == 0:
        return f"{c.component} {c.value:.2f} does not count (weight 0)."
    loss = 1 - c.factor
    effect = "costs nothing" if loss < 0.0005 else f"costs {loss:.1%} of the score"
    return f"{c.component} {c.value:.2f} (weight {c.weight:g}) {effect}."


def smallest_flip(selection: Selection) -> Flip | None:
    """The smallest change |Δw| of one weight, staying ≥ 0, after which another unblocked candidate is chosen.

    `None` if no change of a single weight does that. The answer is verified by choosing anew.
    """
    ranked = selection.ranked
    weights = ranked.exponents
    lines = _Lines(selection)
    reached = sorted(
        (abs(at), ranked.table.components[k], ranked.table.candidates[c].text, at, end, k, c)
        for k in range(len(weights))
        for at, end, c in itertools.chain(lines.intervals(k), lines.dropping(k))
    )
    for _, _, _, at, end, k, c in reached:
        name, before = ranked.table.components[k], float(weights[k])
        for after in _rounded(before, at, end):
            if selection.reweight(ranked.weights.with_(name, after)).index == c:
                return Flip(name, before, after, max(0.0, before + at), c)
    return None


class _Lines:
    """Log totals of the unblocked candidates, and of the source's threshold, as functions of one weight."""

    def __init__(self, selection: Selection) -> None:
        table = selection.ranked.table
        self._weights = selection.ranked.exponents
        self._floor = log_threshold(selection.threshold)
        self._rows = [i for i in selection.ranked.order if i != selection.index]
        self._all = list(selection.ranked.order)
        self._values = np.vstack([table.values, table.source_values])
        self._selection = selection
        with np.errstate(divide="ignore"):
            self._logs = np.log(self._values)

    def intervals(self, k: int) -> Iterator[tuple[float, float, int]]:
        """(nearest d, farthest d, candidate) with d on one side of 0, for every candidate chosen somewhere on it.

        For −wₖ < d < ∞; candidates whose total is −inf throughout are out.
        """
        others = self._weights.copy()
        others[k] = 0.0
        slopes = self._logs[:, k]
        # Σ without k is finite where no other zero counts; with k, on the open interval, slopes must be finite too.
        rest = log_totals(self._values, others)
        base = rest + self._weights[k] * np.where(np.isfinite(slopes), slopes, 0.0)
        alive = np.isfinite(rest) & np.isfinite(slopes)
        for candidate in self._rows:
            if not alive[candidate]:
                continue
            rivals = [i for i in self._all if i != candidate and alive[i]]
            gaps, tilts = base[candidate] - base[rivals], slopes[candidate] - slopes[rivals]
            if alive[-1] and self._floor > -math.inf:
                gaps = np.append(gaps, base[candidate] - base[-1] - self._floor)
                tilts = np.append(tilts, slopes[candidate] - slopes[-1])
            low, high = _where_positive(gaps, tilts, -float(self._weights[k]))
            if low < high and high > 0:
                yield max(low, 0.0), high, candidate
            if low < high and low < 0:
                yield min(high, 0.0), low, candidate

    def dropping(self, k: int) -> Iterator[tuple[float, float, int]]:
        """What is chosen once component k is left out."""
        if self._weights[k] > 0:
            component = self._selection.ranked.table.components[k]
            index = self._selection.reweight(self._selection.ranked.weights.with_(component, 0.0)).index
            if index is not None and index != self._selection.index:
                yield -float(self._weights[k]), -float(self._weights[k]), index


def _where_positive(gaps: FloatArray, tilts: FloatArray, lowest: float) -> tuple[float, float]:
    """The interval of d ≥ `lowest` where gap + d · tilt ≥ 0 for all; empty if its ends are not in order."""
    flat = tilts == 0
    if (gaps[flat] < 0).any():
        return 0.0, 0.0
    roots = -gaps[~flat] / tilts[~flat]
    rising = tilts[~flat] > 0
    return max([lowest, *roots[rising].tolist()]), min([math.inf, *roots[~rising].tolist()])


def _rounded(before: float, at: float, end: float) -> Iterator[float]:
    """Weights from `before + at` towards `before + end`, of 2, 3, … decimals; the first lies farthest out."""
    bound = before + at
    if at == end:
        yield max(0.0, bound)
        return
    away = math.copysign(1.0, end - at)
    for digits in _DIGITS:
        scale = 10.0**digits
        step = math.floor(bound * scale) + 1 if away > 0 else math.ceil(bound * scale) - 1
        after = step / scale
        if after >= 0 and (after - before) * away < abs(end):
            yield after
