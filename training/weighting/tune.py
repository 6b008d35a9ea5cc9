"""Weights for SARI: tables once, a search over settings, cross-validation, a preset.

And what to know before trusting them: models that have seen the sources, and too few sources.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.combine import weight_vector
from rerank.types import FloatArray
from rerank.weights import PRESETS, Weights
from rewrite.datasets import Example
from rewrite.errors import BadInput, BadWeights
from rewrite.request import Options
from rewrite.result import Result
from training.disk import write_json, write_json_lines
from training.forests import folds_of
from training.pairs import read_examples
from training.weighting.arena import Arena, contests
from training.weighting.command import write_preset
from training.weighting.draw import cross_fitted, digest, draw_tables, has_edits, pipeline_options
from training.weighting.validate import Best, Validation, cross_validated, rows_text, search
from training.weighting.weight_options import WeightOptions

FEW = 200
"""Sources. Weights tuned on so many did better on other sources than the best preset in twelve draws of twelve; on 100
in six, on 20 in three (measured once)."""
FLATTERED = "the bundled edit model was trained on RSSE dev, so its figures there flatter"


def warnings_of(options: WeightOptions, sources: int) -> list[str]:
    """Why figures may flatter, a line each: by a model that has seen the sources, by few `sources` with candidates."""
    warnings = []
    if has_edits(options.generator) and not options.cross_fit:
        warnings.append(f"Not cross-validated as to its candidates (cross_fit is off): {FLATTERED}.")
    if sources < FEW:
        warnings.append(
            f"Only {sources} sources have candidates to choose from: below {FEW}, tuned weights are as a rule no "
            "better on other sources than the best preset as it is (docs/tuning.md)."
        )
    return warnings


Report = Callable[[str], None]
_PRICE = 10_000.0


@dataclass(frozen=True, eq=False)
class Tuned:
    """Weights tuned on all sources, and how tuned weights do on sources that they were not tuned on."""

    weights: Mapping[str, float]
    best: Best
    validation: Validation


def tables_of(
    path: Path,
    options: WeightOptions,
    out: Path,
    *,
    generator: str | None = None,
    processes: int | None = None,
    report: Report = print,
) -> tuple[list[Example], list[Result]]:
    """The sources of a file, and their tables from `out`/tables, drawn where they are not there yet."""
    examples = read_examples(path, bad_rows=options.bad_rows, say=report)[: options.limit]
    if len(examples) < options.folds:
        raise BadInput(
            f"{path}: {len(examples)} sources for {options.folds} folds.", hint="Give more sources, or fewer --folds."
        )
    asked = pipeline_options(options, generator=generator)
    refuse_unknown(options, asked)
    folder = out / "tables"
    # Where several generators are compared, each is drawn as fairly as it can be.
    if options.cross_fit and (generator is None or has_edits(generator)):
        folds = folds_of(len(examples), options.folds, options.seed or 0)
        results = cross_fitted(examples, folds, asked, folder, processes=processes, report=report)
    else:
        texts = [example.source for example in examples]
        results = draw_tables(texts, asked, folder, processes=processes, report=report)
    return examples, results


def refuse_unknown(options: WeightOptions, asked: Options) -> None:
    """Refuse a name in `fixed` or `least` that is no component before hours are spent on tables.

    Raises `BadWeights`, and what a pipeline of `asked` raises at once.
    """
    from rewrite.pipeline import Pipeline

    known = [scorer.name for scorer in Pipeline(asked).scorers]
    key = "fixed"
    try:
        Weights(options.fixed, known=known)
        key = "least"
        Weights(options.least, known=known)
    except BadWeights as error:
        raise BadWeights(f"{key}: {error.message}", hint=error.hint) from None


def named_settings(components: Sequence[str], *, presets: Sequence[str]) -> dict[str, FloatArray]:
    """The shipped `presets` and equal weights as vectors `[k]`."""
    of_presets = {name: weight_vector(Weights.resolve(components, preset=name), components) for name in presets}
    return {**of_presets, "equal weights": np.ones(len(components))}


def tune_sari(
    path: Path,
    options: WeightOptions,
    out: Path,
    *,
    processes: int | None,
    report: Report = print,
) -> Tuned:
    """The whole step: tables, search, cross-validation; writes preset.yaml, report.json and outputs.jsonl to `out`.

    What makes the figures flatter, or too little to go by, is told as a warning, and stands in all but the outputs.
    """
    examples, results = tables_of(path, options, out, processes=processes, report=report)
    seed = options.seed or 0
    arena = Arena(contests(results, [example.references for example in examples]))
    _require_choice(arena)
    report(f"{len(arena):,} sources, {arena.size:,} candidates")
    default = results[0].options.chosen_preset
    presets = list(dict.fromkeys([default, *PRESETS]))
    known = named_settings(arena.components, presets=presets)
    tune = tuner(options, arena.components, known)
    best = tune(arena)
    report(f"tuned on all: SARI {best.value:.2f} (corpus) after {best.tried:,} settings")
    validation = cross_validated(
        arena,
        examples,
        folds_of(len(examples), options.folds, seed),
        tune,
        fixed_settings=known,
        final=best.weights,
        default=default,
        samples=options.samples,
        seed=seed,
        report=report,
    )
    weights = dict(zip(arena.components, best.weights.tolist(), strict=True))
    tuned = Tuned(weights, best, validation)
    report("\n" + _summary(tuned, default))
    warnings = warnings_of(options, arena.choosable)
    texts = arena.texts(known[default]), arena.texts(best.weights)
    _write(tuned, out, path, options, examples, *texts, results, warnings)
    for line in warnings:
        report(f"warning: {line}")
    return tuned


def _require_choice(arena: Arena) -> None:
    """Refuse what weights cannot choose from: every setting would be as good as any other."""
    most = max(len(unit.rows) for contest in arena.contests for unit in contest.units)
    if most < 2:
        raise BadInput(
            f"Candidates that may be chosen: {arena.size} for {len(arena)} sources, never two for one, so weights have "
            "nothing to choose between.",
            hint="Raise --n, or take another --generator; `rewrite simplify --format jsonl` shows what is blocked.",
        )


def tuner(
    options: WeightOptions, components: Sequence[str], known: Mapping[str, FloatArray]
) -> Callable[[Arena], Best]:
    """What searches the weights of an arena with these `components` as `options` say; `known` settings are starts.

    It raises `BadInput` where no setting keeps within the bounds `least`.
    """
    held = weight_vector(Weights(options.fixed), components)
    free: npt.NDArray[np.bool_] = np.array([name not in options.fixed for name in components], dtype=bool)
    starts = np.minimum(np.where(free, np.array(list(known.values())), held), np.where(free, options.most, np.inf))

    least = np.array([options.least.get(name, 0.0) for name in components])

    def tune(arena: Arena) -> Best:
        def objective(settings: FloatArray) -> FloatArray:
            scores = arena.sari(settings)
            if options.least:
                # Any shortfall weighs more than SARI can make up for.
                scores -= _PRICE * np.maximum(least - arena.means(settings), 0).sum(axis=1)
            return scores

        best = search(
            objective, starts, free=free, settings=options.settings, most=options.most, seed=options.seed or 0
        )
        short = np.maximum(least - arena.means(best.weights[np.newaxis])[0], 0)
        if short.any():
            name = components[int(np.argmax(short))]
            raise BadInput(
                f"No setting reached a mean {name} of {options.least[name]:g}; the best fell {short.max():.3f} short.",
                hint="Lower `least`, or try more settings.",
            )
        return best

    return tune


def _summary(tuned: Tuned, default: str) -> str:
    gain, gap = tuned.validation.gain, tuned.validation.gap
    return "\n".join(
        [
            rows_text(tuned.validation.rows),
            "",
            f"Held out, tuned minus {default}: {gain.low:+.2f} to {gain.high:+.2f} SARI (95 %, paired bootstrap).",
            f"Overfit: {gap:+.2f} SARI between what weights were tuned on and what they were not (mean of the folds).",
            "Mean values of what was chosen, held out: "
            + " ".join(f"{name}={value:.3f}" for name, value in tuned.validation.means.items()),
            "Weights: " + " ".join(f"{name}={value:g}" for name, value in tuned.weights.items()),
        ]
    )


def _write(
    tuned: Tuned,
    out: Path,
    path: Path,
    options: WeightOptions,
    examples: Sequence[Example],
    before: Sequence[str],
    after: Sequence[str],
    results: Sequence[Result],
    warnings: Sequence[str],
) -> None:
    signature = digest([(example.source, example.references) for example in examples])
    rows = tuned.validation.rows
    interval = rows[0].measured.interval("sari")
    notes = [
        f"Made by python -m training.weights from {path.name}, {len(examples)} sources (data {signature}).",
        f"Generator {options.generator}, n={options.n}, seed {options.seed}, {tuned.best.tried} settings tried.",
        f"SARI {rows[0].figures['sari']:.2f} ({interval.low:.2f}-{interval.high:.2f}) in "
        f"{options.folds}-fold cross-validation, {rows[1].figures['sari']:.2f} where it was tuned.",
        "SARI does not see torn phrases or changed facts: read outputs before you use this.",
    ]
    fitted = "Each fold was drawn by an edit model that had not seen it." if options.cross_fit else ""
    notes += [fitted] if fitted else []
    write_preset(out / "preset.yaml", options.name, tuned.weights, [*notes, *(f"Warning: {line}" for line in warnings)])
    report: dict[str, Any] = {
        "weights": dict(tuned.weights),
        "tuned_on": tuned.best.value,
        "tried": tuned.best.tried,
        "warnings": list(warnings),
        "options": options.model_dump(mode="json"),
        "data": {"file": path.name, "sources": len(examples), "signature": signature},
        "tables": results[0].settings,
        **tuned.validation.to_json(),
    }
    write_json(out / "report.json", report)
    rows_of_outputs = zip(examples, before, after, tuned.validation.outputs, strict=True)
    lines = (
        {"source": example.source, "default": old, "tuned": new, "tuned_held_out": fair}
        for example, old, new, fair in rows_of_outputs
    )
    write_json_lines(out / "outputs.jsonl", lines)
