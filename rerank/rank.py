"""Tables of component values, for many sources at once.

All distinct texts of a batch are analysed together, once, before any scorer runs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from rerank.analysis import LAYERS
from rerank.chunks import map_spans
from rerank.errors import BadInput
from rerank.scorer import Context, Scorer
from rerank.signature import signature
from rerank.types import Candidate, FloatArray, ScoreTable

__all__ = [
    "CANDIDATES",
    "REFERENCES",
    "TEXTS_AT_ONCE",
    "Pair",
    "checked_score",
    "score_table",
    "score_tables",
]

Pair = tuple[str, Sequence[Candidate]]
"""A source and its candidates."""

# What a scorer may need beside the layers of analysis: references of the source; the whole pool of candidates at once.
REFERENCES, CANDIDATES = "references", "candidates"
TEXTS_AT_ONCE = 2_000


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
