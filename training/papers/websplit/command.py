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
from collections.abc import Sequence

from training.command import run_to_the_end
from training.papers.websplit import build, decode, evaluate, references, templates, train

__all__ = ["main"]


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
    modules = {
        "build": build,
        "train": train,
        "decode": decode,
        "evaluate": evaluate,
        "references": references,
        "templates": templates,
    }
    for name, module in modules.items():
        own = steps.add_parser(name, help=module.__doc__, description=module.__doc__)
        module.add_arguments(own)
        own.set_defaults(run=module.run)
    return parser
