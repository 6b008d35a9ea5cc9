"""The splits that a network finds likely for a sentence, the likeliest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from rewrite.splitting.grammar import Beginning
from rewrite.splitting.network import Floats, Heads, Reading
from rewrite.splitting.openers import phrase_slot
from rewrite.splitting.split import Split
from rewrite.splitting.words import PERSONAL

__all__ = ["proposals"]

# What is looked at: the likeliest cuts, of each the likeliest numbers of dropped words, openers, nouns said again.
_CUTS = 12
_DROPS = 2
_OPENERS = 8
_NOUNS = 2
_OFFERED = -0.7
"""Nats (one half) for what rules and grammar offer: as good as the network's own where that halves its openers."""


def proposals(
    heads: Heads,
    reading: Reading,
    openers: Sequence[tuple[str, ...]],
    also: Sequence[Split] = (),
    begin: Callable[[int, int], Iterable[Beginning]] = lambda start, stop: (),
) -> tuple[list[Split], float]:
    """Splits by falling log-probability, and the log-probability of no split, both in nats.

    `begin` tells for a cut how else its part may begin. Such a beginning has the probability of the cut, times that of
    all openers that begin with the same subject, times a constant.
    `also` are splits whose opener no network need say: theirs is the probability of the cut, times a constant.
    """
    scores, whole = heads.cuts(reading)
    found: list[Split] = []
    for cell in np.argsort(-scores, axis=None)[:_CUTS]:
        start, stop = (int(place) for place in np.unravel_index(cell, scores.shape))
        if np.isfinite(scores[start, stop]):
            found += _at(heads, reading, openers, start, stop, float(scores[start, stop]))
            found += _by_grammar(heads, reading, openers, start, stop, float(scores[start, stop]), begin(start, stop))
    for one in also:
        logprob = float(scores[one.start : one.kept + 1, one.stop].max()) + _OFFERED
        if np.isfinite(logprob):
            found.append(replace(one, logprob=logprob))
    return sorted(found, key=lambda one: -one.logprob), whole


def _at(
    heads: Heads, reading: Reading, openers: Sequence[tuple[str, ...]], start: int, stop: int, logprob: float
) -> Iterator[Split]:
    dropped = heads.dropped(reading, start)
    for count in map(int, np.argsort(-dropped)[:_DROPS]):
        kept = start + count
        if kept > stop - 2:
            continue
        beginnings, nouns = heads.openers(reading, start, kept, stop)
        for number in map(int, np.argsort(-beginnings)[:_OPENERS]):
            opener = openers[number]
            total = logprob + float(dropped[count] + beginnings[number])
            if not phrase_slot(opener):
                yield Split(start, stop, count, opener, -1, total)
                continue
            for noun in map(int, np.argsort(-nouns)[:_NOUNS]):
                if reading.nouns[noun]:
                    yield Split(start, stop, count, opener, noun, total + float(nouns[noun]))


def _by_grammar(
    heads: Heads,
    reading: Reading,
    openers: Sequence[tuple[str, ...]],
    start: int,
    stop: int,
    logprob: float,
    beginnings: Iterable[Beginning],
) -> Iterator[Split]:
    said: dict[int, dict[str, float]] = {}
    ways = list(beginnings)
    # Where grammar knows the pronoun, it is as probable as any.
    sure = len({_subject(one.opener) for one in ways} & PERSONAL) == 1
    for one in ways:
        kept = start + one.dropped
        if kept not in said:
            said[kept] = _subjects(openers, heads.openers(reading, start, kept, stop)[0])
        alike = PERSONAL if sure and _subject(one.opener) in PERSONAL else {_subject(one.opener)}
        total = logprob + _logsum(said[kept][key] for key in alike if key in said[kept]) + _OFFERED
        if np.isfinite(total):
            yield Split(start, stop, one.dropped, one.opener, one.antecedent, total)


def _subjects(openers: Sequence[tuple[str, ...]], logprobs: Floats) -> dict[str, float]:
    """Log-probabilities of what openers begin with; all phrases of the source are one."""
    found: dict[str, float] = {}
    for opener, logprob in zip(openers, logprobs, strict=True):
        subject = _subject(opener)
        found[subject] = _logsum((found.get(subject, -np.inf), float(logprob)))
    return found


def _logsum(logprobs: Iterable[float]) -> float:
    return float(np.logaddexp.reduce([-np.inf, *logprobs]))


def _subject(opener: Sequence[str]) -> str:
    return "<>" if phrase_slot(opener) else next(iter(opener), "")
