"""Tables of component values, for many sources at once.

All distinct texts of a batch are analysed together, once, before any scorer runs.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from rerank.analysis import LAYERS
from rerank.errors import BadInput
from rerank.scorer import Context, Scorer, signature_in
from rerank.types import Candidate, FloatArray, ScoreTable
from rerank.workers import ordered_map

__all__ = [
    "CANDIDATES",
    "REFERENCES",
    "TEXTS_AT_ONCE",
    "Pair",
    "checked_score",
    "score_table",
    "score_tables",
    "signature",
    "spans",
]

Pair = tuple[str, Sequence[Candidate]]
"""A source and its candidates."""

# What a scorer may need beside the layers of analysis: references of the source; the whole pool of candidates at once.
REFERENCES, CANDIDATES = "references", "candidates"
TEXTS_AT_ONCE = 2_000
# What analysis rests on: the taggers' code, their models (in natasha's wheel), tokens, and the arithmetic.
_PACKAGES = ("natasha", "slovnet", "navec", "razdel", "numpy")
_OURS = "rewrite-rerank"
_SPAN = struct.Struct("<II")


def score_table(
    source: str, candidates: Sequence[Candidate], scorers: Sequence[Scorer], context: Context
) -> ScoreTable:
    """Values of all `scorers` for the candidates of one source, and for the source itself; see `score_tables`."""
    references = [context.references] if context.references else None
    return score_tables([(source, candidates)], scorers, context, references=references)[0]


def score_tables(
    pairs: Sequence[Pair],
    scorers: Sequence[Scorer],
    context: Context,
    *,
    references: Sequence[Sequence[str]] | None = None,
    processes: int = 1,
    settings: Mapping[str, object] | None = None,
) -> list[ScoreTable]:
    """One `ScoreTable` per (source, candidates), in order.

    `references` holds those of each source, where a scorer needs any. `settings` go into the signature. With
    `processes` > 1, forked workers share the loaded models and send back arrays only; where the system cannot fork,
    all is done in this process. Ctrl-C ends the workers and raises `KeyboardInterrupt` here.

    Raises `BadInput` for a need that cannot be met or references that do not fit, before any model is loaded.
    """
    _check_needs(scorers, len(pairs), references)
    width = len(scorers)

    def work(first: int, last: int) -> FloatArray:
        texts = [text for source, pool in pairs[first:last] for text in (source, *(c.text for c in pool))]
        context.analyzer.analyze(texts, _layers_of(scorers))
        own = [_with_references(context, references, i) for i in range(first, last)]
        blocks = [_block(*pair, scorers, c).ravel() for pair, c in zip(pairs[first:last], own, strict=True)]
        return np.concatenate(blocks)

    line = signature(scorers, settings=settings)
    names = tuple(scorer.name for scorer in scorers)
    sizes = [len(candidates) + 1 for _, candidates in pairs]
    limit = min(TEXTS_AT_ONCE, context.analyzer.cache_size)
    tables = []
    for first, last, flat in map_spans(work, sizes, limit=limit, processes=processes):
        rows = flat.reshape(-1, width)
        blocks = np.split(rows, np.cumsum(sizes[first:last])[:-1])
        for (source, pool), block in zip(pairs[first:last], blocks, strict=True):
            values, own = block[:-1].copy(), block[-1].copy()
            tables.append(ScoreTable(source, tuple(pool), names, values, own, signature=line))
    return tables


def _with_references(context: Context, references: Sequence[Sequence[str]] | None, i: int) -> Context:
    return context if references is None else dataclasses.replace(context, references=tuple(references[i]))


def _block(source: str, candidates: Sequence[Candidate], scorers: Sequence[Scorer], context: Context) -> FloatArray:
    """Values of the candidates, shape `[n + 1, k]`, with the source's own in the last row."""
    own = _own_row(source, candidates)
    block = np.empty((len(candidates) + 1, len(scorers)))
    for j, scorer in enumerate(scorers):
        block[:-1, j] = _pool_score(scorer, source, candidates, context)
        block[-1, j] = _source_score(scorer, source, candidates, context) if own is None else block[own, j]
    return block


