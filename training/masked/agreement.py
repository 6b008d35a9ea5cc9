"""Whether a packed masked model still says of held-out texts what its checkpoint says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.masked.base import MaskedModel, Row
from rewrite.engines.checkpoint import quietly
from rewrite.errors import BadModel
from training.masked.batches import MaskedBatches
from training.masked.options import MaskedExport

__all__ = ["MaskedAgreement", "masked_rows", "measure_agreement", "require_agreement"]

_ROWS = 500


@dataclass(frozen=True, slots=True)
class MaskedAgreement:
    """At `masks` held-out masks of `rows` texts, the checkpoint in 32 bits beside the packed model.

    `same` is the share with the same first word, `gap` the mean |log p − log p'| of the right word, in nats, and
    `hellinger` the mean Hellinger distance of the two distributions, in [0, 1].
    """

    rows: int
    masks: int
    same: float
    gap: float
    hellinger: float


def masked_rows(batches: MaskedBatches, most: int = _ROWS) -> tuple[list[Row], list[NDArray[Any]]]:
    """Rows of held-out texts with their masks, at most `most`, and the tokens that stood at each row's masks."""
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
        if len(rows) >= most:
            break
    return rows[:most], targets[:most]


def measure_agreement(
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


def require_agreement(found: MaskedAgreement, options: MaskedExport) -> None:
    """Raise `BadModel` with all figures where the models are further apart than the recipe allows."""
    if found.same >= options.same and found.gap <= options.gap:
        return
    raise BadModel(
        f"The packed model says other things than the checkpoint: at {found.same:.1%} of {found.masks:,} masks its "
        f"first word is the same (at least {options.same:.0%} wanted), log-probabilities differ by {found.gap:.4f} "
        f"nats (at most {options.gap:g}).",
        hint="Train longer, take weights: float32, or wider bounds in masked.export.",
    )
