"""The command line, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rewrite.errors import EXIT_CODES
from rewrite.request import Options

SOURCE = "В связи с проведением седьмых ремонтных работ, которые начались в понедельник, движение было приостановлено."
SHORTER = "В связи с проведением седьмых ремонтных работ движение было приостановлено."
WRONG = "В связи с проведением восьмых ремонтных работ движение было приостановлено."
# Has many rewrites.
RICH = (
    "Учёные из Новосибирска, изучавшие ледники Алтая десять лет, впоследствии установили, "
    "что площадь льда значительно уменьшилась."
)
COMPONENTS = (
    *("lexical", "depth", "length", "readability", "similarity", "entities"),
    *("structure", "brevity", "likelihood", "caution", "simplicity"),
)
CANDIDATE_FIELDS = {
    *("text", "score", "components", "generator", "count"),
    *("logprob", "tokens", "source_logprob", "risk"),
}
HEAVY = ("torch", "numpy", "slovnet", "natasha", "pymorphy3", "wordfreq", "rich.progress")


Rewrite = Callable[..., Any]
"""`rewrite ARGUMENTS…`, in this process, with `stdin` as its input; gives what it printed as `out` and `err`."""


def in_a_process(*arguments: str) -> str:
    command = [sys.executable, "-m", "rewrite", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def rewrite(run_command: Callable[..., int], capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Rewrite:
    def run(*arguments: str, stdin: str = "") -> Any:
        if stdin:
            (tmp_path / "given").write_text(stdin, encoding="utf-8")
            arguments = (*arguments, "-i", str(tmp_path / "given"))
        code = run_command(*arguments)
        printed = capfd.readouterr()
        assert code == 0, printed.err
        return printed

    return run


@pytest.fixture(scope="module")
def text() -> str:
    """What plain `rewrite simplify` prints for `RICH`."""
    return in_a_process("simplify", RICH)


@pytest.fixture(scope="module")
def jsonl() -> str:
    return in_a_process("simplify", RICH, "--format", "jsonl")


def test_one_sentence_becomes_a_shorter_one(text: str) -> None:
    assert text.endswith("\n")
    assert text.count("\n") == 1
    assert len(text) < len(RICH)


def test_help_and_version_load_no_models(rewrite: Rewrite) -> None:
    script = f"import sys; from rewrite.cli import app; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr
    assert rewrite("--version").out.startswith("rewrite ")


def test_every_option_is_a_flag_with_its_own_description(rewrite: Rewrite) -> None:
    text = " ".join(rewrite("simplify", "--help").out.replace("│", " ").split())
    for name, field in Options.model_fields.items():
        assert f"--{'weight' if name == 'weights' else name.replace('_', '-')}" in text
        assert field.description is not None
        assert field.description.split(".")[0][:40] in text


def test_help_gives_the_exit_codes(rewrite: Rewrite) -> None:
    text = " ".join(rewrite("--help").out.split())
    assert all(f"{code}: {meaning}" in text for code, meaning in EXIT_CODES.items())


def test_jsonl_rows_hold_what_the_documentation_lists(text: str, jsonl: str) -> None:
    row = json.loads(jsonl)
    assert row["text"] == text.removesuffix("\n")
    assert set(row) == {"source", "text", "score", "components", "candidates", "facts", "signature"}
    assert row["source"] == RICH
    assert row["candidates"][0]["text"] == row["text"]
    for candidate in row["candidates"]:
        assert {"text", "score", "components", "generator", "count"} <= set(candidate) <= CANDIDATE_FIELDS
    scores = [candidate["score"] for candidate in row["candidates"] if candidate["generator"] != "source"]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 1
    assert set(row["components"]) == set(COMPONENTS)


def test_jsonl_output_can_be_reranked_under_other_weights(rewrite: Rewrite, jsonl: str) -> None:
    first = json.loads(jsonl)
    again = json.loads(rewrite("rerank", "--format", "jsonl", stdin=jsonl).out)
    assert again["text"] == first["text"]
    for name in set(COMPONENTS) - {"likelihood"}:
        assert again["components"][name] == pytest.approx(first["components"][name])
    # Likelihood is relative to the best of the pool, which blocked candidates have left: the ratios stay.
    before, after = ([c["components"]["likelihood"] for c in row["candidates"]] for row in (first, again))
    assert len(before) > 2
    assert [b * after[0] for b in before] == pytest.approx([a * before[0] for a in after])
    close = json.loads(rewrite("rerank", "-w", "similarity=50", "--format", "jsonl", stdin=jsonl).out)
    assert close["components"]["similarity"] >= again["components"]["similarity"]


def test_best_gives_tab_separated_alternatives_on_one_line(rewrite: Rewrite, text: str) -> None:
    lines = rewrite("simplify", "--best", "3", RICH, "Нет.").out.split("\n")
    assert len(lines) == 3
    alternatives = lines[0].split("\t")
    assert len(set(alternatives)) == len(alternatives) == 3
    assert alternatives[0] == text.strip()
    assert lines[1] == "Нет."


def test_the_same_answer_with_any_number_of_processes(tmp_path: Path) -> None:
    path = tmp_path / "text"
    numbered = [SOURCE.replace("седьмых", word) for word in ("первых", "вторых", "третьих", "десятых", "сотых")]
    path.write_text("\n".join(numbered * 8) + "\n")
    one = in_a_process("simplify", "-i", str(path), "-n", "5", "--processes", "1")
    target = tmp_path / "out"
    in_a_process("simplify", "-i", str(path), "-n", "5", "--processes", "2", "-o", str(target))
    assert target.read_text() == one
    assert one.count("\n") == 40
    answers = one.splitlines()
    assert answers[:5] * 8 == answers
    assert len(set(answers)) == 5


def test_explain_says_why_on_standard_error(rewrite: Rewrite, text: str) -> None:
    done = rewrite("simplify", "--explain", RICH)
    assert done.out == text
    for part in ("[-", "edit:", "Score", "similarity", "weight", "Runner-up"):
        assert part in done.err
    assert "\x1b" not in done.err


def test_control_runs_from_close_to_simple(rewrite: Rewrite) -> None:
    ends = [json.loads(rewrite("simplify", SOURCE, "--control", c, "--format", "jsonl").out) for c in ("0", "10")]
    assert ends[0]["components"]["similarity"] >= ends[1]["components"]["similarity"]
    assert "weights:" in ends[0]["signature"]
    assert ends[0]["signature"] != ends[1]["signature"]


def test_a_preset_file(rewrite: Rewrite, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nweights: {similarity: 50}\n")
    row = json.loads(rewrite("simplify", SOURCE, "--preset", str(path), "--format", "jsonl").out)
    assert "similarity=50" in row["signature"]


def test_score_prints_a_number_per_candidate(rewrite: Rewrite) -> None:
    pools = f'{SOURCE}\t{SHORTER}\t{WRONG}\n\n{{"source": "{SOURCE}", "candidates": ["{SHORTER}"]}}\n'
    first, empty, third, last = rewrite("score", stdin=pools).out.split("\n")
    numbers = [float(number) for number in first.split("\t")]
    assert len(numbers) == 2
    assert 0 < numbers[0] < 1
    assert empty == last == ""
    assert float(third) == numbers[0]


def test_score_in_jsonl_says_what_is_blocked(rewrite: Rewrite) -> None:
    row = json.loads(rewrite("score", "--format", "jsonl", stdin=f"{SOURCE}\t{SHORTER}\t{WRONG}\n").out)
    assert [candidate["text"] for candidate in row["candidates"]] == [SHORTER, WRONG]
    assert [bool(candidate["blocked"]) for candidate in row["candidates"]] == [False, True]
    assert row["signature"].startswith("rewrite-rerank:")
    assert "lexical" in row["signature"]


def test_rerank_gives_one_line_per_source(rewrite: Rewrite) -> None:
    lines = f"{SOURCE}\t{WRONG}\n{SOURCE}\t{SHORTER}\nДа.\tНет.\n"
    assert rewrite("rerank", "--preset", "simple", stdin=lines).out.split("\n")[0] == SHORTER
    assert rewrite("rerank", stdin=lines).out.count("\n") == 2
