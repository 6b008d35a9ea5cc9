"""Pairs made into packs of tokens, once for a run."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path

from rewrite.engines.checkpoint import quietly
from rewrite.errors import BadInput
from rewrite.prompting import Prompt
from training.disk import write_folder, write_text
from training.finetuning.base import Base
from training.finetuning.options import FinetuneOptions
from training.finetuning.texts import PairCounts, Speller
from training.held_back import HeldBack
from training.packed import Pack, write_pack
from training.pairs import controlled_pairs_in
from training.recipe import Run
from training.records import RowCount

__all__ = ["training_packs"]

_COUNTS = "counts.json"


def training_packs(
    options: FinetuneOptions, run: Run, base: Base, prompt: Prompt, held_out: HeldBack, folder: Path
) -> tuple[list[Pack], PairCounts]:
    """The packs to learn from, one for each file of pairs, and what became of the pairs.

    They are made in `folder` unless they are there. Raises `BadInput` for too many malformed rows or no pair at all.
    """
    done = folder / _COUNTS
    if not done.is_file():
        with quietly():
            write_folder(folder, partial(_make, options, run, base, prompt, held_out))
    packs = [Pack(folder / str(i)) for i in range(len(options.files))]
    return packs, PairCounts(**json.loads(done.read_text(encoding="utf-8")))


def _make(options: FinetuneOptions, run: Run, base: Base, prompt: Prompt, held_out: HeldBack, folder: Path) -> None:
    rows, counts = RowCount(), PairCounts()
    speller = Speller(base, prompt, options.longest)
    for i, file in enumerate(options.files):
        pairs = controlled_pairs_in(run.path(file.path), file, rows)
        written = write_pack(
            folder / str(i),
            speller.spell(pairs, held_out, counts),
            vocabulary=max(base.vocabulary, len(base.tokenizer)),
        )
        print(f"{file.path}: {written:,} pairs", flush=True)
    rows.require(options.bad_rows)
    if rows.malformed:
        print(rows.report())
    print(f"altogether {counts}", flush=True)
    if not counts.used:
        raise BadInput(f"No pair can be used: {rows.rows:,} rows read, {counts}.", hint="See docs/finetune.md, Pairs.")
    write_text(folder / _COUNTS, json.dumps(asdict(counts)))
