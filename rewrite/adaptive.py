"""When to stop drawing: the rule behind `--n auto`.

Candidates are drawn in rounds, and drawing stops once the next round is unlikely to change the winner. The share of
draws that bring a usable text not seen before is estimated after Good and Turing: usable texts seen just once, of all
draws. If each of the k usable texts so far and of the m new ones is equally likely to be the best, it is a new one with
the probability m / (k + m). That leaves out that a text must also beat the source to change anything, so it is too
high; docs/engines.md tells by how much, what the rule saves and how often it is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ROUNDS", "TOLERANCE", "Draws", "change_probability", "settled"]

# Draws of each round; their sum is the most that is drawn.
ROUNDS = (8, 4, 4, 4, 5, 5)
# One in four by the formula; chosen on 80 sources of RSSE dev (60–139) and a small model, so that about half of the
# draws are saved.
TOLERANCE = 0.25


@dataclass(frozen=True, slots=True)
class Draws:
    """What is known of one source's draws: how many were made, how many distinct texts that may be chosen they brought
    (`usable`), and how many of these were drawn just once (`singles`)."""

    drawn: int
    usable: int
    singles: int


def settled(draws: Draws, next_round: int) -> bool:
    """Whether `next_round` more draws are unlikely to change the winner."""
    return change_probability(draws, next_round) < TOLERANCE


def change_probability(draws: Draws, next_round: int) -> float:
    """The probability that `next_round` more draws bring a text better than all so far; 1 before the first draw.

    m / (k + m), with k usable texts so far and m = next_round · (s + 1) / (N + 1) new ones to come, s of the k having
    been seen once in N draws. With nothing usable so far k is taken to be 1, or a source that has only bad texts would
    be drawn for to the end.
    """
    if not draws.drawn:
        return 1.0
    new = next_round * min(1.0, (draws.singles + 1) / (draws.drawn + 1))
    return new / (max(1, draws.usable) + new)