def _pool_score(scorer: Scorer, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
    """Values of all candidates; a scorer that must see the whole pool finds the source in it, which stays an option."""
    if CANDIDATES not in scorer.needs or _own_row(source, candidates) is not None:
        return checked_score(scorer, source, candidates, context)
    return checked_score(scorer, source, [*candidates, Candidate(source)], context)[:-1]


def _source_score(scorer: Scorer, source: str, candidates: Sequence[Candidate], context: Context) -> float:
    """The source as a candidate of itself; among its `candidates` where the scorer must see them all."""
    pool = [*candidates, Candidate(source)] if CANDIDATES in scorer.needs else [Candidate(source)]
    return float(checked_score(scorer, source, pool, context)[-1])


def _own_row(source: str, candidates: Sequence[Candidate]) -> int | None:
    """Where the source stands among its own candidates, if it does; its values are then those of that row."""
    return next((i for i, candidate in enumerate(candidates) if candidate.text == source), None)


def checked_score(scorer: Scorer, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
    """The scorer's values; `ValueError` naming it unless they are one finite number in its range per candidate."""
    values = scorer.score(source, candidates, context)
    low, high = scorer.range
    if values.shape != (len(candidates),) or not ((values >= low) & (values <= high)).all():
        raise ValueError(
            f"scorer {scorer.name!r} gave {values!r} for {len(candidates)} candidates, expected [{low}, {high}]"
        )
    return values


def _check_needs(scorers: Sequence[Scorer], sources: int, references: Sequence[Sequence[str]] | None) -> None:
    """`BadInput` for no scorer at all, two of one name, an unknown need, references that are missing or do not fit."""
    names = [scorer.name for scorer in scorers]
    if not names:
        raise BadInput("There is nothing to score with.", hint="Give at least one scorer.")
    if references is not None and len(references) != sources:
        raise BadInput(f"{len(references)} lists of references for {sources} sources.", hint="Give one for each.")
    known = (*LAYERS, REFERENCES, CANDIDATES)
    for scorer in scorers:
        if names.count(scorer.name) > 1:
            raise BadInput(f"Scorer {scorer.name!r} is given twice.", hint="Give each scorer once.")
        for need in sorted(scorer.needs.difference(known)):
            raise BadInput(f"Scorer {scorer.name!r} needs {need!r}.", hint=f"Known needs: {', '.join(known)}.")
        if REFERENCES in scorer.needs and sources and not (references and all(references)):
            raise BadInput(f"Scorer {scorer.name!r} needs references.", hint="Give at least one for each source.")


def _layers_of(scorers: Sequence[Scorer]) -> tuple[str, ...]:
    """Layers of analysis that any of `scorers` needs, in the order of `LAYERS`."""
    return tuple(layer for layer in LAYERS if any(layer in scorer.needs for scorer in scorers))


@lru_cache(maxsize=32)
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def signature(scorers: Iterable[Scorer], *, settings: Mapping[str, object] | None = None, language: str = "ru") -> str:
    """Our version, each scorer's own signature, sorted settings and the versions of the packages beneath, joined by |.

    For example `rewrite-rerank:0.1.0|length:released|likelihood:per-token|natasha:1.6.0|…`. `settings` is whatever
    else changed the values, such as the seed or the generator; `language` is that of the texts.
    """
    parts = [f"{_OURS}:{_version(_OURS)}"]
    parts += [signature_in(scorer, language) for scorer in scorers]
    parts += [f"{name}:{value}" for name, value in sorted((settings or {}).items())]
    parts += [f"{package}:{_version(package)}" for package in _PACKAGES]
    return "|".join(" ".join(part.split()) for part in parts)


def spans(sizes: Sequence[int], limit: int, *, first: int = 0) -> Iterator[tuple[int, int]]:
    """Consecutive runs [a, b) of items from `first` on, each of at most `limit` in all, or one larger item alone."""
    start, total = first, 0
    for i in range(first, len(sizes)):
        if i > start and total + sizes[i] > limit:
            yield start, i
            start, total = i, 0
        total += sizes[i]
    if start < len(sizes):
        yield start, len(sizes)


def map_spans(
    work: Callable[[int, int], FloatArray],
    sizes: Sequence[int],
    *,
    limit: int,
    processes: int = 1,
    per_process: int = 6,
) -> Iterator[tuple[int, int, FloatArray]]:
    """(a, b, work(a, b)) for runs of items that together hold `limit` at most; results are arrays of one dimension.

    With `processes` > 1 runs are cut so that each process gets about `per_process` of them.
    """
    if processes <= 1 or len(sizes) < 2:
        for a, b in spans(sizes, limit):
            yield a, b, work(a, b)
        return
    # The first item is done here, so that whatever is loaded lazily is loaded once, before the fork.
    yield 0, 1, work(0, 1)
    limit = min(limit, 1 + sum(sizes) // (processes * per_process))
    runs = list(spans(sizes, limit, first=1))
    answers = ordered_map(
        lambda data: work(*_SPAN.unpack(data)).tobytes(), (_SPAN.pack(*run) for run in runs), processes
    )
    for (a, b), answer in zip(runs, answers, strict=True):
        yield a, b, np.frombuffer(answer, dtype=np.float64)
