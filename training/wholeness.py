"""Train a judge of whole sentences and pack it: is a text one complete, well-formed English sentence?

    python -m training.wholeness RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `whole`. FOLDER/whole/sources holds the parsed sentences, FOLDER/whole/examples the good and
the broken ones, FOLDER/model the packed judge, with its card and checksums, which runs without torch;
FOLDER/figures.json what it is worth. A run that was stopped goes on with the same command.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from pathlib import Path

from rewrite.errors import BadInput
from rewrite.splitting.model import SplitModel
from rewrite.splitting.parsing import Parser
from training.command import make_model
from training.disk import FolderLock, write_folder
from training.encoders.encoder import open_encoder, read_tokenizer, window_of
from training.encoders.judge import DevJudge
from training.encoders.packing import head_of, pack_network
from training.encoders.run import learn, made_of, write_outcome
from training.finetuning.base import require_trainer
from training.finetuning.identity import claim
from training.held_back import HeldBack, lines_in
from training.recipe import Run
from training.splitting.pairs import measured, read_set
from training.whole.batches import WholeBatches
from training.whole.card import JUDGE_TEXTS
from training.whole.examples import PROPOSED, Example, apart, make_examples, read_examples, write_examples
from training.whole.measure import measure
from training.whole.network import new_network
from training.whole.options import WholeOptions
from training.whole.proposed import proposed
from training.whole.sources import Source, read_sources, sources, write_sources

__all__ = ["main", "wholeness"]


def wholeness(run: Run, *, restart: bool = False) -> Path:
    """Train and pack the judge of the run's recipe; returns the folder of the packed model.

    Raises `BadInput` for a set that is not there, `BadModel` for a masked model that is not there or has too small a
    window, and for a judge that is too large when packed, `CannotWrite`, `MissingExtra`.
    """
    options = run.recipe.whole
    if options is None:
        raise BadInput(f"The recipe {run.recipe.name!r} has no section whole.", hint="See docs/split.md.")
    require_trainer()
    with FolderLock(run.out, ".whole.lock"):
        claim(run.out / "whole", made_of("whole", options, run.recipe.seed), restart=restart)
        _train(options, run)
    return run.out / "model"


def _train(options: WholeOptions, run: Run) -> None:
    import torch

    work, seed = run.out / "whole", run.recipe.seed
    encoder = open_encoder(options.encoder, run, work, "whole")
    if not (work / "sources").is_dir():
        write_folder(work / "sources", lambda folder: _parse(options, run, folder))
    if not (work / "examples").is_dir():
        write_folder(work / "examples", lambda folder: _prepare(work / "sources", options, seed, folder))
    learnt = _batches(work, "train", encoder, options, seed, options.steps)
    dev = _batches(work, "dev", encoder, options, 0, None)
    print(f"{len(learnt.examples):,} examples, {learnt.batches_in_epoch:,} batches an epoch", flush=True)
    torch.manual_seed(seed)
    network = new_network(encoder, options.dropout)
    judge = DevJudge(partial(measure, batches=dev), itemgetter("loss"), options.judge_every)
    steps = learn(network, learnt, options, seed=seed, folder=work / "checkpoints", judge=judge)
    counts = {"steps": steps, "examples": len(learnt.examples)}

    def pack(folder: Path) -> None:
        pack_network(network, encoder, head_of(network), folder, name=run.recipe.name)

    write_outcome(run, "whole", options, {**counts, **measure(network, dev)}, JUDGE_TEXTS, pack)


def _parse(options: WholeOptions, run: Run, folder: Path) -> None:
    data = run.path("{data}")
    dev = (text for pair in read_set("wikisplit-dev", data) for text in pair.texts)
    held_back = HeldBack(chain(measured(data), dev, lines_in(map(run.path, options.held_back))))
    found = sources(options.pairs, options.paragraphs, data, held_back, run.recipe.seed)
    print(f"{write_sources(found, folder / 'sources.jsonl'):,} sentences parsed", flush=True)


def _prepare(parsed: Path, options: WholeOptions, seed: int, folder: Path) -> None:
    learnt, dev = apart(list(read_sources(parsed / "sources.jsonl")), options.dev, seed)
    parser = Parser()
    for side, sentences in (("dev", dev), ("train", learnt)):
        found = chain(make_examples(sentences, seed, parser), _proposed(sentences, len(learnt), options, parser, seed))
        counts = write_examples(found, folder / f"{side}.jsonl")
        print(f"{side}: {', '.join(f'{kind} {count:,}' for kind, count in counts.most_common())}", flush=True)


def _proposed(
    sentences: Sequence[Source], of: int, options: WholeOptions, parser: Parser, seed: int
) -> Iterator[Example]:
    """What the splitter proposes of some sentences: of fewer of them where they are fewer than `of`."""
    count = round(options.proposals * len(sentences) / of)
    if not count:
        return
    for text, origin in proposed(sentences, count, options.each, SplitModel(threads=options.threads), parser, seed):
        yield Example(text, False, PROPOSED, origin)


def _batches(
    work: Path, side: str, encoder: Path, options: WholeOptions, seed: int, updates: int | None
) -> WholeBatches:
    examples = list(read_examples(work / "examples" / f"{side}.jsonl"))
    return WholeBatches(
        examples,
        read_tokenizer(encoder),
        window=window_of(encoder),
        tokens=options.batch_tokens,
        seed=seed,
        updates=updates,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and take the step; returns the exit status."""
    return make_model("wholeness", __doc__, wholeness, arguments)


if __name__ == "__main__":
    sys.exit(main())
