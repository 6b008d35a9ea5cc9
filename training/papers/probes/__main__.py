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
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rewrite.commands.lines import jsonl_line
from rewrite.compression.options import LONGEST_SPAN
from training.command import run_to_the_end
from training.papers.probes import examples, overlap, predicates, pruning, sensitivity
from training.papers.probes.report import ProbeReport
from training.papers.probes.wordnet import DEBIAN

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit status of `rewrite.errors.EXIT_CODES`, 130 for Ctrl-C."""
    given = _parser().parse_args(arguments)
    return run_to_the_end(f"probes {given.probe}", lambda: _print(given.run(given), given.format))


def _print(report: ProbeReport, form: str) -> None:
    print("\n".join(map(jsonl_line, report.to_json())) if form == "jsonl" else report.text())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m training.papers.probes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    probes = parser.add_subparsers(dest="probe", metavar="NAME", required=True)
    for name, (summary, add_arguments, run) in _PROBES.items():
        probe = probes.add_parser(name, help=summary, description=summary)
        add_arguments(probe)
        probe.add_argument(
            "--masked-model",
            default="bundled",
            metavar="MODEL",
            help="bundled (the default), bundled:en, hf:NAME, hf, or a folder with either kind of model",
        )
        probe.add_argument("--device", default="cpu", help="where a model of hf runs: cpu, cuda")
        probe.add_argument("--format", choices=("text", "jsonl"), default="text", help="tables, or a JSON object a row")
        if name != "examples":
            probe.add_argument("--limit", type=_positive, metavar="N", help="only N sentences or pairs, drawn by seed")
            probe.add_argument("--seed", type=int, default=0, metavar="N", help="of all that is drawn; 0 by default")
        probe.set_defaults(run=run)
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def _of_stsb(parser: argparse.ArgumentParser) -> None:
    where = "data folder with stsb/stsb-en-PART.csv, or such a file; default: REWRITE_DATA"
    parser.add_argument("--data", metavar="DIR", help=where)
    parser.add_argument(
        "--part", choices=overlap.PARTS, default="dev", help="of STS-B; the paper has test, default is dev"
    )


def _of_sensitivity(parser: argparse.ArgumentParser) -> None:
    _of_stsb(parser)
    files = "folder with the files of a WordNet (index.noun, data.noun, …); default: that of Debian's wordnet-base"
    parser.add_argument("--wordnet", type=Path, default=DEBIAN, metavar="DIR", help=files)
    parser.add_argument("--pipeline", metavar="NAME", help="spaCy pipeline or folder that tags; default: as anywhere")
    only = "only this test; may be repeated (default: all)"
    parser.add_argument("--test", action="append", choices=tuple(sensitivity.TESTS), dest="tests", help=only)


def _of_overlap(parser: argparse.ArgumentParser) -> None:
    _of_stsb(parser)
    parser.add_argument("--png", type=Path, metavar="FILE", help="draw the curve there (needs the extra plots)")


def _of_examples(parser: argparse.ArgumentParser) -> None:
    kinds = ("mean", "exponential", "balanced", "adjacent")
    counts = "how much each common word counts; mean, as in the paper's section 3, by default"
    parser.add_argument("--attention", choices=kinds, default="mean", help=counts)


def _of_pruning(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--conllu", type=Path, metavar="FILE", help="treebank; default: ud/en_gum's test set in --data")
    parser.add_argument("--data", metavar="DIR", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--lang", metavar="CODE", help="language of the bundled model; guessed without it")
    n_max = "N_max; may be repeated (default: 1 and 2)"
    parser.add_argument("--threshold", type=float, action="append", metavar="N", help=n_max)
    parser.add_argument(
        "--longest", type=_positive, default=LONGEST_SPAN, metavar="N", help="L_max; 5, as in the paper"
    )


def _of_predicates(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--conll", type=Path, metavar="FILE", help="a file in the format of CoNLL-2009")
    source.add_argument("--conllu", type=Path, metavar="FILE", help="a treebank, whose verbs are the predicates")
    beside = "the paper's set to print beside, with its stop word (a, that, el); other: none"
    parser.add_argument("--set", choices=(*predicates.SETS, "other"), default="eng-id", help=beside)
    parser.add_argument("--stop-word", default="", metavar="WORD", help="what replaces each word")
    parser.add_argument("--lang", metavar="CODE", help="language of the bundled model")


_PROBES: dict[
    str, tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], ProbeReport]]
] = {
    "sensitivity": (
        "Table 1: sensitivity of metrics to replaced words, on STS-B.",
        _of_sensitivity,
        sensitivity.run,
    ),
    "overlap": ("Figure 3: metrics by the ratio of overlapped words, on STS-B.", _of_overlap, overlap.run),
    "examples": ("Table 10: the paper's own edited sentences.", _of_examples, examples.run),
    "pruning": ("Table 7: is what is pruned subordinate, on a treebank.", _of_pruning, pruning.run),
    "predicates": ("Table 8: predicate detection, on CoNLL-2009 or a treebank.", _of_predicates, predicates.run),
}

if __name__ == "__main__":
    sys.exit(main())
