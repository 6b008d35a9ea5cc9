"""What a broken run leaves, and the run that goes on with it: the same bytes as of one that was never broken."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rewrite.corpus.account import Account
from rewrite.corpus.part import PartFile, identity
from rewrite.errors import BadInput, BadOption, CannotWrite, RewriteError

COMMAND = [sys.executable, "-m", "rewrite", "simplify", "--generator", "edits"]
OF = {"size": 3}
Run = Callable[..., int]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, count: int) -> None:
    """Rows of words that are too few to be rewritten, which is quick, and one in 50 that is not."""
    texts = [f"Слово {i}." if i % 50 else f"Кошка {i}, которую нашли дети, спала на диване." for i in range(count)]
    if path.endswith(".txt"):
        Path(path).write_text("\n".join(texts) + "\n", encoding="utf-8")
    elif path.endswith(".jsonl"):
        rows = [json.dumps({"id": i, "text": text}) for i, text in enumerate(texts)]
        # Some fail.
        rows[7::300] = ["{"] * len(rows[7::300])
        Path(path).write_text("\n".join(rows) + "\n", encoding="utf-8")
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"id": range(count), "text": texts}), path)


@pytest.mark.parametrize(
    ("source", "target", "processes"),
    [
        ("in.txt", "out.txt.zst", "2"),
        ("in.jsonl", "out.jsonl.gz", "1"),
        ("in.parquet", "out.parquet", "2"),
    ],
)
def test_a_run_that_is_killed_goes_on(source: str, target: str, processes: str) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("zstandard")
    write(source, 1200)
    column = [] if source == "in.txt" else ["--column", "text"]
    command = [*COMMAND, "-i", source, *column, "--processes", processes, "--quiet", "-o"]
    code = subprocess.run([*command, f"whole.{target}"], capture_output=True, timeout=120).returncode
    assert code == (3 if source == "in.jsonl" else 0)
    part, seen, broken_off, chance = Path(f"{target}.part"), 0, 0, random.Random(source + processes)
    for _ in range(2):
        process = subprocess.Popen([*command, target], stderr=subprocess.PIPE, start_new_session=True)
        while process.poll() is None and not (part.exists() and part.stat().st_size > seen):
            time.sleep(0.01)
        time.sleep(chance.random() * 0.3)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        seen = part.stat().st_size if part.exists() else seen
        # One that was quicker than its end.
        if Path(target).exists():
            break
        broken_off += 1
    assert broken_off
    done = subprocess.run([*command, target], capture_output=True, timeout=120)
    assert done.returncode == code
    assert Path(target).read_bytes() == Path(f"whole.{target}").read_bytes()
    assert b"Traceback" not in done.stderr
    assert sorted(os.listdir()) == sorted([source, target, f"whole.{target}"])


def test_killed_workers_are_replaced_without_a_word() -> None:
    write("in.txt", 4000)
    command = [*COMMAND, "-i", "in.txt", "--processes", "2", "-o", "out.txt"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    killed = 0
    while process.poll() is None and killed < 3:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if len(children) == 2 and Path("out.txt.part").stat().st_size:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(children[killed % 2]), signal.SIGKILL)
                killed += 1
        time.sleep(0.1)
    _, err = process.communicate(timeout=120)
    assert killed
    assert process.returncode == 0
    assert b"Traceback" not in err
    assert b"BrokenPipe" not in err
    assert b"failed" not in err
    lines = Path("out.txt").read_text(encoding="utf-8").splitlines()
    assert [line.split()[1].strip(".,") for line in lines] == [str(i) for i in range(4000)]


def test_nobody_complains_of_a_parent_that_was_killed() -> None:
    write("in.txt", 20_000)
    process = subprocess.Popen([*COMMAND, "-i", "in.txt", "--processes", "2", "-o", "out.txt"], stderr=subprocess.PIPE)
    while not (Path("out.txt.part").exists() and Path("out.txt.part").stat().st_size):
        time.sleep(0.02)
    process.kill()
    # Standard error is open until the last worker has ended.
    _, err = process.communicate(timeout=20)
    assert err == b""
    assert not Path("out.txt").exists()


def part_of(path: str = "out", **options: object) -> PartFile:
    given = {"settings": {"n": 1}, "of": OF, **options}
    return PartFile(path, **given)  # type: ignore[arg-type]


def broken(rows: bytes = b"a\nb\n", **options: object) -> None:
    """A run that wrote some rows and failed."""
    with contextlib.suppress(RewriteError), part_of(**options) as part:  # type: ignore[arg-type]
        part.write(rows, answered=2, state=dict)
        raise RewriteError("the model is gone")


def test_what_is_there_stays_until_the_output_is_whole(capfd: pytest.CaptureFixture[str]) -> None:
    Path("out").write_bytes(b"of yesterday")
    Path("out").chmod(0o600)
    Path("link").symlink_to("out")
    broken(path="link")
    assert Path("out").read_bytes() == b"of yesterday"
    assert "What is done is in" in capfd.readouterr().err
    with part_of("link") as part:
        assert part.answered == 2
        part.write(b"c\n", answered=3, state=dict)
    assert Path("link").is_symlink()
    assert Path("out").read_bytes() == b"a\nb\nc\n"
    assert Path("out").stat().st_mode & 0o777 == 0o600
    assert sorted(os.listdir()) == ["link", "out"]


def test_a_run_that_has_done_nothing_leaves_nothing() -> None:
    with contextlib.suppress(RewriteError), part_of():
        raise RewriteError("no model")
    assert os.listdir() == []


def test_a_torn_row_is_cut() -> None:
    broken()
    with open("out.part", "ab") as stream:
        stream.write(b"half of a r")
    with part_of() as part:
        part.write(b"c\n", answered=3, state=dict)
    assert Path("out").read_bytes() == b"a\nb\nc\n"


def test_what_is_of_another_run_is_refused_and_kept() -> None:
    broken()
    with pytest.raises(BadOption, match=r"another n\. .*--no-resume"):
        part_of(settings={"n": 2})
    with pytest.raises(BadOption, match="another input"):
        part_of(of={"size": 4})
    with pytest.raises(BadOption, match="another input"):
        part_of(of=None)
    Path("out.journal").rename("kept")
    with pytest.raises(BadOption, match=r"without out\.journal"):
        part_of()
    assert Path("out.part").read_bytes() == b"a\nb\n"
    with part_of(resume=False) as part:
        assert part.answered == 0
        part.write(b"x\n", answered=1, state=dict)
    assert Path("out").read_bytes() == b"x\n"


@pytest.mark.parametrize(
    "journal",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b'{"version": 1}',
        b"\xff",
        b'{"version": 1, "bytes": "a", "answered": 0, "settings": {}, "state": {}}',
    ],
)
def test_a_damaged_journal(journal: bytes) -> None:
    broken()
    Path("out.journal").write_bytes(journal)
    with pytest.raises(BadInput, match=r"out\.journal is damaged\. Start over with --no-resume"):
        part_of()
    assert Path("out.part").read_bytes() == b"a\nb\n"


def test_a_journal_of_another_version_or_of_more_than_there_is() -> None:
    broken()
    journal = json.loads(Path("out.journal").read_bytes())
    Path("out.journal").write_text(json.dumps({**journal, "version": 99}))
    with pytest.raises(BadInput, match="of version 99, and this program's is 1"):
        part_of()
    Path("out.journal").write_text(json.dumps({**journal, "bytes": 99}))
    with pytest.raises(BadInput, match="shorter than its journal says"):
        part_of()
    # Killed between the last two steps.
    Path("out.part").unlink()
    with part_of() as part:
        assert part.answered == 0


def test_no_secret_is_in_the_journal() -> None:
    broken(settings={"engine": {"api_key": "s3cret"}})
    assert "s3cret" not in Path("out.journal").read_text()
    with pytest.raises(BadOption, match="another engine"):
        part_of(settings={"engine": {"api_key": "other"}})


def test_two_runs_on_one_output() -> None:
    with part_of() as part:
        part.write(b"a\n", answered=1, state=dict)
        for resume in (None, False):
            with pytest.raises(CannotWrite, match="Another run is writing to"):
                part_of(resume=resume)
        assert Path("out.part").read_bytes() == b"a\n"
    assert Path("out").read_bytes() == b"a\n"


@contextlib.contextmanager
def at_most(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_no_space_in_the_middle_of_a_row_and_at_the_very_end(capfd: pytest.CaptureFixture[str]) -> None:
    row = b"x" * 999 + b"\n"

    def fill() -> None:
        with part_of() as part:
            for number in range(1, 9):
                part.write(row, answered=number, state=dict)

    with at_most(4500), pytest.raises(CannotWrite, match="Cannot write to"):
        fill()
    assert Path("out.part").read_bytes() == row * 4
    assert not Path("out").exists()

    def finish(part: Path, whole: Path) -> None:
        whole.write_bytes(part.read_bytes() * 4)

    capfd.readouterr()
    with at_most(4500), pytest.raises(CannotWrite, match="larger here"), part_of(finish=finish) as part:
        assert part.answered == 4
    assert "What is done is in" in capfd.readouterr().err
    assert sorted(os.listdir()) == ["out.journal", "out.part"]
    with part_of(finish=finish) as part:
        assert part.answered == 4
    assert Path("out").read_bytes() == row * 16
    assert os.listdir() == ["out"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder() -> None:
    Path("folder").mkdir(mode=0o500)
    with pytest.raises(CannotWrite, match="folder must be writable"):
        part_of("folder/out")


def test_an_account_goes_on_with_that_of_before(run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    account = Account(rows=3)
    account.failed_in(2)
    account.failed_in(2)
    account.passed_over("It is Greek.", "α", 3, "line 3")
    account.tally.add("left", "no rewrite is better", 2)
    account.misses["sentences"] += 1
    state = json.loads(json.dumps(account.state()))
    again = Account.read(state)
    assert {**again.state(), "seconds": 0} == {**state, "seconds": 0}
    again.rows += 2
    again.failed_in(5)
    again.passed_over("It is Greek.", "β", 5, "line 5")
    assert again.failed == [2, 5]
    assert again.passed["It is Greek."].count == 2
    assert "5 lines, 3 of them before, " in again.summary("line")


def test_an_output_that_is_no_file(run_command: Run, capfd: pytest.CaptureFixture[str]) -> None:
    write("in.txt", 3)
    assert run_command("simplify", "--generator", "edits", "-i", "in.txt", "-o", "/dev/full") == 1
    assert "No space left" in capfd.readouterr().err
    assert run_command("simplify", "--generator", "edits", "-i", "in.txt", "-o", ".") == 1
    assert os.listdir() == ["in.txt"]


def test_the_names_of_columns_are_written_once() -> None:
    """Also where a run is killed before its first row is there."""
    for _ in range(2):
        with contextlib.suppress(RewriteError), part_of() as part:
            part.write(b"id,text\n", answered=0, state=dict)
            raise RewriteError("killed")
    with part_of() as part:
        part.write(b"id,text\n", answered=0, state=dict)
        part.write(b"1,a\n", answered=1, state=dict)
    assert Path("out").read_bytes() == b"id,text\n1,a\n"


@pytest.mark.parametrize(
    ("setting", "file"),
    [
        ("terms", "terms"),
        (("words", "terms"), "terms"),
        ("edits+replay:drawn", "drawn"),
        ("ct2:model", "model/model.bin"),
    ],
)
def test_a_file_that_decides_what_comes_out_has_changed(setting: object, file: str) -> None:
    Path("model").mkdir()
    Path(file).write_text("a")
    broken(settings={"n": setting})
    Path("model/other").touch()
    part_of(settings={"n": setting}).__exit__(RewriteError, None, None)
    Path(file).write_text("b")
    with pytest.raises(BadOption, match="another n"):
        part_of(settings={"n": setting})


def test_a_journal_whose_counts_are_damaged() -> None:
    state = json.loads(json.dumps(Account().state()))
    damages: list[dict[str, object]] = [
        {"tally": None},
        {"passed": {"a": {"b": 1}}},
        {"misses": 1},
        {"more": 1},
        {"tally": {"why": {}}},
    ]
    for damage in damages:
        with pytest.raises(BadInput, match="--no-resume"):
            Account.read({**state, **damage})


def test_judging_is_gone_on_with_by_the_same_version(run_command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("in.txt").write_text("Кошка спала.\tКошка.\n", encoding="utf-8")
    seen: list[object] = []

    def opened(run: object) -> None:
        seen.append(run)
        raise RewriteError("enough")

    monkeypatch.setattr("rewrite.commands.lines._opened", opened)
    assert run_command("judge", "--metric", "source-rouge1", "-i", "in.txt", "-o", "out.txt") == 1
    assert {"command", "version"} <= seen[0].settings.keys()  # type: ignore[attr-defined]


@pytest.mark.parametrize("place", [0, 1_110_000, 1_999_999])
def test_an_input_is_told_by_its_beginning_middle_and_end(place: int) -> None:
    data = bytearray(2_000_000)
    Path("in.txt").write_bytes(data)
    before = identity("in.txt")
    data[place] = 1
    Path("in.txt").write_bytes(data)
    assert identity("in.txt") != before


def test_no_space_for_the_journal() -> None:
    with at_most(10), pytest.raises(CannotWrite):
        part_of()
    assert os.listdir() == []


def test_a_part_that_another_run_has_just_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    lock = fcntl.flock

    def late(descriptor: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", lock)
        Path("out.part").rename("out")
        lock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with part_of() as part:
        part.write(b"a\n", answered=1, state=dict)
        assert Path("out").read_bytes() == b""
    assert Path("out").read_bytes() == b"a\n"
