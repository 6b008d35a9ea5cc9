"""Compression by NDD against the direct algorithm: the same search with the same outputs, and what it costs.

The direct algorithm asks the model about every word of a text and of what is left of it, anew for every span, one span
at a time, and a model of Hugging Face as it comes, with its output layer at every position. Ours computes a text's own
distributions once, gives the rows of all spans of all sentences to the model together, asks the output layer about
masked words alone, and stops adding up a distance as soon as it settles the span. Fast NDD is measured against that
same direct full search.

    python -m benchmarks.ndd --data FOLDER [--model SPEC] [--sentences 50] [--direct 6] [--rounds 3]

`--model` is what `--masked-model` takes. N_max is the paper's 1, unless `--threshold` says otherwise: the lower, the
more spans are settled by a part of their sum. Without a model a BERT of 4 layers × 256 with random weights is made,
whose distances mean nothing: they are as large far from a cut as beside it, so that partial sums settle little; there
N_max is a quantile of the first round's distances.

`--direct` sentences, spread over all, are timed by the direct algorithm and their outputs compared (all of them with
0); the time for the others follows from the rows it would need and the words in them. "× direct" is against the full
search done directly, whatever the search; "× own direct" against the same distance done directly. Seconds are those
of the processor, on one core: on a machine that others use, the clock on the wall counts their work too. There are
`--rounds`, in each of which both searches run on all sentences and the direct algorithm on its share, and ours counts
with the median. "Bare" is the share of our time that our rows take in the model alone, sorted by length. Bars: full
≥ 20 ×, fast ≥ 60 ×, both with at least 70 % of their time bare. Exit code 1 where one is missed or an output differs.
"""

from __future__ import annotations

import os

# Before numpy is imported: one thread, so that a busy machine does not decide.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from rerank.masked.base import LogProbs, MaskedModel, Row
from rerank.masked.hf import HFMaskedModel
from rerank.masked.registry import create_masked_model
from rerank.ndd.distance import Ndd
from rerank.types import FloatArray
from rewrite.compression.deleter import Deleter
from rewrite.compression.objectives import NddObjective, words_of
from rewrite.compression.options import Method, compress_options
from rewrite.compression.stages import stages
from rewrite.datasets import data_folder
from rewrite.generators.deletion import Objective, Trial

BARS: dict[Method, float] = {"ndd": 20.0, "fast-ndd": 60.0}
BARE = 0.7
_CHUNK = 256
_N_MAX = 1.0
# Of spans in the first round, where weights are random.
_QUANTILE = 0.03
_LENGTHS = range(20, 51)


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
        self.rows: dict[str, int] = {}
        self.words: dict[str, int] = {}

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
                    self.rows[trial.source] = self.rows.get(trial.source, 0) + 2 * asked
                    words = asked * (2 * size - len(trial.removed[0]) - len(removed))
                    self.words[trial.source] = self.words.get(trial.source, 0) + words
        return self._inner(trials)


@dataclass(frozen=True)
class Run:
    """One way to compress the sentences, once: how long it took, and how long its rows take in the model alone."""

    seconds: float
    rows: int
    bare: float
    texts: list[str]


def deleter(model: MaskedModel, method: Method, threshold: float) -> Deleter:
    options = compress_options(method=method, threshold=threshold, syntax=False, overlap="lower")
    found = stages("en", syntax=False, exact=True, names=False, longest=options.longest, analyzer=None)
    return Deleter(options, model, found, language="en")


def objective_of(one: Deleter) -> NddObjective:
    found = one._objective
    assert isinstance(found, NddObjective)
    return found


def set_objective(one: Deleter, objective: Objective) -> None:
    for _, (_, search) in one._searches:
        search._objective = objective


class Everything:
    """The distances of all spans of the first round."""

    def __init__(self, inner: Objective) -> None:
        self._inner = inner
        self.values: list[float] = []

    def __call__(self, trials: Sequence[Trial]) -> list[FloatArray]:
        exact = [Trial(t.source, t.texts, t.removed, t.analysis, memory=t.memory) for t in trials]
        found = self._inner(exact)
        self.values += [-value for row in found for value in row[1:].tolist()]
        return [np.full(len(row), -np.inf) for row in found]


