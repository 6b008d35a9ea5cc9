"""What the Russian fact guard lets pass of rewrites that a careful editor made wrong on purpose.

    python -m training.traps [--show KIND]

`training/traps_ru.jsonl` holds sentences of this project's own, each with a rewrite that changes what it says by one
fault of a kind (`bad`) and a similar one that is right (`good`). Prints, by kind, how many bad ones the guard blocks
and how many good ones it lets pass; `--show` prints those of a kind that it gets wrong.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from rerank.analysis import Analyzer
from rerank.facts import FactGuard

__all__ = ["TRAPS", "Trap", "main", "read_traps"]

TRAPS = Path(__file__).with_name("traps_ru.jsonl")


class Trap(NamedTuple):
    """A sentence, a rewrite that is wrong by a fault of `kind`, and one that is right."""

    kind: str
    source: str
    bad: str
    good: str


def read_traps(path: Path = TRAPS) -> list[Trap]:
    """The traps in a file of JSON lines."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Trap(row["kind"], row["source"], row["bad"], row["good"]) for row in rows]


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, ask the guard, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", metavar="KIND", help="print what the guard gets wrong of this kind")
    options = parser.parse_args(arguments)
    analyzer = Analyzer()
    guard = FactGuard(analyzer, morphology=analyzer.morphology)
    caught: dict[str, list[bool]] = defaultdict(list)
    passed: dict[str, list[bool]] = defaultdict(list)
    for trap in read_traps():
        bad, good = guard.check_all(trap.source, [trap.bad, trap.good])
        caught[trap.kind].append(bool(bad))
        passed[trap.kind].append(not good)
        if options.show == trap.kind and not bad:
            print(f"passes: {trap.source}\n        {trap.bad}")
        if options.show == trap.kind and good:
            print(f"blocked: {trap.source}\n         {trap.good}  [{good[0].message}]")
    for kind in caught:
        _tell(kind, caught[kind], passed[kind])
    _tell("all", list(chain(*caught.values())), list(chain(*passed.values())))


def _tell(kind: str, caught: Sequence[bool], passed: Sequence[bool]) -> None:
    print(f"{kind}: {sum(caught)} of {len(caught)} bad ones blocked, {sum(passed)} of {len(passed)} good ones pass")


if __name__ == "__main__":
    main()
