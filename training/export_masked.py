"""Pack a small masked language model: encoder, head, tokenizer, card and checksums in one folder.

    python -m training.export_masked RECIPE --out FOLDER [--data DIR]

What `python -m training.masked_lm` has left in FOLDER is packed as the recipe's section `masked.export` says and
written to FOLDER/export/NAME, or nothing is. `rerank.masked.bundled.BundledMaskedModel` runs such a folder without
torch; those of the package lie in rerank/models. Two exports of one model are the same, byte by byte.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.errors import BadInput
from rerank.masked.base import MaskedModel, Row
from rerank.masked.bundled import BundledMaskedModel
from rewrite.checksums import SUMS, has_sums, write_sums
from rewrite.engines.cache import build_anew
from rewrite.engines.checkpoint import libraries, quietly
from rewrite.errors import BadModel, CannotWrite
from training.command import open_run, run_to_the_end, step_parser
from training.disk import cannot_write
from training.heads.step import section_of
from training.masked.batches import MaskedBatches
from training.masked.card import MaskedAgreement, masked_card, write_masked_card
from training.masked.options import MaskedExport
from training.masked.packing import pack
from training.masked_lm import held_out_batches
from training.recipe import Run, recipe_file
from training.sizes import MEGABYTE, require_small

__all__ = ["export_masked", "main"]

Say = Callable[[str], None]
_ROWS = 500


def export_masked(run: Run, recipe_text: str, say: Say) -> tuple[Path, MaskedAgreement]:
    """Pack the run's model into `{out}/export/NAME`; returns the folder and how well it agrees with the checkpoint.

    An earlier export there is replaced, and only by a whole one. Raises `BadInput` where there is no trained model,
    `BadModel` where the packed one is too large or says other things, `CannotWrite`, `MissingExtra`.
    """
    options: MaskedExport | None = section_of(run, "masked").export
    if options is None:
        raise BadInput(
            f"The recipe {run.recipe.name!r} has no section masked.export.", hint="It needs licence and data at least."
        )
    libraries()
    told = _figures(run)
    target = run.out / "export" / run.recipe.name
    if target.exists() and not (target.is_dir() and (has_sums(target) or not any(target.iterdir()))):
        raise CannotWrite(f"{target} is there and is no export.", hint="Move it away, or choose another --out.")
    found: list[MaskedAgreement] = []
    try:
        build_anew(target, lambda folder: found.append(_build(run, options, recipe_text, told, folder, say)))
    except OSError as error:
        raise cannot_write(target, error, kept="nothing of it was kept") from error
    return target, found[0]


def _figures(run: Run) -> dict[str, Any]:
    path = run.out / "figures.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(
            f"No trained model: {path} cannot be read.", hint=f"Run: python -m training.masked_lm … --out {run.out}"
        ) from error
    return found


def _build(
    run: Run, options: MaskedExport, recipe_text: str, told: dict[str, Any], folder: Path, say: Say
) -> MaskedAgreement:
    checkpoint, name = run.out / "model", run.recipe.name
    say(f"Packing {checkpoint} ({options.weights}) …")
    pack(checkpoint, folder, name=name, language=run.recipe.language, weights=options.weights)
    rows, targets = _masked_rows(held_out_batches(section_of(run, "masked"), run))
    say(f"Comparing it with the checkpoint on {len(rows)} held-out texts …")
    agreement = _measure_agreement(checkpoint, BundledMaskedModel(folder), rows, targets)
    _require_agreement(agreement, options)
    card = masked_card(run.recipe, options, recipe_text, told, agreement, _sizes(folder))
    write_masked_card(folder, card)
    write_sums(folder)
    require_small(
        sum(_sizes(folder).values()),
        options.max_mb,
        "masked.export.max_mb",
        what="The export",
        hint="Nothing was written. Take a smaller vocabulary or model, or raise max_mb.",
    )
    return agreement


def _masked_rows(batches: MaskedBatches) -> tuple[list[Row], list[NDArray[Any]]]:
    """Rows of held-out texts with their masks, at most 500, and the tokens that stood at each row's masks."""
    rows: list[Row] = []
    targets: list[NDArray[Any]] = []
    for number in range(batches.batches_in_epoch):
        batch = batches.arrays(number)
        tokens, width = batch["input_ids"], batch["input_ids"].shape[1]
        lengths = batch["attention_mask"].sum(axis=1) if "attention_mask" in batch else np.full(len(tokens), width)
        owners, places = np.divmod(batch["places"], width)
        for i, length in enumerate(lengths.tolist()):
            own = owners == i
            rows.append(Row(tuple(tokens[i, :length].tolist()), tuple(places[own].tolist())))
            targets.append(batch["targets"][own])
        if len(rows) >= _ROWS:
            break
    return rows[:_ROWS], targets[:_ROWS]


def _measure_agreement(
    checkpoint: Path, packed: MaskedModel, rows: Sequence[Row], targets: Sequence[NDArray[Any]]
) -> MaskedAgreement:
    """Ask both models for every mask."""
    import torch
    import transformers

    with quietly():
        model: Any = transformers.BertForMaskedLM.from_pretrained(str(checkpoint), local_files_only=True)
    model.eval()
    same, gap, distance, masks = 0, 0.0, 0.0, 0
    for row, right, mine in zip(rows, targets, packed.predict(rows), strict=True):
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([row.tokens])).logits[0, list(row.positions)]
        theirs = torch.log_softmax(logits.float(), dim=-1).numpy()
        each = np.arange(len(right))
        same += int((theirs.argmax(axis=1) == mine.argmax(axis=1)).sum())
        gap += float(np.abs(theirs[each, right] - mine[each, right]).sum())
        overlap = np.exp(0.5 * (theirs.astype(np.float64) + mine)).sum(axis=1)
        distance += float(np.sqrt(np.clip(1.0 - overlap, 0.0, None)).sum())
        masks += len(right)
    return MaskedAgreement(len(rows), masks, same / max(masks, 1), gap / max(masks, 1), distance / max(masks, 1))


def _require_agreement(found: MaskedAgreement, options: MaskedExport) -> None:
    """Raise `BadModel` with all figures where the models are further apart than the recipe allows."""
    if found.same >= options.same and found.gap <= options.gap:
        return
    raise BadModel(
        f"The packed model says other things than the checkpoint: at {found.same:.1%} of {found.masks:,} masks its "
        f"first word is the same (at least {options.same:.0%} wanted), log-probabilities differ by {found.gap:.4f} "
        f"nats (at most {options.gap:g}).",
        hint="Train longer, take weights: float32, or wider bounds in masked.export.",
    )


def _sizes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir()) if path.name != SUMS}


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and export; returns the exit status."""
    given = step_parser("export_masked", __doc__).parse_args(arguments)

    def work() -> None:
        run = open_run(given)
        text = recipe_file(given.recipe).read_text(encoding="utf-8")
        folder, found = export_masked(
            run, text, lambda line: print(f"export_masked: {line}", file=sys.stderr, flush=True)
        )
        size = sum(_sizes(folder).values()) / MEGABYTE
        print(f"{folder}: {size:.1f} MB")
        print(
            f"at {found.same:.1%} of {found.masks:,} masks the checkpoint's first word, {found.gap:.4f} nats between "
            f"log-probabilities of the right word, Hellinger distance {found.hellinger:.4f}"
        )

    return run_to_the_end("export_masked", work, stopped="stopped, nothing was written")


if __name__ == "__main__":
    sys.exit(main())
