"""Build WebSplit from WebNLG, train and measure the systems of the paper's Table 3 on it.

    python -m training.papers.websplit build --data DIR --out BENCHMARK
    python -m training.papers.websplit train RECIPE --benchmark BENCHMARK --out RUN
    python -m training.papers.websplit decode RUN … --benchmark BENCHMARK
    python -m training.papers.websplit evaluate RUN … --benchmark BENCHMARK
    python -m training.papers.websplit references --benchmark BENCHMARK --out FILE
    python -m training.papers.websplit templates --benchmark BENCHMARK --out FILE

docs/websplit.md tells the format, the figures and what was chosen where the paper is silent.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rerank.errors import BadInput, CannotWrite
from rewrite.datasets import data_folder, json_object, text_lines
from training.command import run_to_the_end
from training.disk import write_text
from training.papers.websplit.benchmark import ComplexSentence, WebSplit, load_benchmark, load_sentences, used_parts
from training.papers.websplit.building import PROTOCOLS, SIDES, build
from training.papers.websplit.figures import measure, table
from training.papers.websplit.options import SystemRecipe, load_system_recipe, shipped_system_recipes
from training.papers.websplit.templates import learn_templates
from training.papers.websplit.webnlg import RELEASES, xml_files

__all__ = ["main", "read_outputs"]

_OUTPUTS = "outputs-{protocol}-{side}.jsonl"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit status of `rewrite.errors.EXIT_CODES`, 130 for Ctrl-C."""
    given = _parser().parse_args(arguments)
    return run_to_the_end(f"websplit {given.step}", lambda: given.run(given))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m training.papers.websplit",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    steps = parser.add_subparsers(dest="step", metavar="STEP", required=True)

    def add(name: str, run: Callable[[argparse.Namespace], None], help: str) -> argparse.ArgumentParser:
        step = steps.add_parser(name, help=help, description=help)
        step.set_defaults(run=run)
        if name != "build":
            step.add_argument("--benchmark", type=Path, required=True, metavar="DIR", help="what build has written")
        return step

    _add_build(add("build", _build, "From WebNLG's XML to the benchmark's folder."))
    _add_train(add("train", _train, "One system of Table 3, as a recipe says."))
    decode = add("decode", _decode, "What trained systems write for one side, as RUN/outputs-PROTOCOL-SIDE.jsonl.")
    decode.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="folders that train has written")
    _add_side(decode, protocol=None)
    evaluate = add("evaluate", _evaluate, "Table 3 in the paper's layout, its own figures in brackets.")
    evaluate.add_argument("runs", nargs="*", type=Path, metavar="RUN", help="folders that decode has written to")
    _add_side(evaluate)
    references = add("references", _references, "All rephrasings written out, for `rewrite evaluate websplit`.")
    _add_side(references)
    references.add_argument("--out", type=Path, required=True, metavar="FILE", help="JSON lines: complex, references")
    templates = add("templates", _templates, "Learn the templates of `rewrite split --triples`.")
    from_split = "learn from the train side of this split, or from all parts (the default)"
    templates.add_argument("--protocol", choices=(*PROTOCOLS, "all"), default="all", help=from_split)
    templates.add_argument("--out", type=Path, required=True, metavar="FILE", help="gzipped JSON")
    return parser


def _add_build(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument(
        "--release",
        nargs="+",
        default=["release_v1"],
        metavar="NAME",
        help="release_v1 (the default), challenge_2017, or folders and files of WebNLG's XML",
    )
    parser.add_argument("--category", nargs="+", metavar="NAME", help="only entries of these categories")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the benchmark is written")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the splits; 0 by default")
    parser.add_argument(
        "--protocol", choices=(*PROTOCOLS, "both"), default="both", help="which splits; both by default"
    )


def _add_train(parser: argparse.ArgumentParser) -> None:
    shipped = ", ".join(shipped_system_recipes())
    parser.add_argument("recipe", metavar="RECIPE", help=f"a YAML file, or one of: {shipped}")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the system is written")
    parser.add_argument("--minutes", type=float, metavar="N", help="to learn; instead of the recipe's")
    parser.add_argument("--protocol", choices=PROTOCOLS, help="instead of the recipe's")
    parser.add_argument(
        "--start", metavar="RUN", help="a run whose network this begins with, or is; instead of the recipe's"
    )


def _add_side(parser: argparse.ArgumentParser, *, protocol: str | None = "paper") -> None:
    parser.add_argument("--side", choices=SIDES, default="test")
    usual = protocol or "the one that the system was trained on"
    parser.add_argument("--protocol", choices=PROTOCOLS, default=protocol, help=f"default: {usual}")
    parser.add_argument("--limit", type=int, metavar="N", help="only N complex sentences, drawn by their hashes")


