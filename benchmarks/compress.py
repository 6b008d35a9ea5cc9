"""Compression by NDD: against the direct algorithm, with the same outputs, and how long one sentence takes.

    python -m benchmarks.compress direct --data FOLDER [--model SPEC] [--sentences 50] [--direct 6] [--rounds 1]
    python -m benchmarks.compress line --data FOLDER [--ratio 0.5] [--sentences 20]

The direct algorithm asks the model about every word of a text and of what is left of it, anew for every span, one span
at a time, and a model of Hugging Face as it comes, with its output layer at every position. Ours computes a text's own
distributions once, gives the rows of all spans of all sentences to the model together, asks the output layer about
masked words alone, and stops adding up a distance as soon as it settles the span. `--direct` sentences, spread over
all, are done directly, and their outputs compared; each counts with the cube of its words. `--model` is what
`--masked-model` takes. N_max is the paper's 1, unless `--threshold` says otherwise: the lower, the more spans are
settled by a part of their sum. Seconds are those of the processor, on one core: on a machine that others use, the clock
on the wall counts their work too. Bars, against the full search done directly: full ≥ 20 ×, fast ≥ 60 ×.

`line`: models loaded, the first sentences of the broadcast set with 28 to 32 words, each compressed in a call of its
own by both distances with the bundled English model. Bar: every one in less than 2 seconds on the clock, on the cores
there are. Exit code 1 where a bar is missed or an output differs.
"""

from __future__ import annotations

import os
import sys

if "direct" in sys.argv:
    # Before numpy is imported: one thread, so that a busy machine does not decide.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import time
from collections.abc import Sequence
from functools import partial

import numpy as np

from benchmarks.measuring import Race, Work, command_line, spread
from rerank.masked.base import MaskedModel
from rerank.masked.hf import HFMaskedModel
from rerank.masked.registry import create_masked_model
from rerank.ndd.distance import Ndd
from rerank.types import FloatArray
from rewrite import Compressor
from rewrite.compression.deleter import Deleter
from rewrite.compression.objectives import NddObjective, words_of
from rewrite.compression.options import Method, compress_options
from rewrite.compression.stages import stages
from rewrite.datasets import data_folder
from rewrite.evaluate.compression.corpora import load_sentcomp
from rewrite.generators.deletion import Trial

BARS: dict[Method, float] = {"ndd": 20.0, "fast-ndd": 60.0}
LONGEST = 2.0
_FIRST = "This sentence has the models loaded, whatever they are, before the others are timed."


def sentences_of(data: str | None, count: int, lengths: range) -> list[str]:
    """The first different sentences of the broadcast set with so many words."""
    sources = (each.source for each in load_sentcomp(data_folder(data) / "sentcomp" / "broadcast.jsonl"))
    return list(dict.fromkeys(source for source in sources if len(source.split()) in lengths))[:count]


class Direct:
    """NDD span by span, each with a fresh look at the text it is cut from."""

    def __init__(self, ndd: Ndd) -> None:
        self._ndd = ndd

    def __call__(self, trials: Sequence[Trial]) -> list[FloatArray]:
        return [np.array([0.0, *(-self._distance(trial, text) for text in trial.removed[1:])]) for trial in trials]

    def _distance(self, trial: Trial, removed: frozenset[int]) -> float:
        assert trial.analysis is not None
        tokens = zip(trial.analysis.tokens, words_of(trial.analysis), strict=True)
        left = [(token.start, word) for token, word in tokens if token.start not in trial.removed[0]]
        source = self._ndd.read([word for _, word in left])
        kept = source.keep([k for k, (start, _) in enumerate(left) if start not in removed])
        return float(self._ndd.distances([(source, [kept])])[0][0])


def search(model: MaskedModel, method: Method, threshold: float, *, directly: bool) -> Deleter:
    """What compresses by a method."""
    options = compress_options(method=method, threshold=threshold, syntax=False, overlap="lower")
    parts = stages("en", syntax=False, exact=True, names=False, longest=options.longest, analyzer=None)
    deleter = Deleter(options, model, parts, language="en")
    if directly:
        assert isinstance(deleter._objective, NddObjective)
        for _, (_, search) in deleter._searches:
            search._objective = Direct(deleter._objective.ndd)
    return deleter


