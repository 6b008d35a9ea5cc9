"""When to stop drawing: the rule behind `--n auto`.

Candidates are drawn in rounds, and drawing stops once the next round is unlikely to change the winner. Two facts make
that probability, whatever the scores are. The share of draws that bring a usable text not seen before is estimated
after Good and Turing: usable texts seen just once, of all draws. And if each of the k usable texts so far and of the m
new ones is equally likely to be the best, it is a new one with the probability m / (k + m). docs/engines.md tells what
the rule saves and how often it is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["ROUNDS", "TOLERANCE", "Scores", "change_probability", "settled"]

# Draws of each round; their sum is the most that is drawn.
ROUNDS = (8, 4, 4, 4, 5, 5)
# One in four; chosen on 80 sources of RSSE dev (60–139) and a small model, so that about half of the draws are saved.
TOLERANCE = 0.25


@dataclass(frozen=True, slots=True)
class Scores:
    """What is known of one source's draws.

    `values` are the log-scores of the distinct texts that may be chosen, `floor` the log-score that a text must beat to
    be chosen instead of the source, `own` the source's. `drawn` counts all draws, `singles` the texts among those of
    `values` that were drawn just once.
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
    """Whether `next_round` more draws are unlikely to change the winner."""
    return change_probability(scores, next_round) < TOLERANCE


def change_probability(scores: Scores, draws: int) -> float:
    """The probability that `draws` more bring a text better than all so far; 1 before the first draw.

    m / (k + m), with k usable texts so far and m = draws · (s + 1) / (N + 1) new ones to come, s of the k having been
    seen once in N draws. With nothing usable so far k is taken to be 1, or a source that has only bad texts would be
    drawn for to the end.
    """
    if not scores.drawn:
        return 1.0
    new = draws * min(1.0, (scores.singles + 1) / (scores.drawn + 1))
    return new / (max(1, len(scores.values)) + new)
