"""Train a splitter for English sentences and pack it: where to cut, what to drop, how to begin the second sentence.

    python -m training.splitter RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `splitter`. FOLDER/examples holds what was seen in the pairs, FOLDER/model the packed model,
with its card and checksums, which `rewrite split --model FOLDER/model` runs without torch; FOLDER/figures.json what it
is worth. A run that was stopped goes on with the same command.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rewrite.engines.allocator import keep_freed_memory
from rewrite.errors import BadInput
from rewrite.splitting.parsing import Parser
from training.command import make_model
from training.disk import FolderLock, write_folder
from training.encoders.encoder import open_encoder, read_tokenizer
from training.encoders.judge import DevJudge
from training.encoders.run import learn, made_of, write_outcome
from training.finetuning.base import require_trainer
from training.finetuning.identity import claim
from training.held_back import HeldBack, lines_in
from training.recipe import Run
from training.splitting.batches import SplitBatches, count_openers
from training.splitting.card import SPLITTER_TEXTS
from training.splitting.examples import Example, make_examples, read_examples, write_examples
from training.splitting.judge import measure, total_loss
from training.splitting.network import new_network
from training.splitting.options import SplitterOptions
from training.splitting.packing import pack_splitter
from training.splitting.pairs import Pair, measured, read_set
from training.splitting.starting import begin_with
from training.splitting.websplit import SIDES, read_websplit

__all__ = ["main", "splitter"]

# Keys that came later: a run that does not use them is the one that it was.
_LATER = {"start", "websplit"}


def splitter(run: Run, *, restart: bool = False) -> Path:
    """Train and pack the splitter of the run's recipe; returns the folder of the packed model.

    Raises `BadInput` for a set that is not there, `BadModel` for a masked model that is not there or has too small a
    window, and for a splitter that is too large when packed, `CannotWrite`, `MissingExtra`.
    """
    options = run.recipe.splitter
    if options is None:
        raise BadInput(f"The recipe {run.recipe.name!r} has no section splitter.", hint="See docs/split.md.")
    require_trainer()
    with FolderLock(run.out, ".splitter.lock"):
        unused = {key for key in _LATER if getattr(options, key) is None}
        made = made_of("splitter", options, run.recipe.seed, without=unused) | {"splitter.parser": Parser().signature}
        claim(run.out / "splitter", made, restart=restart)
        _train(options, run)
    return run.out / "model"


def _train(options: SplitterOptions, run: Run) -> None:
    work, seed = run.out / "splitter", run.recipe.seed
    encoder = open_encoder(options.encoder, run, work, "splitter")
    if not (work / "examples").is_dir():
        write_folder(work / "examples", lambda folder: _prepare(options, run, encoder, folder))
    examples = _repeated(read_examples(work / "examples" / "train.jsonl"), options)
    openers = count_openers(examples, options.least)
    styles = (*options.sets, "fused")
    batches = SplitBatches(examples, openers, styles, tokens=options.batch_tokens, seed=seed, updates=options.steps)
    dev = SplitBatches(
        list(read_examples(work / "examples" / "dev.jsonl")), openers, styles, tokens=options.batch_tokens, seed=0
    )
    print(
        f"{len(examples):,} examples, {len(openers)} openers, {batches.batches_in_epoch:,} batches an epoch", flush=True
    )
    network = _seeded(seed, encoder, len(openers), len(styles), options.dropout)
    if options.start is not None:
        begin_with(network, openers, run.path(options.start))
    # The scores of all spans are large: given back and asked for at each step, they take time.
    keep_freed_memory()
    judge = DevJudge(partial(measure, batches=dev), total_loss, options.judge_every)
    steps = learn(network, batches, options, seed=seed, folder=work / "checkpoints", judge=judge)
    counts = {"steps": steps, "examples": len(examples), "openers": len(openers)}

    def pack(folder: Path) -> None:
        pack_splitter(network, encoder, openers, folder, name=run.recipe.name)

    write_outcome(
        run, "splitter", options, {**counts, **measure(network, dev)}, SPLITTER_TEXTS, pack, parser=Parser().signature
    )


def _seeded(seed: int, encoder: Path, openers: int, styles: int, dropout: float) -> Any:
    import torch

    torch.manual_seed(seed)
    return new_network(encoder, openers, styles, dropout)


def _repeated(examples: Any, options: SplitterOptions) -> list[Example]:
    found: list[Example] = []
    for one in examples:
        found += [one] * (options.repeat.get(one.origin.partition(":")[0], 1) if one.start else 1)
    return found


def _prepare(options: SplitterOptions, run: Run, encoder: Path, folder: Path) -> None:
    pieces = read_tokenizer(encoder)
    data = run.path("{data}")

    def tokens(text: str) -> Sequence[int]:
        found: list[int] = pieces.encode(text, add_special_tokens=False).ids
        return found or (1,)

    kept = list(measured(data))
    dev = [text for pair in _pairs(options.dev, options, run) for text in pair.texts]
    files = lines_in(map(run.path, options.held_back))
    for side, sets, held_back, near in (
        ("dev", (options.dev,), kept, ()),
        ("train", options.sets, [*kept, *dev, *files], options.neighbours),
    ):
        found = make_examples(
            {name: _pairs(name, options, run) for name in sets},
            near,
            data,
            HeldBack(held_back),
            tokens,
            seed=run.recipe.seed,
            fusions=options.fusions,
            whole=options.whole,
        )
        counts = write_examples(found, folder / f"{side}.jsonl")
        print(f"{side}: {', '.join(f'{key} {count:,}' for key, count in counts.items())}", flush=True)


def _pairs(name: str, options: SplitterOptions, run: Run) -> Iterator[Pair]:
    """The pairs of one of the recipe's sets."""
    if name in SIDES and options.websplit is not None:
        return read_websplit(options.websplit, run.path(options.websplit.benchmark), name, run.recipe.seed)
    return read_set(name, run.path("{data}"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and take the step; returns the exit status."""
    return make_model("splitter", __doc__, splitter, arguments)


if __name__ == "__main__":
    sys.exit(main())
