"""Measure a masked language model as the NDD paper does; docs/probes.md has the paper's own figures.

    python -m training.papers.probes sensitivity --data DIR [--wordnet DIR]     Table 1, on STS-B
    python -m training.papers.probes overlap --data DIR                        Figure 3, on STS-B
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
from typing import Any

from rewrite.compression.compression_options import LONGEST_SPAN
from training.command import command_line, positive, run_to_the_end
from training.papers.probes import examples, overlap, predicates, pruning, sensitivity
from training.papers.probes.report import ProbeReport
from training.papers.probes.wordnet import DEBIAN


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit status of `rewrite.errors.EXIT_CODES`, 130 for Ctrl-C."""
    given = _parser().parse_args(arguments)
    return run_to_the_end(f"probes {given.probe}", lambda: print(given.run(given).text()))


def _parser() -> argparse.ArgumentParser:
    parser = command_line("papers.probes", __doc__)
    steps = parser.add_subparsers(dest="probe", metavar="NAME", required=True)
    probes = {name: steps.add_parser(name, help=text, description=text) for name, (text, _) in _PROBES.items()}
    for name, probe in probes.items():
        probe.set_defaults(run=_PROBES[name][1])

    def option(names: str, flag: str, text: str, **settings: Any) -> None:
        for name in names.split():
            probes[name].add_argument(flag, help=text, **settings)

    stsb, trees, drawn = "sensitivity overlap", "pruning predicates", "sensitivity overlap pruning predicates"
    option(f"{stsb} pruning", "--data", "data folder, or STS-B's file; default: REWRITE_DATA", metavar="DIR")
    option(stsb, "--part", "of STS-B; the paper has test, default is dev", choices=overlap.PARTS, default="dev")
    wordnet = "folder with the files of a WordNet (data.noun, …); default: that of Debian's wordnet-base"
    option("sensitivity", "--wordnet", wordnet, type=Path, default=DEBIAN, metavar="DIR")
    tests = {"action": "append", "choices": tuple(sensitivity.TESTS), "dest": "tests"}
    option("sensitivity", "--test", "only this test; may be repeated (default: all)", **tests)
    kinds = ("mean", "exponential", "balanced", "adjacent")
    counts = "how much each common word counts; mean, as in the paper's section 3, by default"
    option("examples", "--attention", counts, choices=kinds, default="mean")
    option("predicates", "--conll", "a file in the format of CoNLL-2009", type=Path, metavar="FILE")
    treebank = "a treebank, whose verbs are the predicates; pruning: ud/en_gum's test set in --data by default"
    option(trees, "--conllu", treebank, type=Path, metavar="FILE")
    option(trees, "--lang", "language of the bundled model", metavar="CODE")
    option("pruning", "--threshold", "N_max; may be repeated (default: 1 and 2)", type=float, action="append")
    option("pruning", "--longest", "L_max; 5, as in the paper", type=positive, default=LONGEST_SPAN, metavar="N")
    which = "the paper's set, for its language and stop word (a, that, el); other: none"
    option("predicates", "--set", which, choices=(*predicates.SETS, "other"), default="eng-id")
    option("predicates", "--stop-word", "what replaces each word", default="", metavar="WORD")
    model = "bundled (the default), bundled:en, bundled:FOLDER, hf:NAME (a folder or hub name) or hf"
    option(" ".join(probes), "--masked-model", model, default="bundled", metavar="MODEL")
    option(" ".join(probes), "--device", "where a model of hf runs: cpu, cuda", default="cpu")
    option(drawn, "--limit", "only N sentences or pairs, drawn by seed", type=positive, metavar="N")
    option(drawn, "--seed", "of all that is drawn; 0 by default", type=int, default=0, metavar="N")
    return parser


_PROBES: dict[str, tuple[str, Callable[[argparse.Namespace], ProbeReport]]] = {
    "sensitivity": ("Table 1: sensitivity of metrics to replaced words, on STS-B.", sensitivity.run),
    "overlap": ("Figure 3: metrics by the ratio of overlapped words, on STS-B.", overlap.run),
    "examples": ("Table 10: the paper's own edited sentences.", examples.run),
    "pruning": ("Table 7: is what is pruned subordinate, on a treebank.", pruning.run),
    "predicates": ("Table 8: predicate detection, on CoNLL-2009 or a treebank.", predicates.run),
}
if __name__ == "__main__":
    sys.exit(main())
