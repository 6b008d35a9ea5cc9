"""Tables of component values, for many sources at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from rerank.analysis import LAYERS
from rerank.errors import BadInput
from rerank.scorer import Context, Scorer, signature_in
from rerank.types import Candidate, FloatArray, ScoreTable

Pair = tuple[str, Sequence[Candidate]]
"""A source and its candidates."""

# What a scorer may need beside the layers of analysis: the whole pool of candidates at once.
CANDIDATES = "candidates"
TEXTS_AT_ONCE = 2_000
# What analysis rests on: the taggers' code, their models (in natasha's wheel), tokens, and the arithmetic.
_PACKAGES = ("natasha", "slovnet", "navec", "razdel", "numpy")
_OURS = "rewrite-rerank"


def score_tables(pairs: Sequence[Pair], scorers: Sequence[Scorer], context: Context) -> list[ScoreTable]:
    """One `ScoreTable` per (source, candidates), in order: values of all `scorers`, and those of the source itself.

    What the analyser knows of the texts already is not analysed again. Raises `BadInput` for a need that cannot be met.
    """
    _check_needs(scorers)
    names = tuple(scorer.name for scorer in scorers)
    tables = []
    for source, candidates in pairs:
        block = _block(source, candidates, scorers, context)
        tables.append(ScoreTable(source, tuple(candidates), names, block[:-1].copy(), block[-1].copy()))
    return tables


def _block(source: str, candidates: Sequence[Candidate], scorers: Sequence[Scorer], context: Context) -> FloatArray:
    """Values of the candidates, shape `[n + 1, k]`, with the source's own in the last row."""
    own_row = _own_row(source, candidates)
    block = np.empty((len(candidates) + 1, len(scorers)))
    for j, scorer in enumerate(scorers):
        block[:-1, j] = _pool_score(scorer, source, candidates, context)
        block[-1, j] = _source_score(scorer, source, candidates, context) if own_row is None else block[own_row, j]
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


def _check_needs(scorers: Sequence[Scorer]) -> None:
    """`BadInput` for no scorer at all, two of one name, or an unknown need."""
    names = [scorer.name for scorer in scorers]
    if not names:
        raise BadInput("There is nothing to score with.", hint="Give at least one scorer.")
    known = (*LAYERS, CANDIDATES)
    for scorer in scorers:
        if names.count(scorer.name) > 1:
            raise BadInput(f"Scorer {scorer.name!r} is given twice.", hint="Give each scorer once.")
        for need in sorted(scorer.needs.difference(known)):
            raise BadInput(f"Scorer {scorer.name!r} needs {need!r}.", hint=f"Known needs: {', '.join(known)}.")


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


def spans(sizes: Sequence[int], limit: int) -> Iterator[tuple[int, int]]:
    """Consecutive runs [a, b) of items, each of at most `limit` in all, or one larger item alone."""
    start, total = 0, 0
    for i, size in enumerate(sizes):
        if i > start and total + size > limit:
            yield start, i
            start, total = i, 0
        total += size
    if start < len(sizes):
        yield start, len(sizes)
