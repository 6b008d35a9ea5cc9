"""When `--n auto` stops drawing."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rerank.analysis import Analyzer
from rerank.types import Candidate
from rewrite.drawing import ROUNDS, TOLERANCE, Drawing, Draws, change_probability, draw_in_rounds, settled
from rewrite.generators.base import Sampling
from rewrite.pipeline import Pipeline

Array = NDArray[Any]


def test_nothing_new_promises_little_and_news_promises_more() -> None:
    promises = [change_probability(Draws(20, usable=4, singles=singles), 4) for singles in (0, 1, 2, 4)]
    assert promises == sorted(promises)
    assert promises[0] < promises[-1] / 3


def test_it_is_the_share_of_new_texts_among_those_so_far_and_the_new() -> None:
    # Ten draws, four usable texts, one of them seen once: two of eleven draws are taken to be new ones.
    new = 8 * 2 / 11
    assert change_probability(Draws(10, usable=4, singles=1), 8) == pytest.approx(new / (4 + new))


def test_one_more_draw_promises_less_the_more_was_found() -> None:
    few, many = Draws(8, usable=3, singles=3), Draws(32, usable=12, singles=12)
    assert change_probability(many, 4) < change_probability(few, 4)
    assert change_probability(few, 4) < change_probability(few, 8)


def test_before_the_first_draw_a_change_is_certain_and_without_a_usable_text_it_ends_before_the_last_round() -> None:
    assert change_probability(Draws(0, 0, 0), 4) == 1
    assert not settled(Draws(0, 0, 0), 4)
    drawn = list(itertools.accumulate(ROUNDS))
    assert any(settled(Draws(n, 0, 0), later) for n, later in zip(drawn, ROUNDS[1:], strict=False))


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
def test_what_is_saved_and_how_often_the_next_round_would_have_changed_the_winner(exponent: float) -> None:
    """Texts of a Zipf distribution, from one that hardly repeats itself to one that says little else than two texts."""
    random = np.random.default_rng(0)
    saved, wrong, ended = 0.0, 0, 0
    for _ in range(400):
        chances = np.arange(1, 201.0) ** -exponent
        values = random.normal(size=200)
        usable = random.random(200) < 0.6
        draws = random.choice(200, size=sum(ROUNDS), p=chances / chances.sum())
        made = _stop(draws, usable)
        saved += 1 - made / len(draws)
        if made < len(draws):
            later = next(n for n in itertools.accumulate(ROUNDS) if n > made)
            ended += 1
            wrong += _winner(draws[:later], values, usable) != _winner(draws[:made], values, usable)
    assert 0.4 < saved / 400 < 0.6
    assert wrong / ended < TOLERANCE


def _stop(draws: Array, usable: Array) -> int:
    """How many draws are made."""
    made = 0
    for n in ROUNDS:
        texts, counts = np.unique(draws[:made], return_counts=True)
        good = usable[texts]
        found = Draws(made, usable=int(good.sum()), singles=int((counts[good] == 1).sum()))
        if settled(found, n):
            break
        made += n
    return made


def _winner(draws: Array, values: Array, usable: Array) -> float:
    found = [values[text] for text in draws if usable[text]]
    return max(found, default=-9.0)


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


def _all_usable(drawing: Drawing) -> Draws:
    return Draws(drawing.drawn, len(drawing.candidates), sum(c.count == 1 for c in drawing.candidates))


def test_only_sources_that_are_not_settled_are_drawn_again() -> None:
    generator = _Counting()

    def judge(drawings: Sequence[Drawing]) -> list[Draws]:
        return [_all_usable(drawing) for drawing in drawings]

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


SOURCE = "Дети, которых ждали весь вечер, в 1990 году нашли во дворе большую рыжую кошку."


def test_what_changes_a_fact_or_is_no_sentence_is_not_counted_as_usable(analyzer: Analyzer) -> None:
    drawing = Drawing(
        SOURCE,
        (
            Candidate("Дети в 1990 году нашли во дворе кошку.", count=2),
            Candidate("Дети в 1990 году нашли большую кошку."),
            Candidate("Дети в 1995 году нашли во дворе кошку."),
            Candidate("Дети в 1990 году нашли во дворе большую рыжую и."),
        ),
        (Candidate("", dropped="empty", count=3),),
    )
    assert Pipeline(analyzer=analyzer).count_usable([drawing]) == [Draws(drawn=8, usable=2, singles=1)]