def _build(given: argparse.Namespace) -> None:
    protocols = PROTOCOLS if given.protocol == "both" else (given.protocol,)
    folder = data_folder(given.data) if set(given.release) & RELEASES.keys() else Path()
    files = [file for release in given.release for file in xml_files(folder, release)]
    print(build(files, given.out, seed=given.seed, protocols=protocols, categories=given.category or ()))


def _train(given: argparse.Namespace) -> None:
    from training.papers.websplit.systems import train

    recipe = load_system_recipe(given.recipe)
    changed = {key: value for key in ("minutes", "protocol", "start") if (value := getattr(given, key)) is not None}
    train(SystemRecipe.model_validate({**recipe.model_dump(), **changed}), given.benchmark, given.out)


def _decode(given: argparse.Namespace) -> None:
    from training.papers.websplit.systems import load_system, write_texts

    benchmark = load_benchmark(given.benchmark)
    for folder in given.runs:
        recipe, system = load_system(folder)
        protocol = given.protocol or recipe.protocol
        sentences = _sentences(given, benchmark, protocol)
        texts = write_texts(system, benchmark, sentences, lambda done: print(f"{done:,}", end="\r", file=sys.stderr))
        rows = [
            {"id": sentence.id, "source": sentence.text, "output": text}
            for sentence, text in zip(sentences, texts, strict=True)
        ]
        file = folder / _OUTPUTS.format(protocol=protocol, side=given.side)
        _write_rows(file, rows)
        print(f"{file}: {len(texts):,} texts")


def _evaluate(given: argparse.Namespace) -> None:
    benchmark = load_benchmark(given.benchmark)
    sentences = _sentences(given, benchmark, given.protocol)
    name = _OUTPUTS.format(protocol=given.protocol, side=given.side)
    outputs = {"source": {sentence.id: sentence.text for sentence in sentences}}
    outputs.update({folder.name: read_outputs(folder / name) for folder in given.runs})
    print(table(measure(outputs, benchmark, sentences)))


def _references(given: argparse.Namespace) -> None:
    benchmark = load_benchmark(given.benchmark)
    sentences = _sentences(given, benchmark, given.protocol)
    rephrased = (dict.fromkeys(each.sentences for each in benchmark.rephrasings(sentence)) for sentence in sentences)
    rows = [
        {"complex": sentence.text, "references": list(references)}
        for sentence, references in zip(sentences, rephrased, strict=True)
    ]
    _write_rows(given.out, rows)
    print(f"{given.out}: {len(sentences):,} complex sentences", file=sys.stderr)


def _templates(given: argparse.Namespace) -> None:
    benchmark = load_benchmark(given.benchmark)
    protocol, sides = ("paper", SIDES) if given.protocol == "all" else (given.protocol, ("train",))
    sentences = [one for side in sides for one in load_sentences(given.benchmark, protocol, side, benchmark)]
    numbers = range(len(benchmark.parts)) if given.protocol == "all" else used_parts(sentences)
    book = learn_templates(benchmark, sentences, numbers)
    data = book.to_bytes()
    try:
        given.out.write_bytes(data)
    except OSError as error:
        reason = error.strerror or error
        raise CannotWrite(f"Cannot write {str(given.out)!r}: {reason}.", hint="Check --out.") from error
    sizes = Counter(key.count(" | ") + 1 for key in book.templates if ": " not in key)
    keys = ", ".join(f"{count:,} of {size}" for size, count in sorted(sizes.items()))
    templates = sum(map(len, book.templates.values()))
    print(f"{given.out}: {templates:,} templates, keys by their triples: {keys}; {len(data) / 1e6:.2f} MB")


def _sentences(given: argparse.Namespace, benchmark: WebSplit, protocol: str) -> list[ComplexSentence]:
    """The side asked for, or `--limit` of it: those whose hashes come first, so that more hold fewer."""
    sentences = load_sentences(given.benchmark, protocol, given.side, benchmark)
    return sentences if given.limit is None else sorted(sentences, key=lambda sentence: sentence.id)[: given.limit]


def _write_rows(file: Path, rows: Sequence[Mapping[str, object]]) -> None:
    write_text(file, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))


def read_outputs(file: Path) -> dict[str, str]:
    """Output by the id of the complex sentence. Raises `BadInput` that names file and line."""
    return dict(_output(line, f"{file}, line {number}") for number, line in enumerate(text_lines(file), 1))


def _output(line: str, place: str) -> tuple[str, str]:
    row = json_object(line, place)
    identity, output = row.get("id"), row.get("output")
    if not (isinstance(identity, str) and isinstance(output, str)):
        raise BadInput(f"{place}: id and output are texts.", hint="decode writes such files.")
    return identity, output


if __name__ == "__main__":
    sys.exit(main())
