"""Build WebSplit from WebNLG, train and measure the systems of the paper's Table 3 on it.

    python -m training.papers.websplit build --data DIR --out BENCHMARK
    python -m training.papers.websplit pairs --benchmark BENCHMARK --out FOLDER
    python -m training.papers.websplit train RECIPE --benchmark BENCHMARK --out RUN
    python -m training.papers.websplit decode RUN … --benchmark BENCHMARK
    python -m training.papers.websplit evaluate RUN … [NAME=]FILE … --benchmark BENCHMARK
    python -m training.papers.websplit references --benchmark BENCHMARK --out FILE
    python -m training.papers.websplit templates --benchmark BENCHMARK --out FILE

docs/websplit.md tells the format, the figures and what was chosen where the paper is silent.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from rewrite.datasets import Example, data_folder
from rewrite.evaluate.harness import by_name, load_outputs
from training.command import command_line, run_to_the_end
from training.disk import write_json_lines, write_whole
from training.papers.websplit.benchmark import ComplexSentence, load_benchmark, load_sentences
from training.papers.websplit.building import PROTOCOLS, SIDES, build
from training.papers.websplit.figures import measure, table
from training.papers.websplit.recipe import RECIPES, SystemRecipe, load_system_recipe
from training.papers.websplit.templates import learn_templates
from training.papers.websplit.webnlg import RELEASES, xml_files
from training.recipe import shipped_recipes

_AT_ONCE = 256
_DEV = 100
_OUTPUTS = "outputs-{protocol}-{side}.jsonl"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit status of `rewrite.errors.EXIT_CODES`, 130 for Ctrl-C."""
    given = _parser().parse_args(arguments)
    return run_to_the_end(f"websplit {given.step}", lambda: given.run(given))


def _parser() -> argparse.ArgumentParser:
    parser = command_line("papers.websplit", __doc__)
    subparsers = parser.add_subparsers(dest="step", metavar="STEP", required=True)
    steps: dict[str, argparse.ArgumentParser] = {}
    for name, (run, text) in _STEPS.items():
        steps[name] = subparsers.add_parser(name, help=text, description=text)
        steps[name].set_defaults(run=run)

    def option(names: str, flag: str, text: str, **settings: Any) -> None:
        for name in names.split():
            steps[name].add_argument(flag, help=text, **settings)

    option("build", "--data", "data folder; default: the variable REWRITE_DATA", metavar="DIR")
    release = "release_v1 (the default), challenge_2017, or folders and files of WebNLG's XML"
    option("build", "--release", release, nargs="+", default=["release_v1"], metavar="NAME")
    option("build", "--category", "only entries of these categories", nargs="+", default=(), metavar="NAME")
    option("build pairs", "--seed", "of the splits, of what is drawn; 0 by default", type=int, default=0, metavar="N")
    option("train", "recipe", f"a YAML file, or one of: {', '.join(shipped_recipes(RECIPES))}", metavar="RECIPE")
    option("train", "--steps", "to learn; instead of the recipe's", type=int, metavar="N")
    option("train", "--restart", "remove what an earlier run has learnt in RUN", action="store_true")
    option("train", "--start", "a run whose network this begins with, or is; instead of the recipe's", metavar="RUN")
    option("train decode", "--protocol", "instead of the recipe's, or of the one trained on", choices=PROTOCOLS)
    option("evaluate references", "--protocol", "default: paper", choices=PROTOCOLS, default="paper")
    option("pairs", "--protocol", "default: leak-free", choices=PROTOCOLS, default="leak-free")
    option("decode", "runs", "folders that train has written", nargs="+", type=Path, metavar="RUN")
    written = "folders that decode has written to, and files of outputs as for `rewrite evaluate`"
    option("evaluate", "outputs", written, nargs="*", metavar="RUN|[NAME=]FILE")
    measured = "decode evaluate references"
    option(measured, "--side", "default: test", choices=SIDES, default="test")
    option(measured, "--limit", "only N complex sentences, drawn by their hashes", type=int, metavar="N")
    place = {"type": Path, "required": True, "metavar": "PATH"}
    option(
        "pairs train decode evaluate references templates", "--benchmark", "the folder that build has written", **place
    )
    option("build pairs train references templates", "--out", "the folder or file that is written", **place)
    return parser


def _build(given: argparse.Namespace) -> None:
    folder = data_folder(given.data) if set(given.release) & RELEASES.keys() else Path()
    files = [file for release in given.release for file in xml_files(folder, release)]
    print(build(files, given.out, seed=given.seed, categories=given.category))


