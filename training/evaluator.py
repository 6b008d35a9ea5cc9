"""Train an evaluator by negative sampling and pack it: how good is a text for its source?

    python -m training.evaluator RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `evaluator`. FOLDER/evaluator/examples holds the good texts and their mutations, FOLDER/model
the packed evaluator, with its card and checksums, which runs without torch (on an encoder of Hugging Face: in the form
of that library); FOLDER/figures.json what it is worth. A run that was stopped goes on with the same command.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path

from rerank.masked.bundled import load
from rewrite.errors import BadInput
from training.command import make_model
from training.disk import FolderLock, write_folder
from training.encoders.examples import write_counted
from training.encoders.judge import DevJudge
from training.encoders.run import learn, made_of, write_outcome
from training.evaluating.base import Base, open_base
from training.evaluating.batches import TaughtBatches
from training.evaluating.card import EVALUATOR_TEXTS
from training.evaluating.examples import taught_examples
from training.evaluating.likelihood import likelihoods
from training.evaluating.measure import measure
from training.evaluating.options import BUNDLED, EvaluatorOptions
from training.evaluating.scaling import even_odds, likelihood_scales, require_texts
from training.evaluating.stored import StoredExamples, StoredLikelihoods, StoredRows
from training.finetuning.base import require_trainer
from training.finetuning.identity import claim
from training.recipe import Run

__all__ = ["evaluator", "main"]


def evaluator(run: Run, *, restart: bool = False) -> Path:
    """Train and pack the evaluator of the run's recipe; returns the folder of the packed model.

    Raises `BadInput` for a set that is not there, `BadModel` for an encoder that is not there or cannot be used, and
    for an evaluator that is too large when packed, or to which likelier texts are the worse ones, `CannotWrite`,
    `MissingExtra`.
    """
    options = run.recipe.evaluator
    if options is None:
        raise BadInput(f"The recipe {run.recipe.name!r} has no section evaluator.", hint="See docs/evaluator.md.")
    require_trainer()
    with FolderLock(run.out, ".evaluator.lock"):
        claim(run.out / "evaluator", made_of("evaluator", options, run.recipe.seed), restart=restart)
        _train(options, run)
    return run.out / "model"


def _train(options: EvaluatorOptions, run: Run) -> None:
    import torch

    from training.evaluating.network import EvaluatorNetwork

    work, seed = run.out / "evaluator", run.recipe.seed
    if not (work / "examples").is_dir():
        write_folder(work / "examples", lambda folder: _prepare(options, run, folder))
    base = open_base(options, run, work)
    learnt, dev = (_batches(work, side, base, options, seed) for side in ("train", "dev"))
    options = options.model_copy(update={"steps": learnt.updates, "epochs": None})
    print(f"{len(learnt.examples):,} examples, {learnt.batches_in_epoch:,} batches an epoch", flush=True)
    torch.manual_seed(seed)
    outputs = tuple(options.outputs)
    network = EvaluatorNetwork(
        base.encoder(options.dropout),
        len(outputs),
        dropout=options.dropout,
        head=options.head,
        loss=options.loss,
        likely=[outputs.index(name) for name in options.likelihood],
        ranking=options.ranking,
    )
    judge = DevJudge(partial(measure, batches=dev, outputs=outputs), itemgetter("error"), options.judge_every)
    steps = learn(network, learnt, options, seed=seed, folder=work / "checkpoints", judge=judge)
    # The weights that were kept are those with the least error before this, as the examples are.
    shift = even_odds(learnt, outputs, options.binary, options.likelihood)
    with torch.no_grad():
        network.out.bias += torch.from_numpy(shift).to(network.out.bias)
    figures = {"steps": steps, "examples": len(learnt.examples), **measure(network, dev, outputs)}
    scales = likelihood_scales(network, learnt, outputs, options.likelihood, seed=seed)

    def pack(folder: Path) -> None:
        base.pack(network, folder, outputs, scales)

    write_outcome(run, "evaluator", options, figures, EVALUATOR_TEXTS, pack)


def _prepare(options: EvaluatorOptions, run: Run, folder: Path) -> None:
    for side in ("dev", "train"):
        counts = write_counted(
            taught_examples(options, run, side), folder / f"{side}.jsonl", lambda one: one.kind or "good"
        )
        print(f"{side}: {', '.join(f'{kind} {count:,}' for kind, count in counts.most_common())}", flush=True)


def _batches(work: Path, side: str, base: Base, options: EvaluatorOptions, seed: int) -> TaughtBatches:
    """The examples of a side in batches; those to learn from as long as the recipe says."""
    examples = StoredExamples(work / "examples" / f"{side}.jsonl")
    rows = StoredRows(base.rows((one.source, one.text) for one in examples), work / f"rows-{side}.bin")
    make = partial(
        TaughtBatches, examples, rows, tuple(options.outputs), tokens=options.batch_tokens, most=options.batch_rows
    )
    if side == "dev":
        return make(seed=0, pad=base.pad)
    make = partial(make, ranked=options.ranking > 0)
    updates = options.steps
    if options.epochs:
        updates = max(1, round(options.epochs * make(seed=seed).batches_in_epoch))
    told = None
    if options.likelihood:
        require_texts(examples, options.likelihood)
        print("log-probabilities of the words of texts without a source", flush=True)
        model = load(options.encoder.removeprefix(BUNDLED), threads=1)
        told = StoredLikelihoods(likelihoods(rows, model, seed=seed), work / f"likelihoods-{side}.bin")
    return make(seed=seed, updates=updates, pad=base.pad, told=told)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and take the step; returns the exit status."""
    return make_model("evaluator", __doc__, evaluator, arguments)


if __name__ == "__main__":
    sys.exit(main())
