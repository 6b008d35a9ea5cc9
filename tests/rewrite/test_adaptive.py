"""When `--n auto` stops drawing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pytest

from rerank.types import Candidate
from rewrite.adaptive import ROUNDS, Scores, expected_gain, settled
from rewrite.drawing import Drawing, draw_in_rounds
from rewrite.generators.base import Sampling


def scores(values: Sequence[float], *, drawn: int = 20, singles: int = 10, floor: float = -9.0) -> Scores:
    return Scores(values=values, floor=floor, own=floor, drawn=drawn, singles=singles)


def test_nothing_new_promises_little_and_news_promises_more() -> None:
    spread = [-0.5, -0.4, -0.3, -0.2]
    promises = [expected_gain(scores(spread, singles=singles), 4) for singles in (0, 5, 10, 20)]
    assert promises == sorted(promises)
    assert promises[0] < promises[-1] / 10


def test_a_bar_far_above_what_was_drawn_is_hardly_reached() -> None:
    close = [-0.5, -0.4, -0.3, -0.2]
    assert expected_gain(scores(close, floor=0.5), 4) < expected_gain(scores(close), 4)
    assert settled(scores(close, floor=0.5), 4)


def test_the_promise_grows_with_the_round_and_is_unbounded_before_the_first() -> None:
    assert expected_gain(scores([-0.5, -0.4, -0.3]), 8) == pytest.approx(
        2 * expected_gain(scores([-0.5, -0.4, -0.3]), 4)
    )
    assert math.isinf(expected_gain(scores([], drawn=0, singles=0), 4))
    assert not settled(scores([], drawn=0, singles=0), 4)


def test_the_source_is_the_choice_where_nothing_beats_the_floor() -> None:
    assert Scores([-0.9], floor=-0.5, own=-0.3, drawn=1, singles=1).best == -0.3
    assert Scores([-0.4], floor=-0.5, own=-0.3, drawn=1, singles=1).best == -0.4


class _Counting:
    """Draws texts that tell the seed they were drawn with; one source always gives the same."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def describe(self) -> Mapping[str, object]:
        return {}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        self.asked += [(source, sampling.n) for source in sources]
        return [
            [Candidate("всегда это", count=sampling.n)]
            if source == "а"
            else [Candidate(f"{sampling.seed} {i}") for i in range(sampling.n)]
            for source in sources
        ]


def test_only_sources_that_are_not_settled_are_drawn_again() -> None:
    generator = _Counting()

    def judge(drawings: Sequence[Drawing]) -> list[Scores]:
        return [scores([], drawn=drawing.drawn, singles=drawing.singles) for drawing in drawings]

    first, second = draw_in_rounds(
        generator, ["а", "б"], Sampling(n=1), judge, stop=lambda found, draws: found.singles == 0
    )
    assert [(c.text, c.count) for c in first.candidates] == [("всегда это", ROUNDS[0])]
    assert second.drawn == len(second.candidates) == sum(ROUNDS)
    assert [c.first for c in second.candidates] == [None] * sum(ROUNDS)
    assert generator.asked == [("а", ROUNDS[0]), ("б", ROUNDS[0]), *(("б", n) for n in ROUNDS[1:])]


def test_draws_are_counted_on_over_the_rounds() -> None:
    first = Drawing("а", (Candidate("б", count=2, first=0),), (Candidate("", first=1, dropped="empty"),))
    both = first.with_(Drawing("а", (Candidate("в", first=0), Candidate("б", first=1)), (Candidate("", first=2),)))
    assert [(c.text, c.count, c.first) for c in both.candidates] == [("б", 3, 0), ("в", 1, 3)]
