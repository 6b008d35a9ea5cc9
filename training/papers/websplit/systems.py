"""The systems of Table 3: training one as a recipe says, and writing with it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from rewrite.datasets import read_text
from rewrite.errors import BadInput, ModelNotFound
from rewrite.splitting.triples.generate import Generator
from rewrite.splitting.triples.template_book import Partitioner, load_templates
from rewrite.splitting.triples.triple import Triple
from training.disk import claim, options_told, write_folder, write_json, write_text, write_whole
from training.finetuning.base import FREE, require_trainer
from training.finetuning.trainer import Judge
from training.heads.step import teach
from training.papers.websplit.adapter import System, adapter_of, adapter_system, write_model
from training.papers.websplit.benchmark import ComplexSentence, WebSplit, load_benchmark, load_sentences, used_parts
from training.papers.websplit.examples import (
    RowBatches,
    encode,
    examples,
    learn_splitter,
    linearise,
    measure_loss,
    train_tokenizer,
)
from training.papers.websplit.hybrid import learn_hybrid, load_hybrid
from training.papers.websplit.recipe import SystemRecipe
from training.papers.websplit.templates import learn_templates

if TYPE_CHECKING:  # torch takes seconds to load, and not every system has a network
    from training.papers.websplit.networks import Network

_RECIPE, _SPLITTER, _TEMPLATES = "recipe.json", "splitter.json", "templates.json.gz"
_CHECKPOINTS = "checkpoints"
_DEV = 500


def train(recipe: SystemRecipe, folder: Path, out: Path, *, restart: bool = False) -> None:
    """Train the recipe's system on the benchmark in `folder`; `out` gets `recipe.json` and what the system needs.

    Systems that split learn to split first. The same call goes on from a checkpoint in `out`; one of another recipe
    raises `BadOption`, unless `restart` removes what is there. Raises `BadInput`.
    """
    if recipe.is_adapter:
        adapter_of(recipe)
    benchmark = load_benchmark(folder)
    learnt, held = (load_sentences(folder, recipe.protocol, side) for side in ("train", "dev"))
    if not learnt or not held:
        raise BadInput(f"{folder}: the split {recipe.protocol!r} has an empty side.", hint="Build it from more files.")
    out.mkdir(parents=True, exist_ok=True)
    claim(out / _CHECKPOINTS, options_told("recipe", recipe, free=FREE), restart=restart)
    write_text(out / _RECIPE, recipe.model_dump_json(indent=2) + "\n")
    if recipe.system == "split-templates":
        book = learn_templates(benchmark, learnt, used_parts(learnt))
        with write_whole(out / _TEMPLATES) as draft:
            draft.write_bytes(book.to_bytes())
        print(f"{sum(map(len, book.templates.values())):,} templates of {len(book.templates):,} keys", flush=True)
    elif recipe.system == "hybridsimpl":
        learn_hybrid(benchmark, learnt, recipe, out)
    else:
        if recipe.system.startswith("split-"):
            splitter = learn_splitter(benchmark, learnt, counted=recipe.partitions)
            write_text(out / _SPLITTER, json.dumps(splitter.plain(), indent=1) + "\n")
            print(f"{splitter.skeletons:,} skeletons, {splitter.patterns:,} patterns of partitions", flush=True)
        if recipe.is_adapter:
            write_folder(out / "model", partial(write_model, adapter_of(recipe)))
        else:
            _train_network(recipe, benchmark, learnt, held, out)


def _train_network(
    recipe: SystemRecipe,
    benchmark: WebSplit,
    train_side: list[ComplexSentence],
    dev_side: list[ComplexSentence],
    out: Path,
) -> None:
    require_trainer()
    from training.papers.websplit.networks import begin_with, load_network, new_network, save_network

    learnt = examples(recipe.system, benchmark, train_side, k=recipe.rephrasings, seed=recipe.seed)
    held = examples(recipe.system, benchmark, dev_side, k=1, seed=recipe.seed)[:_DEV]
    first = load_network(Path(recipe.start) / "model") if recipe.start is not None else None
    tokenizer = train_tokenizer(learnt, recipe.vocabulary) if first is None else first.tokenizer
    network = new_network(tokenizer, recipe.network, sources=len(learnt[0].sources), seed=recipe.seed)
    network.module.smoothing = recipe.smoothing
    if first is not None:
        begin_with(network, first)
    rows = encode(tokenizer, learnt, longest=recipe.longest)
    size = sum(parameter.numel() for parameter in network.module.parameters())
    print(f"{recipe.system}: {len(rows):,} examples of {len(learnt):,}, {size / 1e6:.1f} M parameters", flush=True)
    taken = {"tokens": recipe.batch_tokens, "seed": recipe.seed}
    dev = RowBatches(encode(tokenizer, held, longest=recipe.longest), **taken)
    judge = Judge(measure_loss, dev, itemgetter("dev"), recipe.judge_every)
    learnt_rows = RowBatches(rows, updates=recipe.steps, **taken)
    _, steps = teach(lambda: network.module, learnt_rows, judge, recipe, seed=recipe.seed, folder=out / _CHECKPOINTS)
    save_network(network, out / "model")
    # Read back, for a network that has just learnt computes with fewer digits.
    figures = measure_loss(load_network(out / "model").module, dev)
    write_json(out / "figures.json", {"examples": len(rows), "parameters": size, "steps": steps, **figures})


def load_system(folder: Path) -> tuple[SystemRecipe, System]:
    """The system that `train` has written to a folder. Raises `ModelNotFound`."""
    if not (folder / _RECIPE).is_file():
        raise ModelNotFound(f"{str(folder)!r} holds no system.", hint="Run: python -m training.papers.websplit train")
    try:
        recipe = SystemRecipe.model_validate_json(read_text(folder / _RECIPE))
    except ValidationError as error:
        raise BadInput(f"{folder / _RECIPE}: {error.errors()[0]['msg']}.", hint="Train it again.") from None
    return recipe, _system(recipe, folder)


def _system(recipe: SystemRecipe, folder: Path) -> System:
    if recipe.system == "hybridsimpl":
        return load_hybrid(folder)
    if recipe.system == "split-templates":
        generator = Generator(load_templates(folder / _TEMPLATES))
        # A probable partition whose parts have templates, and the best of these.
        return lambda given: [" ".join(generator.drafts(text, triples, n=1)[0].sentences) for text, triples in given]
    splits = recipe.system.startswith("split-")
    partitioner = Partitioner.of_plain(json.loads(read_text(folder / _SPLITTER))) if splits else None
    if recipe.is_adapter:
        return adapter_system(folder / "model", recipe, partitioner)
    from training.papers.websplit.networks import load_network

    network = load_network(folder / "model")
    if partitioner is not None:
        return lambda given: _by_parts(given, recipe, partitioner, network)
    return lambda given: network.decode(
        # One text from the sentence, and its triples for the second encoder.
        [(text, linearise(triples))[: network.sources] for text, triples in given],
        beam=recipe.beam,
    )


def _by_parts(
    given: Sequence[tuple[str, Sequence[Triple]]], recipe: SystemRecipe, partitioner: Partitioner, network: Network
) -> list[str]:
    """SPLIT-SEQ2SEQ and SPLIT-MULTISEQ2SEQ: the most probable partition, then a text for each part (Eqn. 7)."""
    partitions = [partitioner.split(triples) for _, triples in given]
    inputs = [
        (text, linearise(part))[-network.sources :]
        for (text, _), parts in zip(given, partitions, strict=True)
        for part in parts
    ]
    texts = iter(network.decode(inputs, beam=recipe.beam))
    return [" ".join(itertools.islice(texts, len(parts))) for parts in partitions]
