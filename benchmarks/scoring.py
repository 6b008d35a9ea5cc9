"""Scoring speed against a naive loop, measured in the same run, with the same values.

The naive loop makes one `natasha.Doc` per candidate, tags it with natasha's default batch size, and analyses the source
anew for each candidate, then computes every component. Ours: `score_tables`, with one process and with two. The pool
is made with a seed: references of RSSE dev sources and copies with words dropped.

    python -m benchmarks.scoring --data FOLDER [--sources 200] [--candidates 30] [--naive 20] [--repeats 3]

`--naive` sources are timed with the naive loop (all of them with 0); its values are compared one by one. The kinds take
turns, and each counts with its fastest turn, so that a busy machine does not decide. Bar: 2.5 × the naive loop. Exit
code 1 where it is missed or a value differs.
"""

from __future__ import annotations

import os

# Before numpy is imported: one thread per process, so that processes are what is compared.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from rerank.analysis import Analysis, Analyzer, Entity, Sentence, Token
from rerank.rank import Pair, score_table, score_tables
from rerank.registry import create_scorer
from rerank.scorer import Context, Scorer
from rerank.types import Candidate, ScoreTable
from rewrite.datasets import data_folder, load_rsse

COMPONENTS = (
    *("lexical", "depth", "length", "readability", "similarity", "entities"),
    *("structure", "brevity", "likelihood", "caution"),
)
BAR = 2.5


def make_pairs(folder: Path, sources: int, candidates: int, seed: int) -> list[Pair]:
    """The first sources of RSSE dev, each with its references and copies that lack 10 to 40 % of the words."""
    rng = random.Random(seed)
    pairs: list[Pair] = []
    for item in load_rsse(folder / "rsse" / "dev_sents.csv")[:sources]:
        words = item.source.split()
        texts = dict.fromkeys(item.references[:candidates])
        for _ in range(20 * candidates):
            share = rng.choice((0.1, 0.2, 0.3, 0.4))
            if len(texts) < candidates:
                texts[" ".join(word for word in words if rng.random() > share)] = None
        pairs.append((item.source, [Candidate(text) for text in texts]))
    return pairs


class NaiveAnalyzer(Analyzer):
    """What a straightforward program does: a `natasha.Doc` for every text, every time it is asked for."""

    def __init__(self) -> None:
        super().__init__(cache_size=0)
        from natasha.emb import NewsEmbedding
        from natasha.morph.tagger import NewsMorphTagger
        from natasha.ner import NewsNERTagger
        from natasha.segment import Segmenter
        from natasha.syntax import NewsSyntaxParser

        self._segmenter = Segmenter()
        embedding = NewsEmbedding()
        self._taggers = NewsMorphTagger(embedding), NewsSyntaxParser(embedding), NewsNERTagger(embedding)
        self._docs: dict[str, Analysis] = {}

    def doc(self, text: str) -> Analysis:
        from natasha.doc import Doc

        morph, syntax, ner = self._taggers
        doc: Any = Doc(text)
        doc.segment(self._segmenter)
        doc.tag_morph(morph)
        doc.parse_syntax(syntax)
        doc.tag_ner(ner)
        return _adapt(doc)

    def start(self, *texts: str) -> None:
        """Analyse anew; until the next call, the components share these, as one function computing all would."""
        self._docs = {text: self.doc(text) for text in texts}

    def analyze(self, texts: Sequence[str], layers: Iterable[str] = ()) -> list[Analysis]:
        return [self._docs[text] for text in texts]


def _adapt(doc: Any) -> Analysis:
    analysis = Analysis("")
    analysis.text = doc.text
    analysis.layers = {"morph", "syntax", "entities"}
    analysis.entities = tuple(Entity(s.start, s.stop, s.type, s.text) for s in doc.spans)
    analysis.sentences = [
        Sentence(s.start, s.stop, s.text, [_adapt_token(t) for t in s.tokens]) for s in doc.sents if s.tokens
    ]
    return analysis


