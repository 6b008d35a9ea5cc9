"""The best set of links of which no two share a word: tier 1 of ParaEval (section 5.2).

The paper goes through the sentences of the reference and keeps, for every set of the peer's phrases that may be taken,
the best that was reached. Here the stages are the words at which links begin. A state is how far the reference is taken
and which words of the peer are; words that no later link can take are forgotten. Groups of links that share no word are
solved apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
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
    """The links that were chosen, in reading order of the reference, and whether no others have more of its words for
    certain.
    """

    links: tuple[Link, ...]
    optimal: bool


_Worth = tuple[int, int, float]
"""What a state has reached: words of the reference, less words of the peer, and logarithms of probabilities; compared
in this order."""


class _State(NamedTuple):
    worth: _Worth
    until: int
    mask: int
    chosen: tuple[Link, ...]


_START = _State((0, 0, 0.0), 0, 0, ())


def choose(links: Sequence[Link], *, steps: int = STEPS) -> Choice:
    """The links with most words of the reference of which no two share a word of either text.

    Among equals those count that take fewer words of the peer, for these may still match otherwise, then those that are
    likelier. Where a group could take more than `steps` steps, only the states that have reached most are pursued, and
    what comes out may be less than the best: it is not `optimal`.
    """
    choices = [_solve(group, steps) for group in _connected(links)]
    chosen = sorted(link for choice in choices for link in choice.links)
    return Choice(tuple(chosen), all(choice.optimal for choice in choices))


def _connected(links: Sequence[Link]) -> list[list[Link]]:
    """The links in groups: those of different groups share no word of either text."""
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
    groups: defaultdict[int, list[Link]] = defaultdict(list)
    for number, link in enumerate(links):
        groups[root(number)].append(link)
    return list(groups.values())


def _solve(group: Sequence[Link], steps: int) -> Choice:
    """The best of one group, its stages being the words of the reference at which links begin."""
    starting: defaultdict[int, list[Link]] = defaultdict(list)
    for link in group:
        starting[link.start].append(link)
    # Words of the peer that links after each stage may take.
    ahead, later = {}, 0
    for stage in sorted(starting, reverse=True):
        ahead[stage] = later
        for link in starting[stage]:
            later |= _mask(link)
    width = max(1, steps // len(group))
    states, whole = [_START], True
    for stage in sorted(starting):
        states = _after(starting[stage], states, ahead[stage])
        if len(states) > width:
            whole = False
            states = sorted(states, key=lambda state: state.worth, reverse=True)[:width]
    return Choice(max(states, key=lambda state: state.worth).chosen, whole)


def _mask(link: Link) -> int:
    return ((1 << link.peer_words) - 1) << link.peer_start


def _after(links: Sequence[Link], states: Sequence[_State], ahead: int) -> list[_State]:
    """All that may be reached by taking one of `links`, which begin at one word, or none: the best of each kind.

    Of the peer's words only those `ahead`, which later links may take, tell states apart.
    """
    stage = links[0].start
    following: dict[tuple[int, int], _State] = {}

    def keep(state: _State) -> None:
        # Of those that have the same left to choose from, the best.
        key = max(state.until, stage + 1), state.mask
        if key not in following or state.worth > following[key].worth:
            following[key] = state

    for worth, until, mask, chosen in states:
        keep(_State(worth, until, mask & ahead, chosen))
        for link in links if until <= stage else ():
            taken = _mask(link)
            if not mask & taken:
                more = (worth[0] + link.words, worth[1] - link.peer_words, worth[2] + log(link.probability))
                keep(_State(more, link.stop, (mask | taken) & ahead, (*chosen, link)))
    return list(following.values())
