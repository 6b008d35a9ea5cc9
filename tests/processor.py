"""What the processor that runs the tests can do, and how long it works, whatever else the machine does."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

__all__ = ["HAS_VNNI", "INSTRUCTIONS", "at_most", "needs_vnni"]

_FLAGS = Path("/proc/cpuinfo")
_SETS = ("avx2", "avx512f", "avx_vnni", "avx512_vnni", "amx_int8", "asimd", "asimddp", "i8mm", "sve")


def _known_sets() -> str:
    words = _FLAGS.read_text(encoding="utf-8", errors="replace").split() if _FLAGS.is_file() else []
    return " ".join(name for name in _SETS if name in set(words))


INSTRUCTIONS = _known_sets()
"""The instruction sets by which libraries choose how they multiply, and so how they round."""
HAS_VNNI = not _FLAGS.is_file() or any(
    name in _FLAGS.read_text(encoding="utf-8", errors="replace") for name in ("vnni", "asimddp", "i8mm")
)
"""Whether sums of products of 8-bit numbers do not saturate; where nobody tells, it is taken for granted."""
needs_vnni = pytest.mark.skipif(
    not HAS_VNNI, reason="int8 saturates on a processor without VNNI, so it is farther from 32 bits than is promised"
)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """The body takes no more processor time than that, that of finished child processes included."""
    begun = _used()
    yield
    assert _used() - begun <= seconds


def _used() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system
