"""`train`: one system of Table 3, as a recipe says."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from rewrite.errors import BadInput
from training.disk import write_text
from training.papers.websplit.benchmark import ComplexSentence, WebSplit
from training.papers.websplit.files import load_benchmark, load_sentences
from training.papers.websplit.options import SystemRecipe, load_system_recipe, shipped_system_recipes

__all__ = ["add_arguments", "run", "train"]

_DEV = 500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train`."""
    shipped = ", ".join(shipped_system_recipes())
    parser.add_argument("recipe", metavar="RECIPE", help=f"a YAML file, or one of: {shipped}")
    parser.add_argument(
        "--benchmark", type=Path, required=True, metavar="DIR", help="the folder that build has written"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the system is written")
    parser.add_argument("--minutes", type=float, metavar="N", help="to learn; instead of the recipe's")
    parser.add_argument("--protocol", choices=("paper", "leak-free"), help="instead of the recipe's")
    parser.add_argument(
        "--start", metavar="RUN", help="a run whose network this begins with, or is; instead of the recipe's"
    )


def run(given: argparse.Namespace) -> None:
    """Train as the options say."""
    recipe = load_system_recipe(given.recipe)
    changed = {key: value for key in ("minutes", "protocol", "start") if (value := getattr(given, key)) is not None}
    train(SystemRecipe.model_validate({**recipe.model_dump(), **changed}), given.benchmark, given.out)


def train(recipe: SystemRecipe, folder: Path, out: Path) -> None:
    """Train the recipe's system on the benchmark in `folder`; `out` gets `recipe.json` and what the system needs.

    Systems that split learn to split first. The same call goes on from a checkpoint in `out`. Raises `BadInput`,
    and `BadWeights` for weights of the system edit that its splitter does not know.
    """
    if recipe.system == "edit":
        from rewrite.splitting.splitter import Splitter

        Splitter(recipe.edit)  # refuses a weight that it does not know, before decode would
    benchmark = load_benchmark(folder)
    sides = {side: load_sentences(folder, recipe.protocol, side, benchmark) for side in ("train", "dev")}
    if not all(sides.values()):
        raise BadInput(f"{folder}: the split {recipe.protocol!r} has an empty side.", hint="Build it from more files.")
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "recipe.json", recipe.model_dump_json(indent=2) + "\n")
    if recipe.system == "edit":
        print("edit: nothing to learn here; its model is one of training.splitter")
        return
    if recipe.system == "split-templates":
        _learn_templates(benchmark, sides["train"], out)
        return
    if recipe.system.startswith("split-"):
        from training.papers.websplit.splitter import learn_splitter

        splitter = learn_splitter(benchmark, sides["train"], counted=recipe.partitions)
        write_text(out / "splitter.json", splitter.to_json())
        print(f"{splitter.skeletons:,} skeletons, {splitter.patterns:,} patterns of partitions", flush=True)
    if recipe.system == "hybridsimpl":
        from training.papers.websplit.hybrid import learn_hybrid

        learn_hybrid(benchmark, sides["train"], recipe, out)
    else:
        _learn_network(recipe, benchmark, sides["train"], sides["dev"], out)


def _learn_templates(benchmark: WebSplit, train_side: list[ComplexSentence], out: Path) -> None:
    from training.papers.websplit.templates import TEMPLATES, learn_templates, used_parts

    book = learn_templates(benchmark, train_side, used_parts(train_side))
    (out / TEMPLATES).write_bytes(book.to_bytes())
    print(f"{sum(map(len, book.templates.values())):,} templates of {len(book.templates):,} keys", flush=True)


def _learn_network(
    recipe: SystemRecipe,
    benchmark: WebSplit,
    train_side: list[ComplexSentence],
    dev_side: list[ComplexSentence],
    out: Path,
) -> None:
    from training.papers.websplit.batches import encode
    from training.papers.websplit.examples import examples
    from training.papers.websplit.learning import learn
    from training.papers.websplit.networks import begin_with, load_network, make_tokenizer, new_network

    told = examples(recipe.system, benchmark, train_side, k=recipe.rephrasings, seed=recipe.seed)
    held = examples(recipe.system, benchmark, dev_side, k=1, seed=recipe.seed)[:_DEV]
    first = load_network(Path(recipe.start) / "model") if recipe.start is not None else None
    tokenizer = make_tokenizer(told, recipe.vocabulary) if first is None else first.tokenizer
    network = new_network(tokenizer, recipe.network, sources=len(told[0].sources), seed=recipe.seed)
    if first is not None:
        begin_with(network, first)
    rows = encode(tokenizer, told, longest=recipe.longest)
    size = sum(parameter.numel() for parameter in network.module.parameters())
    print(f"{recipe.system}: {len(rows):,} examples of {len(told):,}, {size / 1e6:.1f} M parameters", flush=True)
    progress = learn(network, rows, encode(tokenizer, held, longest=recipe.longest), recipe, out)
    write_text(out / "figures.json", json.dumps({"examples": len(rows), "parameters": size, **asdict(progress)}) + "\n")
