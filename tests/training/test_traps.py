"""What the fact guard lets pass of rewrites made wrong on purpose does not grow."""

from __future__ import annotations

from collections import Counter

import pytest

from training.traps import main, read_traps


def test_there_are_three_hundred_of_twenty_kinds() -> None:
    traps = read_traps()
    assert len({trap.source for trap in traps}) == len(traps) >= 300
    assert len(Counter(trap.kind for trap in traps)) == 20
    assert all(len({trap.source, trap.bad, trap.good}) == 3 for trap in traps)


def test_the_guard_blocks_as_many_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    last = capsys.readouterr().out.splitlines()[-1]
    blocked, passing = int(last.split()[1]), int(last.split()[7])
    assert blocked >= 73
    assert passing >= 285
