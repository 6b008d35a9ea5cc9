"""The texts that a model is judged on: read, kept out of training, and put before a judge."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from rewrite.datasets import Example
from rewrite.errors import BadOption
from rewrite.prompting import Prompt
from training.disk import explained
from training.finetuning.base import Base
from training.finetuning.epochs import Epochs
from training.finetuning.judges import LossJudge, SariJudge
from training.finetuning.options import DevOptions, FinetuneOptions
from training.finetuning.texts import PairCounts, Speller
from training.held_back import HeldBack
from training.packed import Pack, write_pack
from training.pairs import PairFile, controlled_pairs_in, read_examples
from training.recipe import Run
from training.records import RowCount

__all__ = ["baselines", "dev_examples", "make_judge", "require_metric"]


def dev_examples(options: FinetuneOptions, run: Run) -> list[Example]:
    """The sources to judge on, drawn from the recipe's dev file; none where there is no file.

    Raises `BadInput` for a file that cannot be read, `BadOption` for a metric that it does not serve.
    """
    dev = options.dev
    if dev is None:
        return []
    require_metric(dev, run)
    found, count = read_examples(run.path(dev.path), bad_rows=options.bad_rows)
    if count.malformed:
        print(count.report(), flush=True)
    chosen = random.Random(run.recipe.seed).sample(range(len(found)), min(dev.sources, len(found)))
    return [found[i] for i in sorted(chosen)]


def require_metric(dev: DevOptions, run: Run) -> None:
    """Raise `BadOption` for a metric that does not serve the recipe's texts."""
    if dev.metric == "sari" and run.recipe.language != "ru":
        raise BadOption("finetune.dev.metric sari needs the reranker, which is for Russian.", hint="Use loss.")


def make_judge(
    options: FinetuneOptions, run: Run, base: Base, prompt: Prompt, examples: Sequence[Example], folder: Path
) -> LossJudge | SariJudge | None:
    """The judge that the recipe asks for, on `examples`."""
    dev = options.dev
    if dev is None:
        return None
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if dev.metric == "sari":
        return SariJudge(examples, options, dev, base, prompt, folder=folder, seed=run.recipe.seed)
    return LossJudge(_batches(options, run, base, prompt, examples, dev, folder), dev)


def _batches(
    options: FinetuneOptions,
    run: Run,
    base: Base,
    prompt: Prompt,
    examples: Sequence[Example],
    dev: DevOptions,
    folder: Path,
) -> Epochs:
    path = run.path(dev.path)
    judged = {example.source for example in examples}
    rows = controlled_pairs_in(path, PairFile(path=str(path)), RowCount(), several=True)
    pairs = (pair for pair in rows if pair[0] in judged)
    spelt = Speller(base, prompt, options.longest).spell(pairs, HeldBack([]), PairCounts())
    pack = folder / "pack"
    write_pack(pack, spelt, vocabulary=max(base.vocabulary, len(base.tokenizer)))
    return Epochs(
        [Pack(pack)],
        [1.0],
        tokens=options.batch_tokens,
        causal=base.kind == "causal",
        seed=run.recipe.seed,
        pad=base.pad,
        shared=options.share_sources,
    )


def baselines(examples: Sequence[Example]) -> dict[str, float]:
    """SARI of what needs no model: the source, its first half, every third word dropped."""
    from rewrite.evaluate.rsse import BASELINES
    from rewrite.evaluate.sari import corpus_sari

    sources, references = [e.source for e in examples], [e.references for e in examples]
    names = [name for name in BASELINES if not name.startswith("reference")]
    found = {name: corpus_sari(sources, [BASELINES[name](e) for e in examples], references) for name in names}
    return {name: round(score.sari, 2) for name, score in found.items()}
