"""Worker processes: what the parent has thrown away is not cleaned up in them."""

from __future__ import annotations

import gc
import os

from rerank.workers import ordered_map

COLLECTED: list[int] = []


class Cycle:
    """Garbage that only the collector finds, as a model in a cycle of references."""

    def __init__(self) -> None:
        self.own = self

    def __del__(self) -> None:
        COLLECTED.append(os.getpid())


def collect(chunk: bytes) -> bytes:
    gc.collect()
    return b"here" if os.getpid() in COLLECTED else b"elsewhere"


def test_garbage_of_the_parent_is_not_collected_in_a_worker() -> None:
    gc.disable()
    try:
        Cycle()
        assert list(ordered_map(collect, [b"1", b"2", b"3"], 2)) == [b"elsewhere"] * 3
    finally:
        gc.enable()
    assert [os.getpid()] == COLLECTED
