"""The command where a model server goes away midway: every line comes out, and standard error names the others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rewrite.batch import CHUNK_LINES
from tests.rewrite.engines.pairs import PAIRS
from tests.rewrite.engines.server import FakeServer, Fault, serving

pytest.importorskip("httpx")

# As many as are read in two goes, the second from the fifth on.
COUNT = 9
Run = Callable[..., int]


@pytest.fixture
def simplify(run_command: Run, tmp_path: Path) -> Callable[..., int]:
    """`rewrite simplify` with the sources of the first pairs, a line each, by the model of a server."""

    def run(url: str, count: int) -> int:
        path = tmp_path / "sources.txt"
        path.write_text("".join(f"{source}\n" for source, _ in PAIRS[:count]), encoding="utf-8")
        # One request at a time: which lines are answered before the end is then certain.
        settings = ("-e", "in_flight=1", "-e", "retries=0")
        prompt = ("--prompt", "rugpt3_simplify", "-n", "2", "-w", "similarity=0.1")
        return run_command("simplify", "--generator", f"openai:{url}#model", *settings, *prompt, "-i", str(path))

    return run


def server(death: int | None) -> FakeServer:
    faults = (
        (lambda number, _: None) if death is None else (lambda number, _: Fault("die") if number >= death else None)
    )
    return FakeServer(answers=dict(PAIRS), faults=faults)


def named(errors: str) -> list[int]:
    """The numbers of the lines that standard error names."""
    return [i for i, (source, _) in enumerate(PAIRS) if repr(source[:60]) in errors]


def test_every_line_is_answered_by_a_server_that_lives(
    simplify: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(server(None)) as (url,):
        assert simplify(url, COUNT) == 0
    out, errors = capfd.readouterr()
    assert out.splitlines() == [target for _, target in PAIRS[:COUNT]]
    assert named(errors) == []


@pytest.mark.parametrize("death", [5, COUNT - 1])
def test_after_a_server_has_died_the_other_lines_stand_as_they_were_and_are_named(
    death: int, simplify: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(fake := server(death)) as (url,):
        assert simplify(url, COUNT) == 3
    out, errors = capfd.readouterr()
    answered = [target for _, target in PAIRS[:death]]
    assert out.splitlines() == [*answered, *(source for source, _ in PAIRS[death:COUNT])]
    assert named(errors) == list(range(death, COUNT))
    assert errors.count(url) >= COUNT - death
    assert len(fake.posted) == death + 1


def test_where_no_server_answers_at_all_the_command_says_so_and_writes_nothing(
    simplify: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(server(0)) as (url,):
        assert simplify(url, COUNT) == 1
    out, errors = capfd.readouterr()
    assert out == ""
    assert url in errors


def test_lines_that_are_read_after_the_server_has_died_come_out_too(
    simplify: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    count = CHUNK_LINES + 8
    with serving(server(5)) as (url,):
        assert simplify(url, count) == 3
    out, errors = capfd.readouterr()
    assert named(errors) == list(range(5, count))
    assert out.splitlines() == [*(target for _, target in PAIRS[:5]), *(source for source, _ in PAIRS[5:count])]
