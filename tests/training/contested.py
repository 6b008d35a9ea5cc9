"""Results with tables made up by a seed: ties, zeros, blocked candidates, empty pools, texts of several sentences."""

from __future__ import annotations

import numpy as np

from rerank.types import Candidate, ScoreTable
from rerank.weights import Weights
from rewrite.layout import Layout
from rewrite.request import Options
from rewrite.result import Result, SentenceResult, choose

__all__ = ["COMPONENTS", "made_up", "references"]

COMPONENTS = ("alpha", "beta", "gamma", "delta")
_WORDS = "дом сад лес река город поле дорога мост небо ветер".split()


def made_up(count: int, *, seed: int = 0, variant: str = "released") -> list[Result]:
    """`count` results; every fifth has two sentences, every seventh one that was passed through."""
    rng = np.random.default_rng(seed)
    options = Options(variant=variant, best=1)  # type: ignore[arg-type]
    weights = Weights(dict.fromkeys(COMPONENTS, 1.0))
    results = []
    for i in range(count):
        parts = [_sentence(rng, weights, options) for _ in range(2 if i % 5 == 4 else 1)]
        if i % 7 == 6:
            parts.append(SentenceResult(_text(rng, 3), skipped="fewer than 4 words"))
        layout = Layout(tuple(p.source for p in parts), ("", *[" "] * (len(parts) - 1), ""))
        results.append(Result(layout.join(layout.sentences), tuple(parts), layout, weights, options, "made up"))
    return results


def references(results: list[Result], *, seed: int = 0) -> list[list[str]]:
    """Two rewrites for each source: some of its words, and words of anything."""
    rng = np.random.default_rng(seed)
    kept = [" ".join(w for w in r.source.split() if rng.random() < 0.6) or "дом" for r in results]
    return [[text, f"{text} {_text(rng, 2)}"] for text in kept]


def _text(rng: np.random.Generator, words: int) -> str:
    return " ".join(rng.choice(_WORDS, words).tolist())


def _sentence(rng: np.random.Generator, weights: Weights, options: Options) -> SentenceResult:
    count = int(rng.integers(0, 9))
    # Few different values and few different texts, so that totals and even texts are often equal.
    values = rng.choice([0.0, 0.25, 0.5, 0.7, 0.9, 1.0], (count, len(COMPONENTS)), p=[0.05, 0.1, 0.2, 0.25, 0.2, 0.2])
    table = ScoreTable(
        source=_text(rng, int(rng.integers(5, 9))),
        candidates=tuple(Candidate(_text(rng, int(rng.integers(1, 5))), logprob=-float(j % 3)) for j in range(count)),
        components=COMPONENTS,
        values=values,
        source_values=rng.choice([0.5, 0.7, 0.9, 1.0], len(COMPONENTS)),
        blocked=tuple("a fact" if rng.random() < 0.2 else "" for _ in range(count)),
    )
    return SentenceResult(table.source, table=table, choices=choose(table, weights, options=options))
