"""The benchmark of parsers counts as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import parsers
from training.trees.examples import Example

ROWS = ["1 She she PRON _ _ 2 nsubj _ _", "2 slept sleep VERB _ _ 0 root _ _", "3 . . PUNCT _ _ 2 punct _ _"]


def test_marks_count_for_tags_alone_and_subtypes_for_nothing() -> None:
    one = Example(("He", "slept", "."), (1, -1, 1), ("nsubj", "root", "punct"), ("PRON", "VERB", "PUNCT"), ("", "", ""))
    right = ((1, -1, 0), ("nsubj:pass", "root", "punct"), ("PRON", "VERB", "PUNCT"), ("", "", ""))
    wrong = ((1, 0, 1), ("obj", "root", "punct"), ("PRON", "NOUN", "PUNCT"), ("", "A=B", ""))
    assert parsers.shares([one, one], [right, None]) == [100.0] * 4
    assert parsers.shares([one, one], [right, wrong]) == pytest.approx([75.0, 50.0, 500 / 6, 500 / 6])


def test_it_measures_the_bundled_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "ud" / "en_gum"
    folder.mkdir(parents=True)
    text = "# newdoc id = one\n# text = She slept.\n" + "\n".join(row.replace(" ", "\t") for row in ROWS) + "\n\n"
    for part in ("dev", "test"):
        (folder / f"en_gum-ud-{part}.conllu").write_text(text, encoding="utf-8")
    assert parsers.main(["--data", str(tmp_path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("en-open, dev: 1 of 1 sentences")
    assert said[1].startswith("bundled trees: 100.0, 100.0, 100.0")
    assert said[2].startswith("bundled pipeline: 100.0, 100.0, 100.0")
