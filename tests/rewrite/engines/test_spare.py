"""Things that serve once: the next is made ahead, and what fails ahead is told where it is needed."""

from __future__ import annotations

import threading

import pytest

from rewrite.engines.ct2_draws import Spare


def test_what_was_prepared_is_taken_once() -> None:
    made: list[tuple[int, int]] = []

    def make(key: int) -> object:
        made.append((key, threading.get_ident()))
        return object()

    spare = Spare(make)
    spare.prepare(1)
    spare.prepare(1)
    first, second = spare.take(1), spare.take(1)
    assert first is not second
    assert [key for key, _ in made] == [1, 1]
    assert made[0][1] != made[1][1] == threading.get_ident()


def test_one_for_another_key_is_not_taken() -> None:
    spare = Spare(lambda key: key)
    spare.prepare(1)
    assert spare.take(2) == 2
    spare.prepare(3)
    spare.drop()
    assert spare.take(4) == 4


def test_what_failed_ahead_is_tried_again_and_then_told() -> None:
    calls: list[int] = []

    def make(key: int) -> int:
        calls.append(key)
        raise OSError(f"try {len(calls)}")

    spare = Spare(make)
    spare.prepare(1)
    with pytest.raises(OSError, match="try 2"):
        spare.take(1)
