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
) -> tuple[list[Pack], PairCounts | None]:
    """The packs to learn from, one for each file of pairs, and what became of the pairs.

    They are made in `folder` unless they are there. A pack of the recipe's own is taken as it is. Raises `BadInput`
    for too many malformed rows, no pair at all, or a pack made with another vocabulary.
    """
    if options.packed is not None:
        return [_own_pack(run.path(options.packed), base)], None
    done = folder / _COUNTS
    if not done.is_file():
        with quietly():
            write_folder(folder, partial(_make, options, run, base, prompt, held_out))
    packs = [Pack(folder / str(i)) for i in range(len(options.files))]
    return packs, PairCounts(**json.loads(done.read_text(encoding="utf-8")))


def _own_pack(folder: Path, base: Base) -> Pack:
    pack = Pack(folder / "train")
    own = folder / "tokenizer.json"
    if base.folder is not None and own.is_file():
        from tokenizers import Tokenizer

        if Tokenizer.from_file(str(own)).get_vocab() != base.tokenizer.get_vocab():
            raise BadInput(
                f"{own} is another vocabulary than that of the model {base.name!r}.",
                hint="Make the pack with the model's tokenizer, or give `pairs`.",
            )
    if pack.largest >= base.vocabulary:
        raise BadInput(
            f"{folder}: token {pack.largest} is in the pack, but the model has {base.vocabulary:,} tokens.",
            hint="Make the pack with the model's tokenizer.",
        )
    return pack


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
