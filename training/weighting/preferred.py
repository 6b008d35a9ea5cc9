"""Weights from a person's preferences: read, scored, fitted, cross-validated, written as a preset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rerank.combine import weight_vector
from rerank.weights import Weights
from rewrite.errors import BadInput
from rewrite.pipeline import Pipeline
from training.disk import write_json
from training.weighting.bradley_terry import Agreement, agreement, choose_penalty, fit, held_out
from training.weighting.command import write_preset
from training.weighting.draw import digest, draw_tables, pipeline_options
from training.weighting.options import WeightOptions
from training.weighting.preferences import Choice, Compared, compare, contradictions, read_choices
from training.weighting.search import rounded

# Below so many decided choices for each component, the weights are mostly chance.
_FEW = 10
Report = Callable[[str], None]


@dataclass(frozen=True)
class Preferred:
    """Fitted weights, the strength of the penalty, and how many decided choices each way of choosing gets right."""

    weights: Mapping[str, float]
    penalty: float
    held_out: Agreement | None
    default: Agreement
    equal_weights: Agreement


def fitted(compared: Compared, options: WeightOptions, *, default: Mapping[str, float]) -> Preferred:
    """Weights for the choices, rounded to three digits; raises `BadInput` where they leave nothing to fit."""
    rows, equal, groups = compared.differences, compared.equal, compared.groups
    if not len(compared) or equal.all():
        raise BadInput("No choice is left to fit weights to.", hint="At least one row must prefer one side.")
    seed = options.seed or 0
    penalty = choose_penalty(rows, equal, groups, options.penalties, folds=options.folds, seed=seed)
    weights = rounded(fit(rows, equal, penalty=penalty))
    if not weights.any():
        raise BadInput(
            "The choices fit no weights: in none of the components do the preferred texts have the higher values.",
            hint="Check that preferred and other are not exchanged.",
        )
    default_weights = weight_vector(Weights(default), compared.components)
    return Preferred(
        weights=dict(zip(compared.components, weights.tolist(), strict=True)),
        penalty=penalty,
        held_out=held_out(rows, equal, groups, options.penalties, folds=options.folds, seed=seed),
        default=agreement(rows, equal, groups, default_weights),
        equal_weights=agreement(rows, equal, groups, np.ones(len(default_weights))),
    )


def warnings_on(choices: Sequence[Choice], compared: Compared) -> list[str]:
    """What to know before trusting the weights, a line each."""
    decided, size = int((~compared.equal).sum()), len(compared.components)
    warnings = []
    if decided < _FEW * size:
        warnings.append(
            f"Only {decided} decided choices for {size} weights: the weights are mostly chance below {_FEW * size}."
        )
    if len(np.unique(compared.groups)) < 2:
        warnings.append("All choices are on one source: nothing could be held out, and the penalty is a guess.")
    if count := contradictions(choices):
        warnings.append(f"{count} pairs of texts were decided both ways: no weights can follow these.")
    if left_out := sum(compared.blocked.values()):
        reasons = ", ".join(f"{reason} ({n})" for reason, n in list(compared.blocked.items())[:3])
        warnings.append(f"{left_out} choices left out, for one side is blocked and never competes: {reasons}.")
    if compared.unknown:
        warnings.append(
            f"{compared.unknown} texts are not the generator's: likelihood and caution say nothing on them and were "
            "left out of their rows."
        )
    silent = [
        name for name, column in zip(compared.components, compared.differences.T, strict=True) if not column.any()
    ]
    if silent:
        warnings.append(f"No choice differs in {', '.join(silent)}: weight 0, which means unknown, not unimportant.")
    return warnings


def fit_preferences(
    path: Path, options: WeightOptions, out: Path, *, processes: int | None, report: Report = print
) -> Preferred:
    """The whole step: read, draw and score, fit; writes preset.yaml and report.json to `out`."""
    choices, count = read_choices(path, most_bad=options.bad_rows)
    if count.malformed:
        report(count.report())
    choices = choices[: options.limit]
    asked = pipeline_options(options)
    sources = list(dict.fromkeys(choice.source for choice in choices))
    results = draw_tables(sources, asked, out / "tables", processes=processes, report=report)
    pipeline = Pipeline(asked)
    compared = compare(choices, dict(zip(sources, results, strict=True)), pipeline)
    warnings = warnings_on(choices, compared)
    found = fitted(compared, options, default=pipeline.weights)
    warnings += _no_better(found)
    for line in warnings:
        report(f"warning: {line}")
    report(_summary(found, compared))
    _write(found, compared, choices, options, path, out, warnings)
    return found


def _no_better(found: Preferred) -> list[str]:
    """A warning where weights that are there already do as well as the fitted ones on choices these have not seen."""
    ways = (("the default preset", found.default), ("equal weights", found.equal_weights))
    better = [name for name, way in ways if found.held_out is not None and way.share >= found.held_out.share]
    return [f"Held out, the fitted weights do no better than {' and '.join(better)}: keep these."] if better else []


def _summary(found: Preferred, compared: Compared) -> str:
    decided = int((~compared.equal).sum())
    sources = len(np.unique(compared.groups))
    ways = (
        ("fitted, held out", found.held_out),
        ("default preset", found.default),
        ("equal weights", found.equal_weights),
    )
    lines = [f"{decided} decided choices and {int(compared.equal.sum())} equal ones on {sources} sources."]
    lines += [f"{name:18}{_share(way)}" for name, way in ways if way is not None]
    lines.append(f"{'chance':18}50.0 %")
    lines.append("In brackets: 95 %, the choices on one source taken together, for they are not independent.")
    lines.append("Weights: " + " ".join(f"{name}={value:g}" for name, value in found.weights.items()))
    return "\n".join(lines)


def _share(way: Agreement) -> str:
    low, high = way.interval
    return f"{100 * way.share:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def _write(
    found: Preferred,
    compared: Compared,
    choices: Sequence[Choice],
    options: WeightOptions,
    path: Path,
    out: Path,
    warnings: Sequence[str],
) -> None:
    signature = digest([(c.source, c.preferred.text, c.other.text, c.equal) for c in choices])
    share = _share(found.held_out) if found.held_out else "not measured"
    notes = [
        f"Made by python -m training.weights from {path.name}, {len(choices)} choices (data {signature}).",
        f"Generator {options.generator}, n={options.n}, seed {options.seed}, penalty {found.penalty:g}.",
        f"Choices decided alike, held out: {share}; the default preset: {_share(found.default)}.",
        *(f"Warning: {line}" for line in warnings),
    ]
    write_preset(out / "preset.yaml", options.name, found.weights, notes)
    report: dict[str, Any] = {
        "weights": dict(found.weights),
        "penalty": found.penalty,
        "rows": len(compared),
        "equal": int(compared.equal.sum()),
        "held_out": _plain(found.held_out),
        "default": _plain(found.default),
        "equal_weights": _plain(found.equal_weights),
        "warnings": list(warnings),
        "options": options.model_dump(mode="json"),
        "data": {"file": path.name, "choices": len(choices), "signature": signature},
    }
    write_json(out / "report.json", report)


def _plain(way: Agreement | None) -> dict[str, float] | None:
    if way is None:
        return None
    low, high = way.interval
    return {"right": way.right, "rows": way.rows, "share": way.share, "low": low, "high": high}
