"""Pairs made into packs of tokens, once for a run; the texts that a model is judged on; the figures of a run."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from rewrite.datasets import Example
from rewrite.engines.checkpoint import quietly
from rewrite.errors import BadInput, BadOption
from rewrite.prompting import Prompt
from training.disk import explained, write_folder, write_json, write_text
from training.finetuning.base import Base
from training.finetuning.epochs import Epochs
from training.finetuning.judging import LossJudge, SariJudge
from training.finetuning.options import DevOptions, FinetuneOptions
from training.finetuning.texts import PairCounts, Speller
from training.held_back import HeldBack
from training.packed import Pack, write_pack
from training.pairs import PairFile, controlled_pairs_in, read_examples
from training.recipe import Run
from training.records import RowCount

__all__ = ["baselines", "dev_examples", "figures", "make_judge", "require_metric", "training_packs", "write_figures"]

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


def dev_examples(options: FinetuneOptions, run: Run) -> list[Example]:
    """The sources to judge on, drawn from the recipe's dev file; none where there is no file.

    Raises `BadInput` for a file that cannot be read, `BadOption` for a metric that it does not serve.
    """
    dev = options.dev
    if dev is None:
        return []
    require_metric(dev, run)
    examples, count = read_examples(run.path(dev.path), bad_rows=options.bad_rows)
    if count.malformed:
        print(count.report(), flush=True)
    chosen = random.Random(run.recipe.seed).sample(range(len(examples)), min(dev.sources, len(examples)))
    return [examples[i] for i in sorted(chosen)]


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
    scores = {name: corpus_sari(sources, [BASELINES[name](e) for e in examples], references) for name in names}
    return {name: round(score.sari, 2) for name, score in scores.items()}


def figures(
    options: FinetuneOptions,
    state: Mapping[str, Any],
    *,
    name: str,
    seed: int,
    best: int,
    counts: PairCounts,
    examples: Sequence[Example],
) -> dict[str, Any]:
    """All that is told of a run: `state` is the Trainer's at its end, `best` the step whose weights were kept."""
    logs = state["log_history"]
    trained = [(entry["step"], entry["loss"]) for entry in logs if "loss" in entry]
    report: dict[str, Any] = {
        "name": name,
        "seed": seed,
        "steps": state["global_step"],
        "kept": best,
        "last_loss": trained[-1][1] if trained else None,
        "pairs": asdict(counts),
    }
    if options.dev is not None:
        history = {str(entry["step"]): round(entry["dev"], 4) for entry in logs if "dev" in entry}
        report["dev"] = {"metric": options.dev.metric, "best": history.get(str(best)), "by_step": history}
        if options.dev.metric == "sari":
            report["dev"] |= {"sources": len(examples), "n": options.dev.n, "preset": options.dev.preset}
            report["dev"]["baselines"] = baselines(examples)
    return report


def write_figures(path: Path, report: Mapping[str, Any]) -> None:
    """Write them, all or nothing. Raises `CannotWrite`."""
    write_json(path, report)
