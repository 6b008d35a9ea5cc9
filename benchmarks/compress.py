"""Compression by NDD against the direct algorithm, with the same outputs; `benchmarks.commands` times a sentence.

    python -m benchmarks.compress --data FOLDER [--model SPEC] [--sentences 50] [--direct 6] [--rounds 1]

The direct algorithm asks the model about every word of a text and of what is left of it, anew for every span, one span
at a time, and a model of Hugging Face as it comes, with its output layer at every position. Ours computes a text's own
distributions once, gives the rows of all spans of all sentences to the model together, asks the output layer about
masked words alone, and stops adding up a distance as soon as it settles the span. `--direct` sentences, spread over
all, are done directly, and their outputs compared; each counts with the cube of its words. `--model` is what
`--masked-model` takes. N_max is the paper's 1, unless `--threshold` says otherwise: the lower, the more spans are
settled by a part of their sum. Seconds are those of the processor, on one core: on a machine that others use, the clock
on the wall counts their work too. Bars, against the full search done directly: full ≥ 20 ×, fast ≥ 60 ×. Exit code 1
where one is missed or an output differs.
"""

from __future__ import annotations

import os

# Before numpy is imported: one thread, so that a busy machine does not decide.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import sys
import time
from collections.abc import Sequence
from functools import partial

import numpy as np

from benchmarks.commands import FIRST, broadcast_sentences
from benchmarks.measuring import Race, Work, command_line
from rerank.masked.base import MaskedModel
from rerank.masked.hf import HFMaskedModel
from rerank.masked.registry import create_masked_model
from rerank.ndd.distance import Ndd
from rerank.types import FloatArray
from rewrite.compression.compression_options import CompressOptions, Method
from rewrite.compression.deleter import Deleter
from rewrite.compression.objectives import NddObjective, words_of
from rewrite.compression.stages import stages
from rewrite.generators.deletion import Trial

BARS: dict[Method, float] = {"ndd": 20.0, "fast-ndd": 60.0}


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
    options = CompressOptions(method=method, threshold=threshold, syntax=False, overlap="lower")
    parts = stages("en", syntax=False, exact=True, names=False, longest=options.longest, analyzer=None)
    deleter = Deleter(options, model, parts, language="en")
    if directly:
        assert isinstance(deleter._objective, NddObjective)
        for _, (_, search) in deleter._searches:
            search._objective = Direct(deleter._objective.ndd)
    return deleter


def main() -> int:
    """Measure both searches in turns with the direct algorithm, and print them; returns the exit status."""
    parser = command_line(__doc__)
    parser.set_defaults(rounds=1)
    parser.add_argument("--sentences", type=int, default=50)
    parser.add_argument("--model", default="bundled:en", help="hf:FOLDER or bundled:en, the default")
    parser.add_argument("--direct", type=int, default=6, help="how many of them to time directly")
    parser.add_argument("--threshold", type=float, default=1.0, help="N_max, 1 as in the paper")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # the models count the cores they may use
    sentences = broadcast_sentences(options.data, options.sentences, range(20, 51))
    model = create_masked_model(options.model)
    # The model as one would call it: of Hugging Face, with its output layer at every position of a row.
    whole = model
    if isinstance(model, HFMaskedModel):
        whole = HFMaskedModel(model.target)
        whole.__dict__["_sparse"] = False

    few = sentences[:: max(1, len(sentences) // options.direct)][: options.direct]

    def work(method: Method, asked: MaskedModel, texts: Sequence[str], *, directly: bool) -> Work:
        search(asked, method, 0.1, directly=False).run([FIRST])  # loads it before the clock starts

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


if __name__ == "__main__":
    sys.exit(main())
