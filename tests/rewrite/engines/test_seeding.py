"""Setting a seed that the whole process shares."""

from __future__ import annotations

import threading

import pytest

from rewrite.engines.seeding import SeedTurn


def test_the_next_waits_until_the_seed_was_read() -> None:
    lock, second, order = threading.Lock(), threading.Event(), []

    def wait() -> None:
        with SeedTurn(lock):
            order.append("second")
        second.set()

    with SeedTurn(lock) as turn:
        thread = threading.Thread(target=wait)
        thread.start()
        assert not second.wait(0.05)
        order.append("first")
        turn.over()
        turn.over()
        assert second.wait(10)
        # What was given up is not given up again: the lock may be another's by now.
        with SeedTurn(lock):
            turn.over()
            assert lock.locked()
    thread.join()
    assert order == ["first", "second"]
    assert not lock.locked()


def test_a_draw_that_fails_before_its_first_token_gives_its_turn_up() -> None:
    lock = threading.Lock()
    with pytest.raises(ValueError, match="broken"), SeedTurn(lock):
        raise ValueError("broken")
    assert not lock.locked()
