"""The splits that a network finds likely for a sentence, the likeliest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from rewrite.splitting.connectives import Connected
from rewrite.splitting.grammar import Beginning
from rewrite.splitting.network import Heads, Reading
from rewrite.splitting.openers import phrase_slot
from rewrite.splitting.split import Split

__all__ = ["proposals"]

_CUTS = 12
_OPENERS = 8
_NOUNS = 2
_DROPS = 2
_BY_RULE = -0.7
_BY_GRAMMAR = (-1.0, -1.5)


def proposals(
    heads: Heads,
    reading: Reading,
    openers: Sequence[tuple[str, ...]],
    also: Sequence[Connected] = (),
    begin: Callable[[int, int], Iterable[Beginning]] = lambda start, stop: (),
) -> tuple[list[Split], float]:
    """Splits by falling log-probability, and the log-probability of no split, both in nats.

    `begin` tells for a cut how else its part may begin; the best such beginning is as probable as e⁻¹ of the cut.
    `also` are splits whose opener no network need say: theirs is the probability of the cut, times a constant.
    """
    scores, whole = heads.cuts(reading)
    found: list[Split] = []
    for cell in np.argsort(-scores, axis=None)[:_CUTS]:
        start, stop = (int(place) for place in np.unravel_index(cell, scores.shape))
        if np.isfinite(scores[start, stop]):
            found += _at(heads, reading, openers, start, stop, float(scores[start, stop]))
            found += (
                Split(start, stop, one.dropped, one.opener, one.antecedent, float(scores[start, stop]) + told)
                for one, told in zip(begin(start, stop), _BY_GRAMMAR, strict=False)
            )
    for one in also:
        logprob = float(scores[one.start : one.start + one.dropped + 1, reading.end].max()) + _BY_RULE
        if np.isfinite(logprob):
            found.append(
                Split(
                    one.start,
                    reading.end,
                    one.dropped,
                    one.opener,
                    one.antecedent,
                    logprob,
                    lead=one.lead,
                    gone=one.gone,
                )
            )
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