def plain(model: MaskedModel) -> MaskedModel:
    """The model as one would call it: of Hugging Face, with its output layer at every position of a row."""
    if not isinstance(model, HFMaskedModel):
        return model
    whole = HFMaskedModel(model.target)
    whole.__dict__["_sparse"] = False
    return whole


def threshold_of(model: MaskedModel, method: Method, sentences: Sequence[str], quantile: float) -> float:
    one = deleter(model, method, 1.0)
    everything = Everything(objective_of(one))
    set_objective(one, everything)
    one.run(sentences)
    return float(np.quantile(everything.values, quantile))


def ours(model: MaskedModel, method: Method, sentences: Sequence[str], threshold: float) -> tuple[Run, Counted]:
    recording = Recording(model)
    one = deleter(recording, method, threshold)  # type: ignore[arg-type]  # it hands all else on by __getattr__
    counted = Counted(objective_of(one), beside=method == "fast-ndd")
    set_objective(one, counted)
    began = time.process_time()
    texts = [found.text for found in one.run(sentences)]
    seconds = time.process_time() - began
    rows = sorted(recording.rows, key=lambda row: len(row.tokens))
    began = time.process_time()
    for start in range(0, len(rows), _CHUNK):
        model.predict(rows[start : start + _CHUNK])
    bare = time.process_time() - began
    return Run(seconds, len(rows), bare, texts), counted


def direct(model: MaskedModel, method: Method, sentences: Sequence[str], threshold: float) -> tuple[float, list[str]]:
    one = deleter(model, method, threshold)
    set_objective(one, Direct(objective_of(one).ndd))
    began = time.process_time()
    texts = [found.text for found in one.run(sentences)]
    return time.process_time() - began, texts


def read_sentences(folder: Path, count: int) -> list[str]:
    """The first sentences of the broadcast set that are of ordinary length."""
    found = []
    for line in (folder / "sentcomp" / "broadcast.jsonl").read_text(encoding="utf-8").splitlines():
        text = json.loads(line)["text"]
        if len(text.split()) in _LENGTHS and text not in found:
            found.append(text)
    return found[:count]


