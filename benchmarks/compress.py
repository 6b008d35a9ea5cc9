"""Compression by NDD: against the direct algorithm, with the same outputs, and how long one sentence takes.

    python -m benchmarks.compress direct --data FOLDER [--model SPEC] [--sentences 50] [--direct 6] [--rounds 3]
    python -m benchmarks.compress line --data FOLDER [--ratio 0.5] [--sentences 20]

The direct algorithm asks the model about every word of a text and of what is left of it, anew for every span, one span
at a time, and a model of Hugging Face as it comes, with its output layer at every position. Ours computes a text's own
distributions once, gives the rows of all spans of all sentences to the model together, asks the output layer about
masked words alone, and stops adding up a distance as soon as it settles the span. Fast NDD is measured against that
same direct full search. `--model` is what `--masked-model` takes. N_max is the paper's 1, unless `--threshold` says
otherwise: the lower, the more spans are settled by a part of their sum.

`--direct` sentences, spread over all, are timed by the direct algorithm and their outputs compared (all of them with
0); the time for the others follows from the rows it would need and the words in them. "× direct" is against the full
search done directly, whatever the search; "× own direct" against the same distance done directly. Seconds are those
of the processor, on one core: on a machine that others use, the clock on the wall counts their work too. There are
`--rounds`, in each of which both searches run on all sentences and the direct algorithm on its share, and ours counts
with the median. "Bare" is the share of our time that our rows take in the model alone, sorted by length. Bars: full
≥ 20 ×, fast ≥ 60 ×, both with at least 70 % of their time bare.

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
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.measuring import command_line, timed
from rerank.masked.base import LogProbs, MaskedModel, Row
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
from rewrite.generators.deletion import Objective, Trial

BARS: dict[Method, float] = {"ndd": 20.0, "fast-ndd": 60.0}
BARE = 0.7
LONGEST = 2.0
_CHUNK = 256
_FIRST = "This sentence has the models loaded, whatever they are, before the others are timed."
_Made = TypeVar("_Made")


def sentences_of(data: str | None, count: int, lengths: range) -> list[str]:
    """The first different sentences of the broadcast set with so many words."""
    sources = (each.source for each in load_sentcomp(data_folder(data) / "sentcomp" / "broadcast.jsonl"))
    return list(dict.fromkeys(source for source in sources if len(source.split()) in lengths))[:count]


def processor_time(work: Callable[[], _Made]) -> tuple[_Made, float]:
    """What came out, and the seconds of the processor."""
    began = time.process_time()
    made = work()
    return made, time.process_time() - began


class Recording:
    """A masked model that keeps the rows it was given."""

    def __init__(self, model: MaskedModel) -> None:
        self._model = model
        self.rows: list[Row] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._model, name)

    def predict(self, rows: Sequence[Row]) -> list[LogProbs]:
        self.rows += rows
        return self._model.predict(rows)


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


class Counted:
    """An objective that adds up the rows that the direct algorithm would need for the same spans, and the words in
    them: two for each word that is left, or with `beside` for two of those.
    """

    def __init__(self, inner: Objective, *, beside: bool) -> None:
        self._inner = inner
        self._beside = beside
        self._seen: set[tuple[str, frozenset[int], frozenset[int]]] = set()
        self.rows: Counter[str] = Counter()
        self.words: Counter[str] = Counter()

    def __call__(self, trials: Sequence[Trial]) -> list[FloatArray]:
        for trial in trials:
            assert trial.analysis is not None
            size = len(trial.analysis.tokens)
            for removed in trial.removed[1:]:
                # Asked again about the same span, ours goes on from where it was.
                key = (trial.source, trial.removed[0], removed)
                if key not in self._seen:
                    self._seen.add(key)
                    asked = min(2, size - len(removed)) if self._beside else size - len(removed)
                    self.rows[trial.source] += 2 * asked
                    self.words[trial.source] += asked * (2 * size - len(trial.removed[0]) - len(removed))
        return self._inner(trials)


def deleter_with(
    model: MaskedModel, method: Method, threshold: float, change: Callable[[NddObjective], Objective]
) -> Deleter:
    """What compresses by a method, its objective changed."""
    options = compress_options(method=method, threshold=threshold, syntax=False, overlap="lower")
    parts = stages("en", syntax=False, exact=True, names=False, longest=options.longest, analyzer=None)
    deleter = Deleter(options, model, parts, language="en")
    assert isinstance(deleter._objective, NddObjective)
    changed = change(deleter._objective)
    for _, (_, search) in deleter._searches:
        search._objective = changed
    return deleter


@dataclass
class Search:
    """What is measured of a search: seconds and share in the bare model of its runs, their texts; the rows that the
    direct one would need, and what that took.
    """

    method: Method
    threshold: float
    seconds: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    rows: int = 0
    texts: list[str] = field(default_factory=list)
    needed: Counted | None = None
    direct_seconds: float = 0.0
    direct_texts: dict[str, str] = field(default_factory=dict)

    def take_turn(self, model: MaskedModel, sentences: Sequence[str]) -> None:
        """Ours on all sentences, then its rows in the model alone."""
        recording = Recording(model)
        counts: list[Counted] = []

        def counted(objective: NddObjective) -> Counted:
            counts.append(Counted(objective, beside=self.method == "fast-ndd"))
            return counts[-1]

        deleter = deleter_with(recording, self.method, self.threshold, counted)  # type: ignore[arg-type]  # __getattr__
        self.texts, seconds = processor_time(lambda: [result.text for result in deleter.run(sentences)])
        rows = sorted(recording.rows, key=lambda row: len(row.tokens))
        chunks = [rows[start : start + _CHUNK] for start in range(0, len(rows), _CHUNK)]
        _, bare = processor_time(lambda: [model.predict(chunk) for chunk in chunks])
        self.rows, (self.needed,) = len(rows), counts
        self.seconds.append(seconds)
        self.bare.append(bare / seconds)

    def take_direct_turn(self, model: MaskedModel, sentences: Sequence[str]) -> None:
        """The direct algorithm on some sentences."""
        deleter = deleter_with(model, self.method, self.threshold, lambda objective: Direct(objective.ndd))
        texts, seconds = processor_time(lambda: [result.text for result in deleter.run(sentences)])
        self.direct_seconds += seconds
        self.direct_texts |= dict(zip(sentences, texts, strict=True))

    @property
    def whole_direct(self) -> float:
        """Seconds of the direct algorithm for all sentences, by the words in the rows that it needs for them and for
        those it did.
        """
        assert self.needed is not None
        done = sum(self.needed.words[text] for text in self.direct_texts)
        return self.direct_seconds * self.needed.words.total() / done

    def differing(self, sentences: Sequence[str]) -> int:
        """How many outputs are others than those of the direct algorithm."""
        pairs = zip(sentences, self.texts, strict=True)
        return sum(self.direct_texts.get(source, text) != text for source, text in pairs)


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
    for loaded in {id(model): model, id(whole): whole}.values():
        Search("fast-ndd", 0.1).take_turn(loaded, sentences[:2])  # loads it before the clock starts
    count = len(sentences) if options.direct == 0 else min(options.direct, len(sentences))
    directly = sentences[:: len(sentences) // count][:count]
    searches = [Search(method, options.threshold) for method in BARS]
    for turn in range(options.rounds):
        share = directly[turn :: options.rounds]
        for search in searches:
            search.take_turn(model, sentences)
        for search in searches:
            search.take_direct_turn(whole, share)
        seconds = ", ".join(f"{search.method} {search.seconds[-1]:.1f} s" for search in searches)
        print(f"round {turn + 1}: {seconds}; {len(share)} sentences directly", file=sys.stderr)
    return _report(searches, sentences, count)


def _report(searches: Sequence[Search], sentences: Sequence[str], count: int) -> int:
    full = searches[0].whole_direct
    table = Table(title=f"Compressing {len(sentences)} sentences, {count} of them directly")
    table.add_column("search")
    columns = "N_max,seconds,× direct,bar,× own direct,rows,direct rows,bare,words kept"
    for column in columns.split(","):
        table.add_column(column, justify="right")
    missed = False
    for search in searches:
        seconds, bare = float(np.median(search.seconds)), float(np.median(search.bare))
        speed, bar = full / seconds, BARS[search.method]
        missed |= speed < bar or bare < BARE or search.differing(sentences) > 0
        direct_rows = search.needed.rows.total() if search.needed else 0
        words = sum(len(text.split()) for text in search.texts)
        figures = (f"{search.threshold:.2f}", f"{seconds:.2f}", f"{speed:.1f}", f"{bar:g}")
        own = f"{search.whole_direct / seconds:.1f}"
        table.add_row(search.method, *figures, own, f"{search.rows:,}", f"{direct_rows:,}", f"{bare:.2f}", f"{words:,}")
    Console().print(table)
    for search in searches:
        differing = search.differing(sentences)
        print(f"{differing} of {count} outputs of {search.method} differ from its direct algorithm's.")
    return int(missed)


def line(options: argparse.Namespace) -> int:
    """Print the median and the longest time of a sentence by each distance."""
    sentences = sentences_of(options.data, options.sentences or 20, range(28, 33))
    print(f"Seconds for a sentence of 28 to 32 words ({len(sentences)} of them; bar {LONGEST:g})")
    missed = False
    for method in ("fast-ndd", "ndd"):
        compressor = Compressor(compress_options(ratio=options.ratio, method=method, lang="en"))
        compressor.run([_FIRST])
        seconds = [timed(partial(compressor.run, [text]))[1] for text in sentences]
        missed |= max(seconds) >= LONGEST
        print(f"{method:10} median {np.median(seconds):.2f}, longest {max(seconds):.2f}")
    return int(missed)


def main() -> int:
    """Measure what is asked for; returns the exit status."""
    parser = command_line(__doc__)
    parser.add_argument("what", choices=("direct", "line"))
    parser.add_argument("--sentences", type=int, help="50 for direct, 20 for line")
    parser.add_argument("--model", default="bundled:en", help="direct: hf:FOLDER or bundled:en, the default")
    parser.add_argument("--direct", type=int, default=6, help="direct: how many to time directly; 0 for all")
    parser.add_argument("--rounds", type=int, default=3, help="direct: how often each search runs")
    parser.add_argument(
        "--threshold", type=float, default=1.0, help="direct: N_max of both searches, 1 as in the paper"
    )
    parser.add_argument("--ratio", type=float, default=0.5, help="line: share of the words to keep")
    options = parser.parse_args()
    return direct(options) if options.what == "direct" else line(options)


if __name__ == "__main__":
    sys.exit(main())
