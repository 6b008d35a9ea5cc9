"""What a reader said of splits."""

from __future__ import annotations

import pytest

from training.split_readings import figures, main


def test_a_split_counts_for_each_system_that_made_it() -> None:
    rows = [
        {"place": "a:1", "splits": [{"text": "x\ny", "systems": ["one", "two"], "faults": ""}]},
        {"place": "a:2", "splits": [{"text": "x\ny", "systems": ["one"], "faults": "wf"}]},
        {"place": "b:1", "splits": []},
    ]
    assert figures(rows, "one") == (3, 2, 1)
    assert figures(rows, "two") == (3, 1, 1)


def test_the_table_says_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "rules, balanced (all): 328 of 600 split, 192 (59%) without a fault; 77% of all outputs have none"
    assert "balanced (all): 268 of 600 split, 190 (71%) without a fault; 87% of all outputs have none" in told
