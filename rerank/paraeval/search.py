"""The best set of links of which no two share a word: tier 1 of ParaEval (section 5.2).

The paper goes through the sentences of the reference and keeps, for every set of the peer's phrases that may be taken,
the best that was reached. Here the stages are the words at which links begin. A state is how far the reference is taken
and which words of the peer are; words that no later link can take are forgotten, and blocks of the peer that can be
exchanged for one another count as one. Groups of links that share no word are solved apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from rerank.paraeval.components import connected, find_blocks
from rerank.paraeval.types import Link

__all__ = ["STEPS", "Choice", "choose"]

STEPS = 300_000
"""Steps that a search may take for one group of links; up to it the result is optimal whatever the links are."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The links that were chosen, in reading order of the reference; what they are worth together; and whether nothing
    worth more exists for certain.
    """

    links: tuple[Link, ...]
    value: int
    optimal: bool


class _State(NamedTuple):
    # What was reached: compared first by worth, then by fewer words of the peer, then by probability.
    worth: tuple[int, int, float]
    until: int
    mask: int
    chosen: tuple[int, ...]


def choose(links: Sequence[Link], values: Sequence[int] | None = None, *, steps: int = STEPS) -> Choice:
    """The links worth most of which no two share a word of either text.

    `values` are what each is worth (≥ 0), by default its words in the reference. Among equals those count that take
    fewer words of the peer, for these may still match otherwise, then those that are likelier. Where a group of links
    is so large that it could take more than `steps` steps, only the states that have reached most are pursued; what
    comes out may then be worth less than the best, and `optimal` says whether it reaches an upper bound all the same.
    """
    worth = [link.words for link in links] if values is None else values
    useful = [(link, value) for link, value in zip(links, worth, strict=True) if value > 0]
    chosen: list[Link] = []
    total, optimal = 0, True
    for numbers in connected([link for link, _ in useful]):
        group = [useful[number] for number in numbers]
        found = _solve(group, steps) if len(group) > 1 else Choice((group[0][0],), group[0][1], True)
        chosen += found.links
        total += found.value
        optimal &= found.optimal
    return Choice(tuple(sorted(chosen)), total, optimal)


def _solve(group: list[tuple[Link, int]], steps: int) -> Choice:
    search = _Search(group)
    width = max(1, steps // len(group))
    states = [_State((0, 0, 0.0), 0, 0, ())]
    whole = True
    for stage in search.stages:
        states = search.after(stage, states)
        if len(states) > width:
            whole = False
            states = sorted(states, key=lambda state: state.worth, reverse=True)[:width]
    best = max(states, key=lambda state: state.worth)
    value = best.worth[0]
    return Choice(tuple(group[number][0] for number in best.chosen), value, whole or value == _bound(group))


class _Search:
    """One group of links, its stages being the words of the reference at which links begin."""

    def __init__(self, group: Sequence[tuple[Link, int]]) -> None:
        self._group = group
        self._blocks = find_blocks(group)
        self._masks = [((1 << link.peer_words) - 1) << link.peer_start for link, _ in group]
        self._starting: dict[int, list[int]] = defaultdict(list)
        for number, (link, _) in enumerate(group):
            self._starting[link.start].append(number)
        self.stages = sorted(self._starting)
        # Words of the peer that links after each stage may take.
        self._ahead, later = {}, 0
        for stage in reversed(self.stages):
            self._ahead[stage] = later
            for number in self._starting[stage]:
                later |= self._masks[number]

    def after(self, stage: int, states: Iterable[_State]) -> list[_State]:
        """All that may be reached by taking one of the links that begin at `stage`, or none: the best of each kind."""
        following: dict[tuple[int, object], _State] = {}
        for state in states:
            self._keep(following, state, stage)
            if state.until <= stage:
                for number in self._starting[stage]:
                    if self._may_take(number, state):
                        self._keep(following, self._taken(number, state), stage)
        return list(following.values())

    def _may_take(self, number: int, state: _State) -> bool:
        if state.mask & self._masks[number]:
            return False
        return not self._blocks.has_earlier_twin(self._group[number][0].peer_start, state.mask)

    def _taken(self, number: int, state: _State) -> _State:
        link, value = self._group[number]
        total, used, likely = state.worth
        worth = (total + value, used - link.peer_words, likely + log(link.probability))
        return _State(worth, link.stop, state.mask | self._masks[number], (*state.chosen, number))

    def _keep(self, following: dict[tuple[int, object], _State], state: _State, stage: int) -> None:
        """Put `state` among those after `stage`, unless one at least as good has the same left to choose from."""
        mask = state.mask & self._ahead[stage]
        key = max(state.until, stage + 1), self._blocks.canonical(mask)
        known = following.get(key)
        if known is None or state.worth > known.worth:
            following[key] = state._replace(mask=mask)


def _bound(group: Sequence[tuple[Link, int]]) -> int:
    """What links could be worth at most if words of only one side had to differ; the lower of the two sides'."""
    reference = [(link.start, link.stop, value) for link, value in group]
    peer = [(link.peer_start, link.peer_stop, value) for link, value in group]
    return min(_apart(reference), _apart(peer))


def _apart(spans: Sequence[tuple[int, int, int]]) -> int:
    """The largest worth of spans (start, stop, worth) of which no two overlap."""
    ending: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for start, stop, value in spans:
        ending[stop].append((start, value))
    best = [0] * (max(ending) + 1)
    for stop in range(1, len(best)):
        best[stop] = max(best[stop - 1], *(best[start] + value for start, value in ending.get(stop, [(0, 0)])))
    return best[-1]
