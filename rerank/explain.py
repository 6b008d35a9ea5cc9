"""Why this candidate: what each component contributes, who came second, and what would change the choice."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rerank.combine import weight_vector
from rerank.flip import Flip, smallest_flip
from rerank.select import Selection
from rerank.types import Candidate

__all__ = ["Contribution", "Explanation", "explain"]


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
    weights = weight_vector(ranked.weights, table.components).tolist()
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