def _pairs(given: argparse.Namespace) -> None:
    from rewrite.base.package import ADAPTERS
    from training.adapter import write_peft
    from training.finetuning.saving import ADAPTER_WEIGHTS
    from training.papers.websplit.adapter import pairs

    benchmark = load_benchmark(given.benchmark)
    learnt, held = (load_sentences(given.benchmark, given.protocol, side) for side in ("train", "dev"))
    held = random.Random(given.seed).sample(held, min(len(held), 2 * _DEV))

    def drawn(sentences: list[ComplexSentence], with_parts: bool) -> list[dict[str, str]]:
        return list(pairs(benchmark, sentences, seed=given.seed, with_parts=with_parts))

    files = {
        "plain": drawn(learnt, False),
        "triples": drawn(learnt, True),
        "dev": drawn(held[::2], False) + drawn(held[1::2], True),
    }
    for name, rows in files.items():
        write_json_lines(given.out / f"{name}.jsonl", rows)
        print(f"{given.out / name}.jsonl: {len(rows):,} pairs")
    # Where the adapter begins: as the shipped one for English.
    start = given.out / "start"
    start.mkdir(exist_ok=True)
    write_peft(ADAPTERS["gemma-en"].read(), start / ADAPTER_WEIGHTS)


def _train(given: argparse.Namespace) -> None:
    from training.papers.websplit.systems import train

    recipe = load_system_recipe(given.recipe)
    changed = {key: value for key in ("steps", "protocol", "start") if (value := getattr(given, key)) is not None}
    changed_recipe = SystemRecipe.model_validate({**recipe.model_dump(), **changed})
    train(changed_recipe, given.benchmark, given.out, restart=given.restart)


def _decode(given: argparse.Namespace) -> None:
    from training.papers.websplit.systems import load_system

    benchmark = load_benchmark(given.benchmark)
    for folder in given.runs:
        recipe, system = load_system(folder)
        protocol = given.protocol or recipe.protocol
        sentences = _sentences(given, protocol)
        asked = [(sentence.text, benchmark.parts[sentence.readings[0].meaning].triples) for sentence in sentences]
        groups = [asked[start : start + _AT_ONCE] for start in range(0, len(asked), _AT_ONCE)]
        watched = track(groups, "decode", console=Console(stderr=True), transient=True)
        texts = [text for group in watched for text in system(group)]
        rows = [{"source": sentence.text, "text": text} for sentence, text in zip(sentences, texts, strict=True)]
        file = folder / _OUTPUTS.format(protocol=protocol, side=given.side)
        write_json_lines(file, rows)
        print(f"{file}: {len(texts):,} texts")


def _evaluate(given: argparse.Namespace) -> None:
    benchmark = load_benchmark(given.benchmark)
    sentences = _sentences(given, given.protocol)
    written = _OUTPUTS.format(protocol=given.protocol, side=given.side)
    files = [f"{Path(file).name}={Path(file) / written}" if Path(file).is_dir() else file for file in given.outputs]
    examples = [Example(sentence.text, ()) for sentence in sentences]
    outputs = {"source": [sentence.text for sentence in sentences]}
    outputs |= by_name(files, lambda path: load_outputs(path, examples), outputs)
    print(table(measure(outputs, benchmark, sentences)))


def _references(given: argparse.Namespace) -> None:
    benchmark = load_benchmark(given.benchmark)
    sentences = _sentences(given, given.protocol)
    rephrased = (dict.fromkeys(each.sentences for each in benchmark.rephrasings(sentence)) for sentence in sentences)
    rows = [
        {"complex": sentence.text, "references": list(references)}
        for sentence, references in zip(sentences, rephrased, strict=True)
    ]
    write_json_lines(given.out, rows)
    print(f"{given.out}: {len(sentences):,} complex sentences", file=sys.stderr)


def _templates(given: argparse.Namespace) -> None:
    benchmark = load_benchmark(given.benchmark)
    sentences = [sentence for side in SIDES for sentence in load_sentences(given.benchmark, "paper", side)]
    book = learn_templates(benchmark, sentences, range(len(benchmark.parts)))
    data = book.to_bytes()
    with write_whole(given.out) as draft:
        draft.write_bytes(data)
    sizes = Counter(key.count(" | ") + 1 for key in book.templates if ": " not in key)
    keys = ", ".join(f"{count:,} of {size}" for size, count in sorted(sizes.items()))
    templates = sum(map(len, book.templates.values()))
    print(f"{given.out}: {templates:,} templates, keys by their triples: {keys}; {len(data) / 1e6:.2f} MB")


def _sentences(given: argparse.Namespace, protocol: str) -> list[ComplexSentence]:
    """The side asked for, or `--limit` of it: those whose hashes come first, so that more hold fewer."""
    sentences = load_sentences(given.benchmark, protocol, given.side)
    return sentences if given.limit is None else sorted(sentences, key=lambda sentence: sentence.id)[: given.limit]


_STEPS: dict[str, tuple[Callable[[argparse.Namespace], None], str]] = {
    "build": (_build, "From WebNLG's XML to the benchmark's folder."),
    "pairs": (_pairs, "What an adapter of the pretrained base learns from, for training.finetune."),
    "train": (_train, "One system of Table 3, as a recipe says."),
    "decode": (_decode, "What trained systems write for one side, as RUN/outputs-PROTOCOL-SIDE.jsonl."),
    "evaluate": (_evaluate, "Table 3 in the paper's layout."),
    "references": (_references, "All rephrasings written out, for `rewrite evaluate split --set websplit`."),
    "templates": (_templates, "Learn the templates of `rewrite split --triples`."),
}

if __name__ == "__main__":
    sys.exit(main())
