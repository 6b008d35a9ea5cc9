"""ParaEval: summaries a second at 100 words, beside looking up every phrase of one text with every phrase of the other.

    python -m benchmarks.paraeval --data FOLDER [--table FILE] [--pairs 400] [--naive 20] [--rounds 3]

The texts are of Newsroom's articles: words 1 to 100 as the reference, 51 to 150 as the summary, and so on. Without
`--table`, paraphrases are drawn with a seed: some ten for each two texts, and three for each phrase, most of which are
looked up for nothing. The naive loop reads both texts anew for each summary and asks the table for each pair of
phrases; both must give the same figures. Bar: 200 summaries a second. Exit code 1 where it is missed or a figure
differs.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import Race, Work, command_line
from rerank.paraeval.match import Expanded, find_links
from rerank.paraeval.pairs import PairTable
from rerank.paraeval.score import ParaEval
from rerank.paraeval.table import open_paraphrases
from rerank.paraeval.words import Paraphrases, Phrase, read
from rewrite.datasets import data_folder

FASTEST = 200.0
WORDS = 100
_OVERLAP = 50
_PLANTED = 10
_DRAWN = 3
# Words that are so common have no ten paraphrases in a table.
_SHORT = 6

Figures = list[tuple[float, float]]


def make_pairs(folder: Path, count: int) -> list[tuple[str, str]]:
    """References and summaries of 100 words, in running order."""
    file = folder / "metaeval_newsroom_qags" / "Newsroom" / "data.json"
    found: list[tuple[str, str]] = []
    for item in json.loads(file.read_text(encoding="utf-8")).values():
        words = item["src"].split()
        for start in range(0, len(words) - WORDS - _OVERLAP, WORDS):
            middle = start + _OVERLAP
            found.append((" ".join(words[start : start + WORDS]), " ".join(words[middle : middle + WORDS])))
    return found[:count]


def make_table(pairs: Sequence[tuple[str, str]], seed: int) -> PairTable:
    """Of every reference some phrases with some of its summary, and every phrase with some of any other texts."""
    rng = random.Random(seed)
    rows: list[tuple[str, str, float]] = []
    everywhere: dict[str, None] = {}
    for reference, peer in pairs:
        own, other = ([p for p in _phrases(text) if " " in p or len(p) > _SHORT] for text in (reference, peer))
        everywhere.update(dict.fromkeys(own))
        rows += [(rng.choice(own), rng.choice(other), rng.uniform(0.1, 1)) for _ in range(_PLANTED)]
    all_phrases = list(everywhere)
    rows += [(one, rng.choice(all_phrases), rng.uniform(0.1, 1)) for one in all_phrases for _ in range(_DRAWN)]
    return PairTable(rows, language="en")


def _phrases(text: str) -> list[str]:
    """Phrases of up to four words, without those that have a mark in a word."""
    found = (phrase for *_, phrase in read(text, "en").phrases(4))
    return [" ".join(phrase) for phrase in found if all(word.isalpha() for word in phrase)]


def naive(metric: ParaEval, table: Paraphrases, pairs: Sequence[tuple[str, str]]) -> Figures:
    """The same, with the paraphrases of each pair of texts found by asking for each pair of phrases."""
    figures = []
    for reference, peer in pairs:
        own, other = read(reference, "en"), read(peer, "en")
        said = list(own.phrases(table.longest))
        sayings: dict[tuple[int, int], dict[Phrase, float]] = {}
        for phrase in {phrase for *_, phrase in other.phrases(table.longest)}:
            for start, stop, one in said:
                if phrase in table.of(one):
                    sayings.setdefault((start, stop), {})[phrase] = table.of(one)[phrase]
        entries = tuple((*place, those) for place, those in sayings.items())
        found = metric.compare(Expanded(own, entries, table.longest, 0.0), peer)
        figures.append((found.recall, found.precision))
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; returns the exit status."""
    parser = command_line(__doc__)
    parser.add_argument("--table", default=None, help="paraphrases; without it they are drawn from the texts")
    parser.add_argument("--pairs", type=int, default=400, help="summaries, each with a reference of its own")
    parser.add_argument("--naive", type=int, default=20, help="how many of them the naive loop does")
    options = parser.parse_args(arguments)
    pairs = make_pairs(data_folder(options.data), options.pairs)
    table = open_paraphrases(options.table) if options.table else make_table(pairs, seed=1)
    metric, few = ParaEval(table, language="en"), pairs[: options.naive]

    def ours() -> Figures:
        scored = (metric.compare(metric.prepare(reference), peer) for reference, peer in pairs)
        return [(figures.recall, figures.precision) for figures in scored]

    works = [
        Work("every phrase with every one", lambda: naive(metric, table, few), len(few)),
        Work("paraeval", ours, len(pairs)),
    ]
    race = Race.run("summaries", works, rounds=options.rounds)
    links = sum(len(find_links(metric.prepare(reference), read(peer, "en"))) for reference, peer in pairs)
    print(f"{len(pairs)} summaries of {WORDS} words, {links / len(pairs):.0f} pairs of paraphrases in each")
    race.print()
    different = sum(a != b for a, b in zip(*race.answers.values(), strict=False))
    print(f"{different} of {len(few)} figures differ")
    return int(different > 0 or race.rate("paraeval") < FASTEST)


if __name__ == "__main__":
    sys.exit(main())
