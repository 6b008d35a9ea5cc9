"""Parts of one draw: shared out evenly, seeded in turn, none ended before all have begun."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest

from rewrite.engines.together import Together, draw_together, shares


@pytest.mark.parametrize(
    ("n", "parts", "found"),
    [(30, 2, [15, 15]), (31, 2, [16, 15]), (1, 2, [1]), (3, 8, [1, 1, 1]), (7, 3, [3, 2, 2]), (5, 1, [5])],
)
def test_shares(n: int, parts: int, found: list[int]) -> None:
    assert shares(n, parts) == found


def test_no_part_ends_before_all_have_begun_and_each_begins_with_its_own_seed() -> None:
    together = Together(3, threading.Event())
    seeds: list[int] = []
    order: list[str] = []

    def draw(part: int, count: int) -> tuple[int, int]:
        seen = seeds[-1]  # the seed of the whole process, when this part first asks for it
        order.append(f"begun {part}")
        together.begin(part)
        together.hold()
        order.append("ended")
        return seen, count

    drawn = draw_together([4, 3, 3], together, threading.Lock(), seeds.append, draw)
    assert drawn == [(0, 4), (1, 3), (2, 3)]
    assert order == ["begun 0", "begun 1", "begun 2", "ended", "ended", "ended"]


def test_a_part_that_fails_keeps_none_waiting() -> None:
    together = Together(2, threading.Event())

    def draw(part: int, count: int) -> int:
        if part == 1:
            raise ValueError("no memory")
        together.begin(part)
        together.hold()
        return count

    with pytest.raises(ValueError, match="no memory"):
        draw_together([1, 1], together, threading.Lock(), lambda part: None, draw)


def test_who_holds_lets_go_when_the_work_is_cancelled() -> None:
    cancelled = threading.Event()
    together = Together(2, cancelled)
    together.begin(0)
    held = threading.Thread(target=together.hold)
    held.start()
    time.sleep(0.05)
    assert held.is_alive()
    cancelled.set()
    held.join(5)
    assert not held.is_alive()


# Blocks as large as a model's caches, freed and asked for again as it does; counts the pages that were filled anew.
_FAULTS = """
import resource, sys
from rewrite.engines.allocator import keep_freed_memory
if sys.argv[1] == "keep":
    assert keep_freed_memory()
def work():
    for size in range(100):
        bytearray(8_000_000 + 10_000 * size)
work()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
work()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(not os.confstr("CS_GNU_LIBC_VERSION"), reason="glibc alone has these settings")
def test_freed_memory_is_kept_where_the_environment_says_nothing_else() -> None:
    from rewrite.engines.allocator import keep_freed_memory

    clean = {
        name: value for name, value in os.environ.items() if not name.startswith("MALLOC_") and name != "GLIBC_TUNABLES"
    }

    def faults(how: str) -> int:
        command = [sys.executable, "-c", _FAULTS, how]
        return int(subprocess.run(command, env=clean, check=True, capture_output=True, text=True).stdout)

    assert faults("keep") < 0.1 * faults("leave")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MALLOC_ARENA_MAX", "4")
        assert not keep_freed_memory()
