"""The best set of links of which no two share a word: tier 1 of ParaEval (section 5.2).

The paper goes through the sentences of the reference and keeps, for every set of the peer's phrases that may be taken,
the best that was reached. Here the stages are the words at which links begin. A state is how far the reference is taken
and which words of the peer are; words that no later link can take are forgotten. Groups of links that share no word are
solved apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

STEPS = 50_000
"""Steps that a search may take for one group of links; up to it the result is optimal whatever the links are."""


class Link(NamedTuple):
    """Words `start` to `stop` of a reference and `peer_start` to `peer_stop` of a peer that say the same."""

    start: int
    stop: int
    peer_start: int
    peer_stop: int
    probability: float = 1.0

    @property
    def words(self) -> int:
        """Words of the reference."""
        return self.stop - self.start

    @property
    def peer_words(self) -> int:
        """Words of the peer."""
        return self.peer_stop - self.peer_start


@dataclass(frozen=True, slots=True)
class Choice:
    """The links that were chosen, in reading order of the reference; what they are worth together; and whether nothing
    worth more exists for certain.
    """

    links: tuple[Link, ...]
    value: int
    optimal: bool


_Worth = tuple[int, int, float]
"""What a state has reached: worth, less words of the peer, and logarithms of probabilities; compared in this order."""


class _State(NamedTuple):
    worth: _Worth
    until: int
    mask: int
    chosen: tuple[int, ...]


def choose(links: Sequence[Link], values: Sequence[int] | None = None, *, steps: int = STEPS) -> Choice:
    """The links worth most of which no two share a word of either text.

    `values` are what each is worth (≥ 0), by default its words in the reference. Among equals those count that take
    fewer words of the peer, for these may still match otherwise, then those that are likelier. Where a group could take
    more than `steps` steps, only the states that promise most are pursued: what comes out may be worth less than the
    best, and `optimal` says whether it reaches what one of the texts allows by itself.
    """
    worth = [link.words for link in links] if values is None else values
    useful = [(link, value) for link, value in zip(links, worth, strict=True) if value > 0]
    chosen: list[Link] = []
    total, optimal = 0, True
    for numbers in _connected([link for link, _ in useful]):
        group = [useful[number] for number in numbers]
        choice = _solve(group, steps) if len(group) > 1 else Choice((group[0][0],), group[0][1], True)
        chosen += choice.links
        total += choice.value
        optimal &= choice.optimal
    return Choice(tuple(sorted(chosen)), total, optimal)


def _connected(links: Sequence[Link]) -> list[list[int]]:
    """The numbers of `links`, in groups: links of different groups share no word of either text."""
    parent = list(range(len(links)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    owners: dict[tuple[bool, int], int] = {}
    for number, link in enumerate(links):
        words = [(True, i) for i in range(link.start, link.stop)]
        words += [(False, j) for j in range(link.peer_start, link.peer_stop)]
        for word in words:
            parent[root(owners.setdefault(word, number))] = root(number)
    groups: dict[int, list[int]] = {}
    for number in range(len(links)):
        groups.setdefault(root(number), []).append(number)
    return list(groups.values())


def _solve(group: list[tuple[Link, int]], steps: int) -> Choice:
    search = _Search(group)
    best, whole = search.run(max(1, steps // len(group)))
    value = best.worth[0]
    return Choice(tuple(group[number][0] for number in best.chosen), value, whole or value == search.most)


def _bits(start: int, stop: int) -> int:
    return ((1 << (stop - start)) - 1) << start


def _relaxed(spans: Sequence[tuple[int, int, int]]) -> list[int]:
    """For each word of one text what spans (start, stop, value) from there on are worth at most, none overlapping."""
    end = max(stop for _, stop, _ in spans)
    starting: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for start, stop, value in spans:
        starting[start].append((stop, value))
    rest = [0] * (end + 1)
    for start in reversed(range(end)):
        rest[start] = max([rest[start + 1], *(value + rest[stop] for stop, value in starting[start])])
    return rest


class _Search:
    """One group of links, its stages being the words of the reference at which links begin."""

    def __init__(self, group: Sequence[tuple[Link, int]]) -> None:
        self._group = group
        self._masks = [_bits(link.peer_start, link.peer_stop) for link, _ in group]
        self._likely = [log(link.probability) for link, _ in group]
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
        self._rest = _relaxed([(link.start, link.stop, value) for link, value in group])
        self.most = min(self._rest[0], _relaxed([(link.peer_start, link.peer_stop, value) for link, value in group])[0])
        """What no choice is worth more than."""

    def run(self, width: int) -> tuple[_State, bool]:
        """The best state at the end, and whether all were pursued: never more than `width` at a stage are."""
        states, whole = [_START], True
        for stage in self.stages:
            states = self.after(stage, states)
            if len(states) > width:
                whole = False
                states.sort(key=lambda state: (self._promise(state, stage + 1), state.worth), reverse=True)
                del states[width:]
        return max(states, key=lambda state: state.worth), whole

    def _promise(self, state: _State, start: int) -> int:
        """What a state may reach at most with links that begin at `start` or later."""
        return state.worth[0] + self._rest[min(max(state.until, start), len(self._rest) - 1)]

    def after(self, stage: int, states: Iterable[_State]) -> list[_State]:
        """All that may be reached by taking one of the links that begin at `stage`, or none: the best of each kind."""
        following: dict[tuple[int, int], _State] = {}
        ahead = self._ahead[stage]

        def keep(worth: _Worth, until: int, taken: int, chosen: tuple[int, ...]) -> None:
            # Of those that have the same left to choose from, the best.
            mask = taken & ahead
            key = max(until, stage + 1), mask
            known = following.get(key)
            if known is None or worth > known.worth:
                following[key] = _State(worth, until, mask, chosen)

        for state in states:
            worth, until, mask, chosen = state
            keep(worth, until, mask, chosen)
            for number in self._starting[stage] if until <= stage else ():
                link_mask = self._masks[number]
                link, value = self._group[number]
                if mask & link_mask:
                    continue
                more = (worth[0] + value, worth[1] - link.peer_words, worth[2] + self._likely[number])
                keep(more, link.stop, mask | link_mask, (*chosen, number))
        return list(following.values())


_START = _State((0, 0, 0.0), 0, 0, ())
