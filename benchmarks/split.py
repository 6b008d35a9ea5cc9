"""`rewrite split`: how fast it is beside parsing alone, and how far its steps could come on WikiSplit.

    python -m benchmarks.split speed --data FOLDER [--sentences 100] [-n 10] [--starts 5]
    python -m benchmarks.split ceilings --data FOLDER [--sentences 300]

`speed`: the sentences are the first of WikiSplit's validation part. Warm: models loaded, all in one call, seconds on
the clock and of the processor. Cold: `rewrite split` on one sentence in a fresh process, the median of some starts.
Bars: 3 sentences a second warm, 3 seconds cold, a peak of 1 GB in the process. Exit code 1 where one is missed.

`ceilings`: SARI of the best that each step leaves, the echo beside it, on the first of the dev part (WikiSplit
validation rows 3,501–4,000), which nothing was learnt from. *Edit of the pair* is the split that explains the reference
best, with the words that its writer began with. The *best* have the greatest SARI of their own, chosen with the
reference in hand, of what the bundled network proposes: of all, and of those that pass with a chance of a tenth, a
third and a half.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

from benchmarks.measuring import command_line, fresh_process, peak_mib, timed
from rerank.english import EnglishAnalyzer
from rewrite import SplitOptions, Splitter
from rewrite.datasets import data_folder
from rewrite.evaluate.sari import SariSource, corpus_sari, sari_of_totals
from rewrite.splitting.acceptance import load_acceptance, split_features
from rewrite.splitting.model import SplitModel
from rewrite.splitting.search import distinct
from rewrite.splitting.split import Split, render
from rewrite.splitting.words import Words, read_words, sentence_analyzer

FASTEST, COLD, PEAK = 3.0, 3.0, 1e9 / 2**20
_FIRST = "This sentence has the models loaded, and it is not one of those that are timed."
_COLD = "Alan Shepard was born in New Hampshire and he served as the Chief of the Astronaut Office."


def speed(options: argparse.Namespace) -> int:
    """Print seconds and sentences a second."""
    count = options.sentences or 100
    with (data_folder(options.data) / "wikisplit" / "validation.tsv").open(encoding="utf-8") as file:
        texts = [line.partition("\t")[0] for line, _ in zip(file, range(count), strict=False)]
    analyzer, splitter = sentence_analyzer(), Splitter(SplitOptions(n=options.n))
    works: dict[str, Callable[[list[str]], object]] = {
        "parsing alone": lambda texts: read_words(texts, analyzer),
        f"rewrite split, n = {options.n}": splitter.run,
    }
    print(f"{len(texts)} sentences              clock s   processor s   sentences/s   ratio")
    clocks: list[float] = []
    for name, work in works.items():
        work([_FIRST])
        processor = time.process_time()
        clocks.append(timed(partial(work, texts))[1])
        processor = time.process_time() - processor
        ratio = clocks[-1] / clocks[0]
        print(f"{name:26} {clocks[-1]:7.2f}   {processor:11.2f}   {len(texts) / clocks[-1]:11.1f}   {ratio:5.1f}")
    peak = peak_mib()
    starts = [fresh_process("-m", "rewrite", "split", _COLD) for _ in range(options.starts + 1)]
    start = statistics.median(starts[1:])
    print(f"cold start, one sentence: {start:.2f} s; peak memory: {peak * 2**20 / 1e6:.0f} MB")
    return int(len(texts) / clocks[1] < FASTEST or start > COLD or peak > PEAK)


def ceilings(options: argparse.Namespace) -> int:
    """Print SARI and the share of exact references of each step's best."""
    from training.splitting.pairs import read_set

    pairs = list(read_set("wikisplit-dev", data_folder(options.data)))[: options.sentences or 300]
    references = [" ".join(pair.simple) for pair in pairs]
    analyzer = sentence_analyzer()
    parsed = read_words([pair.complex for pair in pairs], analyzer)
    outputs: dict[str, list[str]] = {"echo": [pair.complex for pair in pairs]}
    outputs["edit of the pair"] = [
        _explained(p.complex, p.simple, w, analyzer) for p, w in zip(pairs, parsed, strict=True)
    ]
    least_chances = {"best proposal": 0.0, "best of a tenth": 0.1, "best of a third": 1 / 3, "best of a half": 0.5}
    outputs |= {kind: [] for kind in ("likeliest proposal", "surest proposal", *least_chances)}
    acceptance = load_acceptance()
    for pair, reference, words, (splits, none) in zip(
        pairs, references, parsed, SplitModel().propose(parsed), strict=True
    ):
        outputs["likeliest proposal"].append(_best(pair.complex, reference, words, splits[:1]))
        offered = distinct(words, splits)
        proposals = list(offered.values())
        chances = acceptance.predict(split_features(words, proposals, none))
        surest = [proposals[int(chances.argmax())]] if proposals else []
        outputs["surest proposal"].append(_best(pair.complex, reference, words, surest))
        for kind, least in least_chances.items():
            left = [split for split, chance in zip(proposals, chances, strict=True) if chance >= least]
            outputs[kind].append(_best(pair.complex, reference, words, left))
    print(f"{len(pairs)} pairs            SARI   exact %")
    for kind, texts in outputs.items():
        sari = corpus_sari(outputs["echo"], texts, [[reference] for reference in references]).sari
        exact = 100 * sum(map(str.__eq__, texts, references)) / len(pairs)
        print(f"{kind:20} {sari:6.1f}   {exact:7.1f}")
    return 0


def _explained(source: str, simple: Sequence[str], words: Words, analyzer: EnglishAnalyzer) -> str:
    """The split that explains a pair best; the complex sentence where none does."""
    from training.splitting.align import align

    if len(simple) != 2:
        return source
    first, second = ([word.lower for word in part.words] for part in read_words(list(simple), analyzer))
    found = align(words, first, second)
    parts = render(words, found[0]) if found else None
    return " ".join(parts) if parts else source


def _best(source: str, reference: str, words: Words, splits: Sequence[Split]) -> str:
    """The text with the greatest SARI of its own; the complex sentence where there is no split."""
    texts = [" ".join(parts) for split in splits if (parts := render(words, split)) is not None]

    def sari(text: str) -> float:
        return float(sari_of_totals(SariSource(source, [reference]).statistics(text)))

    return max(texts or [source], key=sari)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for; returns the exit status."""
    parser = command_line(__doc__)
    parser.add_argument("what", choices=("speed", "ceilings"))
    parser.add_argument("--sentences", type=int, help="100 for speed, 300 for ceilings")
    parser.add_argument("-n", type=int, default=10, help="speed: candidates for each sentence")
    parser.add_argument("--starts", type=int, default=5, help="speed: fresh processes that are timed")
    options = parser.parse_args(arguments)
    return speed(options) if options.what == "speed" else ceilings(options)


if __name__ == "__main__":
    sys.exit(main())
