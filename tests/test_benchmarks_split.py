"""The benchmark of splitting runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import split


def test_it_tells_speed_cold_start_and_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(split, "fresh_process", lambda *command: 1.5)
    folder = tmp_path / "wikisplit"
    folder.mkdir()
    rows = ["He left Rome and she sold the house .\tHe left Rome . <::::> She sold the house .\n"] * 3
    (folder / "validation.tsv").write_text("".join(rows), encoding="utf-8")
    assert split.main(["speed", "--data", str(tmp_path), "--sentences", "2", "--starts", "1"]) in (0, 1)
    said = capsys.readouterr().out
    assert said.startswith("2 sentences")
    assert "rewrite split, n = 10" in said
    assert "cold start, one sentence: 1.50 s" in said
