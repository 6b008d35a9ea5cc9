"""A text that the model of `--fluency` cannot take fails its own line; the others go on."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from rerank.analysis import Analyzer
from rerank.likelihood import Fluency
from rerank.types import Candidate
from rewrite.candidates import GivenPool
from rewrite.commands.explanation_report import report
from rewrite.commands.flags import OutputFormat
from rewrite.commands.work import rerank_work, score_work, text_work
from rewrite.errors import BadInput, RewriteError
from rewrite.generators.base import Sampling
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from tests.fakes import FakeScorer, column

FITS = "Дети нашли во дворе большую рыжую кошку."
LONG = "Дети нашли во дворе большую рыжую кошку, которая " + "очень " * 40 + "долго спала."
SHORTER = "Дети нашли во дворе кошку."
WEIGHTED = {"fluency": 1.0}


class Short:
    """Takes texts of at most 100 letters, each of which has the probability one half; counts what it is asked."""

    def __init__(self) -> None:
        self.scored: list[str] = []

    def signature(self) -> str:
        return "short"

    def text_logprobs(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        assert not self.unfit(texts)
        self.scored += texts
        return [(len(text) * math.log(0.5), len(text)) for text in texts]

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        return {i: BadInput(f"{len(text)} letters.") for i, text in enumerate(texts) if len(text) > 100}


class Listed:
    """Proposes for each source a shorter text and, where asked, one that is too long."""

    name = "listed"

    def __init__(self, *extra: str) -> None:
        self.asked: list[str] = []
        self._extra = extra

    def describe(self) -> Mapping[str, object]:
        return {}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        self.asked += sources
        return [[Candidate(text) for text in (SHORTER, *self._extra)] for _ in sources]


def pipeline(analyzer: Analyzer, generator: Listed, *, record: str | None = None) -> Pipeline:
    options = Options(fluency="ct2:short", weights={"closeness": 1.0, **WEIGHTED}, record=record)
    closeness = FakeScorer("closeness", {FITS: 0.5, LONG: 0.5}, needs=frozenset())
    return Pipeline(options, analyzer=analyzer, generator=generator, scorers=[closeness, Fluency(model=Short())])


def test_a_source_that_is_too_long_stands_and_nothing_is_drawn_for_it(analyzer: Analyzer) -> None:
    generator = Listed()
    first, second, third = pipeline(analyzer, generator).run([FITS, LONG, f"{LONG} {FITS}"])
    assert (first.text, second.text) == (SHORTER, LONG)
    assert third.text == f"{LONG} {SHORTER}"
    assert [s.error for s in (*first.sentences, *second.sentences)] == ["", f"{len(LONG)} letters."]
    assert set(generator.asked) == {FITS}


def test_a_candidate_that_is_too_long_is_left_out(analyzer: Analyzer) -> None:
    (result,) = pipeline(analyzer, Listed(LONG)).run([FITS])
    (sentence,) = result.sentences
    assert (result.text, sentence.error) == (SHORTER, "")
    assert sentence.dropped["too long for the model of --fluency"] >= 1


def test_what_was_drawn_is_recorded_all_the_same(analyzer: Analyzer, tmp_path: Path) -> None:
    recording = tmp_path / "drawn.jsonl"
    one = pipeline(analyzer, Listed(LONG), record=str(recording))
    one.run([FITS])
    assert one.recorder is not None
    assert [c["text"] for c in json.loads(recording.read_text(encoding="utf-8"))["candidates"]] == [SHORTER, LONG]


def test_a_line_that_failed_can_be_explained(analyzer: Analyzer) -> None:
    (result,) = pipeline(analyzer, Listed()).run([LONG])
    assert f"Passed through: {len(LONG)} letters.\n" in report(result)


def test_of_candidates_from_anywhere_only_the_pool_fails(analyzer: Analyzer) -> None:
    pools = [
        (FITS, [Candidate(SHORTER)]),
        (FITS, [Candidate(SHORTER), Candidate(LONG)]),
        (LONG, [Candidate(SHORTER)]),
        (FITS, [Candidate(SHORTER)]),
    ]
    one = pipeline(analyzer, Listed())
    assert [result.text for result in one.rerank(pools)] == [SHORTER, FITS, LONG, SHORTER]
    assert {i: str(error) for i, error in one.failures(pools).items()} == dict.fromkeys((1, 2), f"{len(LONG)} letters.")


def test_a_model_is_asked_for_each_text_once() -> None:
    model = Short()
    scored = Pipeline(Options(fluency="ct2:short", weights=WEIGHTED), scorers=[Fluency(model=model)]).score(
        [(FITS, [Candidate(SHORTER)])]
    )
    assert column(scored[0], "fluency").tolist() == pytest.approx([0.5])
    assert sorted(model.scored) == sorted([FITS, SHORTER])


@pytest.fixture
def options(tiny_model: Callable[[str], Path]) -> Options:
    return Options(n=4, fluency=f"ct2:{tiny_model('gpt2')}", weights=WEIGHTED)


def test_commands_name_the_line_and_go_on(options: Options) -> None:
    tooth = GivenPool(source=FITS, candidates=[Candidate(SHORTER)])
    chunk = [tooth, GivenPool(source=FITS, candidates=[Candidate(LONG * 3)]), tooth]

    (first, second, third), _, failures, *_ = score_work(options, format=OutputFormat.text)(chunk)
    assert (float(first) > 0, second, third) == (True, "", first)
    (failure,) = failures
    assert (failure.line, failure.source) == (1, FITS)
    assert failure.error.startswith(f"{LONG[:60]!r} takes ")
    assert "the model of --fluency 128" in failure.error

    lines, *_ = score_work(options, format=OutputFormat.jsonl)(chunk)
    rows = [json.loads(line) for line in lines]
    assert [len(row["candidates"]) for row in rows] == [1, 0, 1]
    assert "the model of --fluency 128" in rows[1]["error"]

    lines, _, failures, *_ = rerank_work(options, format=OutputFormat.text, explain=False)(chunk)
    assert (lines[1], [failure.line for failure in failures]) == (FITS, [1])

    lines, _, failures, *_ = text_work(options, format=OutputFormat.text, explain=False)([LONG * 3, FITS])
    assert lines[0] == LONG * 3
    assert [(failure.line, failure.source) for failure in failures] == [(0, LONG * 3)]


def test_the_command_ends_with_3(tiny_model: Callable[[str], Path], tmp_path: Path) -> None:
    data = tmp_path / "pairs.csv"
    data.write_text(f'INPUT:source,OUTPUT:output\n{FITS},{SHORTER}\n"{LONG * 3}",{SHORTER}\n', encoding="utf-8")
    command = [sys.executable, "-m", "rewrite", "evaluate", "rsse", "--data", str(data), "-n", "2"]
    command += ["--fluency", f"ct2:{tiny_model('gpt2')}", "-w", "fluency=1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, encoding="utf-8")
    assert done.returncode == 3, done.stderr
    assert "SARI" in done.stdout
    assert done.stderr.splitlines()[-1].startswith(f"rewrite: {LONG[:60]!r}: ")


@pytest.mark.parametrize("command", ["score", "rerank"])
def test_candidates_that_tell_their_own_log_probability_need_no_model(
    command: str, run_command: Callable[..., int], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    known = [{"text": "Кошка спала.", "logprob": -3.0, "tokens": 4}]
    path = tmp_path / "pools.jsonl"
    path.write_text(
        "".join(
            json.dumps({"source": source, "candidates": known}, ensure_ascii=False) + "\n"
            for source in ("Кошка спала на диване.", "Кошка спала на столе.")
        ),
        encoding="utf-8",
    )
    # With two processes everything is loaded before the first line.
    assert run_command(command, "-w", "fluency=1", "--processes", "2", "-i", str(path)) == 0
    assert len(capfd.readouterr().out.splitlines()) == 2
