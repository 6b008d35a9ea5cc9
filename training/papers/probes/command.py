"""Measure a masked language model as the NDD paper does, each table beside the paper's own figures.

    python -m training.papers.probes sensitivity --data DIR [--wordnet DIR]     Table 1, on STS-B
    python -m training.papers.probes overlap --data DIR --png FILE              Figure 3, on STS-B
    python -m training.papers.probes examples                                   Table 10, its own sentences
    python -m training.papers.probes pruning --conllu FILE                      Table 7, on a treebank
    python -m training.papers.probes predicates --conll FILE | --conllu FILE    Table 8, on CoNLL-2009 or a treebank

docs/probes.md tells what each measures and what was chosen where the paper is silent.
"""

from __future__ import annotations

import os

# Before numpy is imported: the matrices are small, and the model's own threads want the cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

import argparse
from collections.abc import Sequence

from rewrite.commands.lines import jsonl_line
from training.command import run_to_the_end
from training.papers.probes import examples, overlap, predicates, pruning, sensitivity
from training.papers.probes.report import positive

__all__ = ["main"]

_PROBES = (sensitivity.PROBE, overlap.PROBE, examples.PROBE, pruning.PROBE, predicates.PROBE)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit status of `rewrite.errors.EXIT_CODES`, 130 for Ctrl-C."""
    given = _parser().parse_args(arguments)
    return run_to_the_end(f"probes {given.probe}", lambda: _run(given))


def _run(given: argparse.Namespace) -> None:
    report = next(probe for probe in _PROBES if probe.name == given.probe).run(given)
    print("\n".join(map(jsonl_line, report.to_json())) if given.format == "jsonl" else report.text())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m training.papers.probes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    probes = parser.add_subparsers(dest="probe", metavar="NAME", required=True)
    for probe in _PROBES:
        own = probes.add_parser(probe.name, help=probe.summary, description=probe.summary)
        probe.add_arguments(own)
        _add_common(own)
        if probe.draws:
            own.add_argument(
                "--limit", type=positive, metavar="N", help="only N sentences or pairs, drawn with the seed"
            )
            own.add_argument("--seed", type=int, default=0, metavar="N", help="of all that is drawn; 0 by default")
    return parser


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--masked-model",
        default="bundled",
        metavar="MODEL",
        help="bundled (the default), bundled:en, hf:NAME, hf, or a folder with either kind of model",
    )
    parser.add_argument("--device", default="cpu", help="where a model of hf runs: cpu, cuda")
    parser.add_argument("--format", choices=("text", "jsonl"), default="text", help="tables, or a JSON object a row")