def _adapt_token(source: Any) -> Token:
    token = Token(source.text, source.start, source.stop)
    token.pos, token.feats, token.rel = source.pos, source.feats, source.rel
    token.head = int(source.head_id.split("_")[1]) - 1
    return token


def naive_tables(pairs: Sequence[Pair], scorers: Sequence[Scorer], naive: NaiveAnalyzer) -> list[np.ndarray[Any, Any]]:
    """Values of each source's candidates, one candidate at a time."""
    context = Context(naive)
    tables = []
    for source, candidates in pairs:
        rows = []
        for candidate in candidates:
            naive.start(source, candidate.text)
            rows.append([scorer.score(source, [candidate], context)[0] for scorer in scorers])
        tables.append(np.array(rows))
    return tables


def compare(tables: Sequence[ScoreTable], naive: Sequence[np.ndarray[Any, Any]]) -> list[str]:
    """Every value that differs from the naive loop's; encoders that compute in float32 may differ by 1e-6."""
    wrong = []
    for table, expected in zip(tables, naive, strict=False):
        for i, j in np.argwhere(np.abs(table.values - expected) > 1e-6):
            text, name = table.candidates[i].text, table.components[j]
            wrong.append(f"{name} {table.values[i, j]!r}, naive {expected[i, j]!r}: {text!r}")
    return wrong


def main() -> int:
    options = _options()
    pairs = make_pairs(data_folder(options.data), options.sources, options.candidates, options.seed)
    scorers = [create_scorer(name) for name in COMPONENTS]
    warm, naive = Analyzer(), NaiveAnalyzer()
    # All models and lists are loaded before the clock starts: cold start has a benchmark of its own.
    naive_tables(pairs[-1:], scorers, naive)
    score_table(*pairs[-1], scorers, Context(warm))
    few = pairs[: options.naive or len(pairs)]
    kinds: dict[tuple[str, int], Callable[[Context], Any]] = {
        ("naive loop", 1): lambda _: naive_tables(few, scorers, naive)
    }
    for processes in (1, 2):
        kinds["tables", processes] = partial(score_tables, pairs, scorers, processes=processes)
    seconds: dict[tuple[str, int], list[float]] = {kind: [] for kind in kinds}
    results: dict[tuple[str, int], Any] = {}
    for _ in range(options.repeats):
        for kind, work in kinds.items():
            context = Context(_fresh(warm))
            start = time.perf_counter()
            results[kind] = work(context)
            seconds[kind].append(time.perf_counter() - start)
    counts = {kind: sum(len(pool) for _, pool in (few if kind[0] == "naive loop" else pairs)) for kind in kinds}
    rates = {kind: counts[kind] / min(seconds[kind]) for kind in kinds}
    wrong = mismatches(results)
    _print(rates, counts["tables", 1], wrong)
    base = rates["naive loop", 1]
    return 1 if wrong or max(rates["tables", 1], rates["tables", 2]) < BAR * base else 0


def mismatches(results: dict[tuple[str, int], Any]) -> list[str]:
    """Values that differ from the naive loop's."""
    naive = results["naive loop", 1]
    return [line for processes in (1, 2) for line in compare(results["tables", processes], naive)]


def _fresh(warm: Analyzer) -> Analyzer:
    """An analyser with the loaded taggers of `warm` and an empty cache."""
    fresh = Analyzer()
    vars(fresh).update({k: v for k, v in vars(warm).items() if k not in vars(fresh)})
    return fresh


def _print(rates: dict[tuple[str, int], float], texts: int, wrong: Sequence[str]) -> None:
    base = rates["naive loop", 1]
    table = Table("", "processes", "candidates/s", "ratio", title=f"{len(COMPONENTS)} components, {texts} candidates")
    for (name, processes), rate in rates.items():
        table.add_row(name, str(processes), f"{rate:.0f}", f"{rate / base:.1f}")
    Console().print(table)
    print(f"{len(wrong)} values differ")
    for line in wrong[:20]:
        print(line)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--sources", type=int, default=200)
    parser.add_argument("--candidates", type=int, default=30)
    parser.add_argument("--naive", type=int, default=20, help="sources for the naive loop, 0 for all")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
