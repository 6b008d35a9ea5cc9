"""Judging a model while it learns, by its loss on texts it never saw; and going over batches, as all judges do."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from rewrite.datasets import Example
from rewrite.prompting import Prompt
from training.finetuning.base import Base
from training.finetuning.data import PairCounts, Speller
from training.finetuning.learning import FinetuneOptions
from training.finetuning.trainer import Figures, Judge
from training.heads.batches import LengthBatches
from training.masked.corpora import HeldBack
from training.packed import Pack, PairBatches, write_pack
from training.pairs import PairFile, RowCount, read_pairs
from training.recipe import Run


def make_judge(
    options: FinetuneOptions, run: Run, base: Base, prompt: Prompt, examples: Sequence[Example], folder: Path
) -> Judge | None:
    """The judge that the recipe asks for, on the pairs of `examples`, which are written to `folder`."""
    dev = options.dev
    if dev is None:
        return None
    path, judged = run.path(dev.path), {example.source for example in examples}
    pairs = (pair for pair in read_pairs(path, PairFile(path=str(path)), RowCount()) if pair.source in judged)
    write_pack(folder, Speller(base, prompt, options.longest).spell(pairs, HeldBack([]), PairCounts()))
    batches = pair_batches(options, base, [Pack(folder)], [1.0], seed=run.recipe.seed)
    return Judge(_measure, batches, itemgetter("loss"), dev.every, dev.patience)


def pair_batches(
    options: FinetuneOptions, base: Base, packs: Sequence[Pack], repeats: Sequence[float], **settings: Any
) -> PairBatches:
    """Batches of pairs as the recipe has them; `settings` say how many there are."""
    return PairBatches(
        packs,
        repeats,
        tokens=options.batch_tokens,
        causal=base.kind == "causal",
        pad=base.pad,
        shared=options.share_sources,
        **settings,
    )


@contextlib.contextmanager
def measuring(model: Any, batches: LengthBatches) -> Iterator[Iterator[dict[str, Any]]]:
    """All batches of an epoch on the model's device, while it does not learn; it learns again afterwards."""
    import torch

    device = next(model.parameters()).device
    model.eval()
    with torch.no_grad():
        yield (
            {name: table.to(device) for name, table in batches[number].items()}
            for number in range(batches.batches_in_epoch)
        )
    model.train()


def _measure(model: Any, batches: PairBatches) -> Figures:
    """Nats per token that the model gives the targets of all batches, `loss`, and how many `tokens` these are."""
    total, count = 0.0, 0
    with measuring(model, batches) as every:
        for batch in every:
            # A causal model's first token is read and never written.
            labels = batch["labels"] if model.config.is_encoder_decoder else batch["labels"][:, 1:]
            tokens = int((labels >= 0).sum())
            total += float(model(**batch).loss) * tokens
            count += tokens
    return {"loss": total / max(count, 1), "tokens": count}
