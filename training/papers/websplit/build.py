"""`build`: from WebNLG's XML to the benchmark's folder."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rewrite.datasets import data_folder
from training.papers.websplit.benchmark import WebSplit
from training.papers.websplit.files import write_json, write_parts, write_sentences
from training.papers.websplit.pairing import pair
from training.papers.websplit.segmentation import Segmenter
from training.papers.websplit.splitting import PROTOCOLS, SIDES, Split, leak_free, paper, shared_pairs
from training.papers.websplit.statistics import PAPER, Statistics, count, table
from training.papers.websplit.webnlg import merge, read_entries, xml_files

__all__ = ["add_arguments", "build", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `build`."""
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


def run(given: argparse.Namespace) -> None:
    """Build as the options say, and print the statistics."""
    protocols = PROTOCOLS if given.protocol == "both" else (given.protocol,)
    releases = list(given.release)
    folder = data_folder(given.data) if _named(releases) else Path()
    files = [file for release in releases for file in xml_files(folder, release)]
    print(build(files, given.out, seed=given.seed, protocols=protocols, categories=given.category or ()))


def _named(releases: Sequence[str]) -> bool:
    from training.papers.websplit.webnlg import RELEASES

    return any(release in RELEASES for release in releases)


def build(
    files: Sequence[Path],
    out: Path,
    *,
    seed: int = 0,
    protocols: Sequence[str] = PROTOCOLS,
    categories: Sequence[str] = (),
) -> str:
    """Write the benchmark made of WebNLG `files` to the folder `out`; returns the statistics as a table.

    `parts.jsonl` and `statistics.json` lie in the folder, `train.jsonl`, `dev.jsonl` and `test.jsonl` in one more for
    each protocol. The same files and seed give the same bytes. Raises `BadInput` and `CannotWrite`.
    """
    entries = read_entries(files)
    meanings = merge(entry for entry in entries if not categories or entry.category in categories)
    benchmark, sentences = pair(meanings, Segmenter())
    write_parts(out, benchmark)
    columns: dict[str, Statistics] = {"paper's": PAPER, "all": count(sentences, benchmark)}
    notes: list[str] = []
    for protocol in protocols:
        split = leak_free(sentences, benchmark, seed) if protocol == "leak-free" else paper(sentences, seed)
        for side in SIDES:
            write_sentences(out / protocol / f"{side}.jsonl", split[side])
            columns[f"{protocol}/{side}"] = count(split[side], benchmark)
        notes.append(_note(protocol, split, benchmark, len(sentences)))
    write_json(
        out / "statistics.json",
        {"seed": seed, "files": len(files), **{name: column.to_json() for name, column in columns.items()}},
    )
    return "\n".join([table(columns), *notes])


def _note(protocol: str, split: Split, benchmark: WebSplit, total: int) -> str:
    held, _ = shared_pairs(split["test"], split["train"], benchmark)
    dropped = total - sum(map(len, split.values()))
    return (
        f"{protocol}: {held:,} of {len(split['test']):,} test sentences hold a subject and property of training; "
        f"{dropped:,} sentences dropped"
    )
