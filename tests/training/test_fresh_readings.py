"""What readers said of outputs for fresh sentences, and how it is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.fresh_readings import READINGS, main, read_readings, shares


@pytest.mark.parametrize(
    ("path", "systems"),
    [
        (READINGS[0], ["edits+gemma-ru, balanced", "edits, balanced", "edits, simple"]),
        (READINGS[1], ["edits, balanced", "edits-lm, clear"]),
        (READINGS[2], ["edits, balanced", "edits-lm, clear"]),
        (READINGS[3], ["edits-lm, simple with brevity=6"]),
        (READINGS[4], ["edits-lm, simple"]),
    ],
)
def test_every_system_has_one_output_for_each_sentence_and_every_text_two_verdicts(
    path: Path, systems: list[str]
) -> None:
    rows = read_readings(path)
    assert len(rows) == 100
    for row in rows:
        assert sorted(system for text in row["texts"] for system in text["systems"]) == systems
        assert all(len(text["faults"]) == 2 and set("".join(text["faults"])) <= set("wfpn") for text in row["texts"])


def test_shares_count_an_unchanged_source_as_faultless_and_no_simpler() -> None:
    rows = [
        {"source": "а", "texts": [{"text": "а", "systems": ["s"], "faults": ["w", "w"]}]},
        {"source": "б", "texts": [{"text": "в", "systems": ["s"], "faults": ["", "wf"]}]},
    ]
    first = {"unchanged": 0.5, "well formed": 1, "factual": 1, "main point": 1, "simpler": 0.5, "faultless": 1}
    assert shares(rows, "s", 0) == first
    assert shares(rows, "s", 1) == first | {"well formed": 0.5, "factual": 0.5, "faultless": 0.5}


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    told = capsys.readouterr().out
    assert "edits, balanced: unchanged 25% / 25%, well formed 94% / 93%" in told
    assert "readers agree on 210 texts: well formed 98%" in told
    assert "edits-lm, clear: of the sentences of more than 25 words 10 of 40 were cut" in told
    assert "edits-lm, clear: of the sentences of more than 25 words 17 of 40 were cut" in told
    assert "edits-lm, clear: unchanged 25% / 25%, well formed 91% / 91%" in told
