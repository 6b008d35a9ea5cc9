"""The references of the benchmark, written out, are what `rewrite evaluate websplit` reads."""

from __future__ import annotations

from pathlib import Path

from rewrite.evaluate.splitting.corpora import load_websplit
from tests.training.papers.websplit.small import SMALL, write_xml
from training.papers.websplit.__main__ import main
from training.papers.websplit.benchmark import load_benchmark, load_sentences
from training.papers.websplit.building import SIDES


def test_every_rephrasing_of_every_sentence_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "benchmark"
    assert main(["build", "--release", str(write_xml(tmp_path, SMALL)), "--out", str(folder)]) == 0
    benchmark = load_benchmark(folder)
    for side in SIDES:
        sentences = list(load_sentences(folder, "paper", side, benchmark))
        out = tmp_path / f"{side}.jsonl"
        assert main(["references", "--benchmark", str(folder), "--side", side, "--out", str(out)]) == 0
        found = load_websplit(out) if sentences else []
        assert {one.source: len(one.references) for one in found} == {s.text: benchmark.count(s) for s in sentences}
