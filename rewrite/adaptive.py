"""When to stop drawing: the rule behind `--n auto`.

Candidates are drawn in rounds. After each, the gain of the next round is estimated: a draw helps only if its text is
new, may be used, and beats the best so far. The share of new texts is estimated after Good and Turing (texts seen once,
of all draws); scores of usable texts are taken to be normally distributed, which gives the expected improvement
E[(X − best)⁺] = σ·(φ(z) − z·(1 − Φ(z))), z = (best − µ)/σ. Drawing stops where the whole next round promises less than
`TOLERANCE`. docs/engines.md tells how often that is wrong and what it saves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["ROUNDS", "TOLERANCE", "Scores", "expected_gain", "settled"]

# Draws of each round; their sum is the most that is drawn.
ROUNDS = (8, 4, 4, 4, 5, 5)
# In the logarithm of the score: 0.01 is one percent of it. The estimate is far above what comes true, for it adds up
# the gains of all draws and expects something of sources that have no usable candidate yet; chosen with that in view on
# 80 sources of RSSE dev (60–139) and a small model.
TOLERANCE = 0.04
# Fewer usable candidates say too little of how their scores are spread.
_FEWEST = 3
# The spread of log-scores where it cannot be estimated yet, and the least it is taken to be.
_SPREAD, _LEAST_SPREAD = 0.1, 0.01


@dataclass(frozen=True, slots=True)
class Scores:
    """What is known of one source's draws.

    `values` are the log-scores of the distinct texts that may be chosen, `floor` the log-score that a text must beat to
    be chosen instead of the source, `own` the source's. `drawn` counts all draws, `singles` the texts drawn just once,
    those that may not be chosen among them.
    """

    values: Sequence[float]
    floor: float
    own: float
    drawn: int
    singles: int

    @property
    def best(self) -> float:
        """The log-score of what would be chosen now."""
        top = max(self.values, default=-math.inf)
        return top if top > self.floor else self.own


def settled(scores: Scores, next_round: int) -> bool:
    """Whether `next_round` more draws would hardly change the score of the choice."""
    return expected_gain(scores, next_round) < TOLERANCE


def expected_gain(scores: Scores, draws: int) -> float:
    """By how much `draws` more are expected to raise the log-score of the choice, from above (gains are added up)."""
    if not scores.drawn:
        return math.inf
    new = min(1.0, (scores.singles + 1) / (scores.drawn + 1))
    # Of the next draw, with one usable and one useless draw imagined beforehand.
    usable = (len(scores.values) + 1) / (scores.drawn + 2)
    bar = max([scores.floor, *scores.values])
    return draws * new * usable * _improvement(scores.values, bar)


def _improvement(values: Sequence[float], bar: float) -> float:
    """E[(X − bar)⁺] for a normal X fitted to `values`."""
    if len(values) < _FEWEST:
        return _SPREAD
    mean = sum(values) / len(values)
    spread = max(_LEAST_SPREAD, math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1)))
    z = (bar - mean) / spread
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    return spread * (density - z * math.erfc(z / math.sqrt(2)) / 2)
