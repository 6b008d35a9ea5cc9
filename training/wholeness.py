"""Train a judge of whole sentences and pack it: is a text one complete, well-formed English sentence?

    python -m training.wholeness RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `whole`. FOLDER/whole/sources holds the parsed sentences, FOLDER/whole/examples the good and
the broken ones, FOLDER/model the packed judge, with its card and checksums, which runs without torch;
FOLDER/figures.json what it is worth. A run that was stopped goes on with the same command.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from rerank.masked.bundled_files import TOKENIZER
from rewrite.errors import BadInput, BadModel
from rewrite.splitting.model import SplitModel
from rewrite.splitting.parsing import Parser
from training.command import open_run, run_to_the_end, step_parser
from training.disk import FolderLock, write_folder, write_text
from training.finetuning.base import require_trainer
from training.finetuning.identity import claim
from training.finetuning.trainer import train
from training.held_back import HeldBack
from training.recipe import Run
from training.splitting.network import require_encoder
from training.splitting.pairs import measured, read_set
from training.whole.batches import WholeBatches
from training.whole.examples import PROPOSED, Example, apart, make_examples, read_examples, write_examples
from training.whole.measure import DevJudge, measure
from training.whole.network import new_network
from training.whole.options import WholeOptions
from training.whole.packing import pack_judge, write_judge_card
from training.whole.proposed import proposed
from training.whole.sources import Source, read_sources, sources, write_sources

__all__ = ["main", "wholeness"]

_MEGABYTE = 1_000_000
_FREE = {"device", "threads", "save_every", "keep", "log_every", "judge_every", "licence", "data", "max_mb", "encoder"}


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
        claim(run.out / "whole", _identity(options, run), restart=restart)
        _train(options, run)
    return run.out / "model"


def _identity(options: WholeOptions, run: Run) -> dict[str, str]:
    told: dict[str, Any] = options.model_dump(mode="json", exclude=_FREE)
    return {f"whole.{k}": json.dumps(v, ensure_ascii=False) for k, v in told.items()} | {"seed": str(run.recipe.seed)}


def _train(options: WholeOptions, run: Run) -> None:
    import torch

    work, seed, encoder = run.out / "whole", run.recipe.seed, run.path(options.encoder)
    require_encoder(encoder)
    if not (work / "sources").is_dir():
        write_folder(work / "sources", lambda folder: _parse(options, run, folder))
    if not (work / "examples").is_dir():
        write_folder(work / "examples", lambda folder: _prepare(work / "sources", options, seed, folder))
    learnt = _batches(work, "train", encoder, options, seed, options.steps)
    dev = _batches(work, "dev", encoder, options, 0, None)
    print(f"{len(learnt.examples):,} examples, {learnt.batches_in_epoch:,} batches an epoch", flush=True)
    torch.manual_seed(seed)
    network = new_network(encoder, options.dropout)
    best, state = train(
        network, learnt, options, seed=seed, folder=work / "checkpoints", judge=DevJudge(dev, options.judge_every)
    )
    _load(network, best)
    figures = {"steps": state["global_step"], "examples": len(learnt.examples), **measure(network, dev)}
    write_text(run.out / "figures.json", json.dumps(figures, indent=1) + "\n")
    write_folder(run.out / "model", lambda folder: _pack(network, encoder, folder, run, figures))


def _parse(options: WholeOptions, run: Run, folder: Path) -> None:
    data = run.path("{data}")
    held = [
        *measured(data),
        *(text for pair in read_set("wikisplit-dev", data) for text in (pair.complex, *pair.simple)),
    ]
    held += [line for path in options.held_back for line in run.path(path).read_text(encoding="utf-8").splitlines()]
    found = sources(options.pairs, options.paragraphs, data, HeldBack(held), run.recipe.seed)
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
    from tokenizers import Tokenizer

    pieces = Tokenizer.from_file(str(encoder / TOKENIZER))
    pieces.encode_special_tokens = True
    window = json.loads((encoder / "config.json").read_text(encoding="utf-8"))["max_position_embeddings"]
    examples = list(read_examples(work / "examples" / f"{side}.jsonl"))
    return WholeBatches(examples, pieces, window=window, tokens=options.batch_tokens, seed=seed, updates=updates)


def _load(network: Any, checkpoint: Path) -> None:
    from safetensors.torch import load_file

    network.load_state_dict(load_file(checkpoint / "model.safetensors"))


def _pack(network: Any, encoder: Path, folder: Path, run: Run, figures: dict[str, Any]) -> None:
    options = run.recipe.whole
    assert options is not None
    pack_judge(network, encoder, folder, name=run.recipe.name)
    write_judge_card(folder, run.recipe.name, options, figures)
    size = sum(path.stat().st_size for path in folder.iterdir())
    if size > options.max_mb * _MEGABYTE:
        raise BadModel(f"The model takes {size / _MEGABYTE:.1f} MB, whole.max_mb is {options.max_mb:g}.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and take the step; returns the exit status."""
    parser = step_parser("wholeness", __doc__)
    parser.add_argument("--restart", action="store_true", help="remove what an earlier run has left in FOLDER")
    given = parser.parse_args(arguments)

    def work() -> None:
        print(f"model: {wholeness(open_run(given), restart=given.restart)}")

    return run_to_the_end("wholeness", work)


if __name__ == "__main__":
    sys.exit(main())
