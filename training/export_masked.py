"""Pack a small masked language model: encoder, head, tokenizer, card and checksums in one folder.

    python -m training.export_masked RECIPE --out FOLDER [--data DIR]

What `python -m training.masked_lm` has left in FOLDER is packed as the recipe's section `masked.export` says and
written to FOLDER/export/NAME, or nothing is. `rerank.masked.bundled.BundledMaskedModel` runs such a folder without
torch; those of the package lie in rerank/models. Two exports of one model are the same, byte by byte.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.errors import BadInput
from rerank.masked.base import MaskedModel, Row
from rerank.masked.bundled import BundledMaskedModel
from rewrite.engines.checkpoint import libraries, quietly
from training.card import CardTexts, write_card
from training.command import open_run, run_to_the_end, step_parser
from training.disk import write_folder
from training.heads.step import section_of
from training.masked.batches import MaskedBatches
from training.masked.options import MaskedExport
from training.masked.packing import pack
from training.masked_lm import held_out_batches
from training.recipe import Run
from training.sizes import require_small

_ROWS = 500
_TEXTS = CardTexts(
    task="guessing words that are masked in a sentence",
    what=(
        "A masked language model, a BERT: the encoder for CTranslate2 (`model.bin`), the head for numpy (`head.npz`). "
        "`rerank.masked.bundled` runs it without torch."
    ),
    limits=(
        "It knows sentences of the kinds of text named below, without case; other kinds, and names, it guesses badly. "
        "What it finds likely is what it has read: it repeats what its texts say of people, and is no source of facts."
    ),
    measured="""\
On held-out texts (`python -m training.masked_lm RECIPE --out FOLDER`): the loss in nats a mask, the share of masks
whose first guess is right, and how many there are, as it was trained, with one word masked in each text, and by the
frequency of tokens alone. Of the packed model against the checkpoint in 32 bits (`python -m training.export_masked`):
the share of masks with the same first word, the mean difference of log-probabilities of the right word in nats, and the
mean Hellinger distance of the distributions:""",
)


def export_masked(run: Run) -> tuple[Path, dict[str, float]]:
    """Pack the run's model into `{out}/export/NAME`; returns the folder and how well it agrees with the checkpoint.

    An earlier export there is replaced, and only by a whole one. Raises `BadInput` where there is no trained model,
    `BadModel` where the packed one is too large, `CannotWrite`, `MissingExtra`.
    """
    options: MaskedExport | None = section_of(run, "masked").export
    if options is None:
        raise BadInput(
            f"The recipe {run.recipe.name!r} has no section masked.export.", hint="It needs licence and data at least."
        )
    libraries()
    told, checkpoint, name = _figures(run), run.out / "model", run.recipe.name
    target = run.out / "export" / name
    agreement: dict[str, float] = {}

    def write(folder: Path) -> None:
        pack(checkpoint, folder, name=name, language=run.recipe.language, weights=options.weights)
        rows, targets = _masked_rows(held_out_batches(section_of(run, "masked"), run))
        agreement.update(_agreement(checkpoint, BundledMaskedModel(folder), rows, targets))
        parts = {"held out": "held_out", "one word": "held_out_one_word", "frequency alone": "frequency_alone"}
        figures = {f"{part} {key}": value for part, of in parts.items() for key, value in told[of].items()}
        figures |= {f"packed {key}": round(value, 6) for key, value in agreement.items()}
        more: dict[str, Any] = {key: told[key] for key in ("parameters", "earlier") if key in told}
        more |= {"sentences": told["texts"], "steps": told["kept"], "seed": told["seed"]}
        more |= {"summary": options.summary, "weights": options.weights}
        write_card(
            folder,
            figures,
            _TEXTS,
            name=name,
            language=run.recipe.language,
            licence=options.licence,
            data=options.data,
            limits=options.limits,
            **more,
        )
        size = sum(path.stat().st_size for path in folder.iterdir())
        require_small(
            size,
            options.max_mb,
            "masked.export.max_mb",
            what="The export",
            hint="Nothing was written. Take a smaller vocabulary or model, or raise max_mb.",
        )

    write_folder(target, write)
    return target, agreement


def _figures(run: Run) -> dict[str, Any]:
    path = run.out / "figures.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(
            f"No trained model: {path} cannot be read.", hint=f"Run: python -m training.masked_lm … --out {run.out}"
        ) from error
    return found


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


def _agreement(
    checkpoint: Path, packed: MaskedModel, rows: Sequence[Row], targets: Sequence[NDArray[Any]]
) -> dict[str, float]:
    """Ask both models for every mask of some held-out texts, the checkpoint in 32 bits.

    `same` is the share of `masks` with the same first word, `gap` the mean |log p − log p'| of the right word, in nats,
    and `hellinger` the mean Hellinger distance of the two distributions, in [0, 1].
    """
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
    shares = {"same": same, "gap": gap, "hellinger": distance}
    return {"masks": masks, **{name: value / max(masks, 1) for name, value in shares.items()}}


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options and export; returns the exit status."""
    given = step_parser("export_masked", __doc__).parse_args(arguments)

    def work() -> None:
        folder, agreement = export_masked(open_run(given))
        print(f"model: {folder}")
        print(f"beside the checkpoint: {', '.join(f'{name} {value:,.4g}' for name, value in agreement.items())}")

    return run_to_the_end("export_masked", work, stopped="stopped, nothing was written")


if __name__ == "__main__":
    sys.exit(main())