def random_bert(sentences: Sequence[str], folder: Path) -> str:
    """A BERT of 4 layers × 256 with random weights and a WordPiece vocabulary of the sentences."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

    marks = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    raw = Tokenizer(models.WordPiece(unk_token=marks["unk"]))
    raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=16_000, special_tokens=list(marks.values()))
    raw.train_from_iterator(sentences, trainer)
    raw.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(mark, raw.token_to_id(mark)) for mark in ("[CLS]", "[SEP]")]
    )
    names = {f"{name}_token": mark for name, mark in marks.items()}
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=raw, **names)
    torch.manual_seed(1)
    sizes = {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 1024}
    # As large a head as a model in use has, and weights so wide that context matters.
    config = transformers.BertConfig(vocab_size=16_000, initializer_range=0.1, **sizes)
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return f"hf:{folder}"


def main() -> int:
    options = _options()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # the models count the cores they may use
    sentences = read_sentences(data_folder(options.data), options.sentences)
    with tempfile.TemporaryDirectory() as folder:
        model = create_masked_model(options.model or random_bert(sentences, Path(folder)))
        ours(model, "fast-ndd", sentences[:2], 0.1)  # loads the model before the clock starts
        return _report(_measure(model, sentences, options), sentences)


class Search:
    """What is measured of a search: its runs, the rows that the direct one would need, and what that took."""

    def __init__(self, method: Method, threshold: float) -> None:
        self.method = method
        self.threshold = threshold
        self.runs: list[Run] = []
        self.needed: Counted | None = None
        self.direct_seconds = 0.0
        self.direct_texts: dict[str, str] = {}

    def take_turn(self, model: MaskedModel, sentences: Sequence[str]) -> None:
        run, self.needed = ours(model, self.method, sentences, self.threshold)
        self.runs.append(run)

    def take_direct_turn(self, model: MaskedModel, sentences: Sequence[str]) -> None:
        took, found = direct(model, self.method, sentences, self.threshold)
        self.direct_seconds += took
        self.direct_texts |= dict(zip(sentences, found, strict=True))

    @property
    def seconds(self) -> float:
        return float(np.median([run.seconds for run in self.runs]))

    @property
    def bare(self) -> float:
        return float(np.median([run.bare / run.seconds for run in self.runs]))

    @property
    def whole_direct(self) -> float:
        """Seconds of the direct algorithm for all sentences, by the words in the rows that it needs for them and for
        those it did.
        """
        assert self.needed is not None
        done = sum(self.needed.words.get(text, 0) for text in self.direct_texts)
        return self.direct_seconds * sum(self.needed.words.values()) / done

    @property
    def direct_rows(self) -> int:
        assert self.needed is not None
        return sum(self.needed.rows.values())

    def differing(self, sentences: Sequence[str]) -> int:
        pairs = zip(sentences, self.runs[0].texts, strict=True)
        return sum(int(self.direct_texts.get(source, text) != text) for source, text in pairs)


def _measure(model: MaskedModel, sentences: Sequence[str], options: argparse.Namespace) -> list[Search]:
    timed = len(sentences) if options.direct == 0 else min(options.direct, len(sentences))
    directly = sentences[:: len(sentences) // timed][:timed]
    searches = [Search(method, _threshold(model, method, directly, options)) for method in BARS]
    whole = plain(model)
    ours(whole, "fast-ndd", sentences[:1], searches[1].threshold)  # loads it
    for turn in range(options.rounds):
        share = directly[turn :: options.rounds]
        for search in searches:
            search.take_turn(model, sentences)
        for search in searches:
            search.take_direct_turn(whole, share)
        told = ", ".join(f"{search.method} {search.runs[-1].seconds:.1f} s" for search in searches)
        print(f"round {turn + 1}: {told}; {len(share)} sentences directly", file=sys.stderr)
    return searches


def _threshold(model: MaskedModel, method: Method, sample: Sequence[str], options: argparse.Namespace) -> float:
    if options.threshold is not None:
        return float(options.threshold)
    return _N_MAX if options.model else threshold_of(model, method, sample, _QUANTILE)


def _report(searches: Sequence[Search], sentences: Sequence[str]) -> int:
    full = searches[0].whole_direct
    timed = len(searches[0].direct_texts)
    table = Table(title=f"Compressing {len(sentences)} sentences, {timed} of them directly")
    columns = (
        "search",
        "N_max",
        "seconds",
        "× direct",
        "bar",
        "× own direct",
        "rows",
        "direct rows",
        "bare",
        "words kept",
    )
    for column in columns:
        table.add_column(column, justify="left" if column == "search" else "right")
    missed = False
    for search in searches:
        speed, differing = full / search.seconds, search.differing(sentences)
        missed |= speed < BARS[search.method] or search.bare < BARE or differing > 0
        table.add_row(
            search.method,
            f"{search.threshold:.2f}",
            f"{search.seconds:.2f}",
            f"{speed:.1f}",
            f"{BARS[search.method]:g}",
            f"{search.whole_direct / search.seconds:.1f}",
            f"{search.runs[0].rows:,}",
            f"{search.direct_rows:,}",
            f"{search.bare:.2f}",
            f"{sum(len(text.split()) for text in search.runs[0].texts):,}",
        )
    Console().print(table)
    for search in searches:
        print(
            f"{search.differing(sentences)} of {timed} outputs of {search.method} differ from its direct algorithm's."
        )
    return int(missed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=None, help="folder of the data sets [REWRITE_DATA]")
    parser.add_argument("--model", default=None, help="hf:FOLDER or bundled:en; without it random weights")
    parser.add_argument("--sentences", type=int, default=50)
    parser.add_argument("--direct", type=int, default=6, help="how many to time directly; 0 for all")
    parser.add_argument("--rounds", type=int, default=3, help="how often each search runs")
    parser.add_argument("--threshold", type=float, default=None, help="N_max of both searches")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
