"""What the processor that runs the tests can do."""

from __future__ import annotations

from pathlib import Path

import pytest

__all__ = ["HAS_VNNI", "needs_vnni"]

_FLAGS = Path("/proc/cpuinfo")
HAS_VNNI = not _FLAGS.is_file() or any(
    name in _FLAGS.read_text(encoding="utf-8", errors="replace") for name in ("vnni", "asimddp", "i8mm")
)
"""Whether sums of products of 8-bit numbers do not saturate; where nobody tells, it is taken for granted."""
needs_vnni = pytest.mark.skipif(
    not HAS_VNNI, reason="int8 saturates on a processor without VNNI, so it is farther from 32 bits than is promised"
)
