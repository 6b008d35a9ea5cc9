"""What to know before trusting weights tuned for SARI: models that have seen the sources, and too few sources."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rewrite.datasets import Example
from rewrite.errors import BadInput
from rewrite.generators import known_generators
from rewrite.specs import parse_specs
from training.filtering.reading import normal
from training.pairs import PairFile, controlled_pairs_in
from training.recipe import Run
from training.records import RowCount
from training.weighting.draw import has_edits
from training.weighting.options import WeightOptions

FEW = 200
"""Sources. Weights tuned on so many did better on other sources than the best preset in twelve draws of twelve; on 100
in six, on 20 in three (measured once)."""
FLATTERED = "the bundled edit model was trained on RSSE dev, so its figures there flatter"
_SHOWN = 60
_Files = Sequence[tuple[Path, PairFile]]


def on_models(examples: Sequence[Example], options: WeightOptions, learnt: _Files) -> list[str]:
    """Why a model that draws may have seen the sources, a line each; `learnt` are the files that it learnt from."""
    warnings = []
    if has_edits(options.generator) and not options.cross_fit:
        warnings.append(f"Not cross-validated as to its candidates (cross_fit is off): {FLATTERED}.")
    seen = _seen(examples, learnt)
    if seen:
        warnings.append(
            f"{len(seen):,} of {len(examples):,} sources stand in the pairs that the model of this recipe learns from, "
            f"first {seen[0][:_SHOWN]!r}: figures on them flatter. Tune on sources that it has not seen."
        )
    return warnings


def _seen(examples: Sequence[Example], learnt: _Files) -> list[str]:
    wanted = {normal(example.source) for example in examples}
    learnt_texts: set[str] = set()
    for path, spec in learnt:
        # What is wrong with a file is for the step that learns from it to say.
        with suppress(BadInput):
            learnt_texts.update(
                text for source, *_ in controlled_pairs_in(path, spec, RowCount()) if (text := normal(source)) in wanted
            )
    return [example.source for example in examples if normal(example.source) in learnt_texts]


def learnt_from(run: Run, options: WeightOptions) -> list[tuple[Path, PairFile]]:
    """The files of pairs behind a model of this run that draws candidates; none where no such model does."""
    out = os.path.abspath(run.out) + os.sep
    specs = parse_specs(options.generator, known_generators())
    if not any(spec.target and os.path.abspath(os.path.expanduser(spec.target)).startswith(out) for spec in specs):
        return []
    finetune, learnt = run.recipe.finetune, []
    for file in finetune.files if finetune else (PairFile(path="{out}/pairs.jsonl"),):
        # A data folder that nobody names is for the step that learns from it to ask for.
        with suppress(BadInput):
            learnt.append((run.path(file.path), file))
    return learnt


def on_few(sources: int) -> list[str]:
    """That there are too few `sources` with something to choose, if so."""
    if sources >= FEW:
        return []
    return [
        f"Only {sources} sources have candidates to choose from: below {FEW}, tuned weights are as a rule no "
        "better on other sources than the best preset as it is (docs/tuning.md)."
    ]
