"""`references`: complex sentences with all their rephrasings written out, for `rewrite evaluate websplit`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from training.disk import write_text
from training.papers.websplit.decode import drawn
from training.papers.websplit.files import load_benchmark, load_sentences
from training.papers.websplit.splitting import PROTOCOLS, SIDES

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `references`."""
    parser.add_argument(
        "--benchmark", type=Path, required=True, metavar="DIR", help="the folder that build has written"
    )
    parser.add_argument("--side", choices=SIDES, default="test")
    parser.add_argument("--protocol", choices=PROTOCOLS, default="paper")
    parser.add_argument("--limit", type=int, metavar="N", help="only N complex sentences, drawn by their hashes")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="JSON lines: complex, references")


def run(given: argparse.Namespace) -> None:
    """Write one object a complex sentence; each rephrasing is the list of its sentences."""
    benchmark = load_benchmark(given.benchmark)
    sentences = drawn(load_sentences(given.benchmark, given.protocol, given.side, benchmark), given.limit)

    def rows() -> Iterator[str]:
        for sentence in sentences:
            found = dict.fromkeys(tuple(one.sentences) for one in benchmark.rephrasings(sentence))
            yield json.dumps({"complex": sentence.text, "references": list(found)}, ensure_ascii=False)

    write_text(given.out, "".join(f"{row}\n" for row in rows()))
    print(f"{given.out}: {len(sentences):,} complex sentences", file=sys.stderr)