def direct(options: argparse.Namespace) -> int:
    """Measure both searches in turns with the direct algorithm, and print them."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # the models count the cores they may use
    sentences = sentences_of(options.data, options.sentences or 50, range(20, 51))
    model = create_masked_model(options.model)
    # The model as one would call it: of Hugging Face, with its output layer at every position of a row.
    whole = model
    if isinstance(model, HFMaskedModel):
        whole = HFMaskedModel(model.target)
        whole.__dict__["_sparse"] = False

    few = sentences[:: max(1, len(sentences) // options.direct)][: options.direct]

    def work(method: Method, asked: MaskedModel, texts: Sequence[str], *, directly: bool) -> Work:
        search(asked, method, 0.1, directly=False).run([_FIRST])  # loads it before the clock starts

        def compress(made: Deleter) -> dict[str, str]:
            return {text: result.text for text, result in zip(texts, made.run(texts), strict=True)}

        # The direct algorithm's work grows with the cube of the words, so that is what a sentence counts for.
        cubes = [sum(len(text.split()) ** 3 for text in some) for some in (texts, sentences)]
        fresh = partial(search, asked, method, options.threshold, directly=directly)
        name = f"{method}, directly" if directly else method
        return Work(name, compress, len(sentences) * cubes[0] / cubes[1], fresh)

    works = [work(method, whole, few, directly=True) for method in BARS]
    works += [work(method, model, sentences, directly=False) for method in BARS]
    race = Race.run("sentences", works, rounds=options.rounds, clock=time.process_time)
    race.print(f"{len(sentences)} sentences, N_max {options.threshold:g}")
    differing = {m: not race.answers[m].items() >= race.answers[f"{m}, directly"].items() for m in BARS}
    print("outputs that differ from the direct algorithm's:", ", ".join(m for m, d in differing.items() if d) or "none")
    print(f"fast-ndd: {race.ratio('fast-ndd', 'fast-ndd, directly'):.1f} × itself directly")
    return int(race.missed({(method, "ndd, directly"): bar for method, bar in BARS.items()}) or any(differing.values()))


def line(options: argparse.Namespace) -> int:
    """Print the median and the longest time of a sentence by each distance."""
    sentences = sentences_of(options.data, options.sentences or 20, range(28, 33))
    print(f"Seconds for a sentence of 28 to 32 words ({len(sentences)} of them; bar {LONGEST:g})")
    missed = False
    for method in ("fast-ndd", "ndd"):
        compressor = Compressor(compress_options(ratio=options.ratio, method=method, lang="en"))
        compressor.run([_FIRST])
        works = [Work(text, partial(compressor.run, [text]), 1) for text in sentences]
        seconds = [1 / rate for (rate,) in Race.run("sentences", works, rounds=1).rates.values()]
        missed |= max(seconds) >= LONGEST
        print(f"{method:10} {spread(seconds)}")
    return int(missed)


def main() -> int:
    """Measure what is asked for; returns the exit status."""
    parser = command_line(__doc__)
    parser.set_defaults(rounds=1)
    parser.add_argument("what", choices=("direct", "line"))
    parser.add_argument("--sentences", type=int, help="50 for direct, 20 for line")
    parser.add_argument("--model", default="bundled:en", help="direct: hf:FOLDER or bundled:en, the default")
    parser.add_argument("--direct", type=int, default=6, help="direct: how many of them to time directly")
    parser.add_argument("--threshold", type=float, default=1.0, help="direct: N_max, 1 as in the paper")
    parser.add_argument("--ratio", type=float, default=0.5, help="line: share of the words to keep")
    options = parser.parse_args()
    return direct(options) if options.what == "direct" else line(options)


if __name__ == "__main__":
    sys.exit(main())
