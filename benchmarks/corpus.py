"""Runs over files: killed and gone on with, in one process and two, over few rows and many, beside the bare pipeline.

    python -m benchmarks.corpus killed --data FOLDER [--rows 100000] [--kills 10] [--format jsonl] [--quick]
    python -m benchmarks.corpus processes --data FOLDER [--rows 600] [--rounds 3] [--quick]
    python -m benchmarks.corpus memory [--rows 1000000] [--quick]
    python -m benchmarks.corpus overhead --data FOLDER [--rows 300] [--rounds 5] [--quick]
    python -m benchmarks.corpus model --data FOLDER [--rows 48] [--rounds 3] [--quick]
    python -m benchmarks.corpus cluster --data FOLDER [--rows 400] [--rounds 3] [--quick]

`killed`: a file of so many rows (jsonl, parquet, txt or csv), RSSE sources with numbers so that no two are alike, is
simplified by `edits` with `-n 1`, the cheapest setting, unbroken and then killed by SIGKILL, workers with it, at random
moments, and gone on with: the same bytes must come out. As 100,000 of them take hours on two cores, one row in
`--rewritten` (100) is a whole sentence, and the others are its first three words, which are passed over.
`processes`: `edits` with all that it offers, two processes against one. Bar: 1.8.
`memory`: the peak of the command and of its workers over rows that are passed over, 10,000 of them and 1 million. Bar:
1.1 times as much. `overhead`: the share of a run with loaded models, from a column of .jsonl to a .jsonl.gz file, that
is the pipeline's; the rest is reading, columns, journal and output. Bar: 0.97. `model`: the language model
(`edits-lm`) in one process with all cores, and in two with one core each, models loaded in the time.
`cluster`: `edits` by two actors of Ray on this machine against two processes, once models are loaded. Bar: 0.85. And
how many sentences the machine that hands out can hand to actors and take back.

Exit code 1 where a bar is missed or bytes differ.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import contextlib
import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.measuring import Race, Timed, Work, command_line, rsse_examples, spread
from rerank.workers import crew_map, ordered_map
from rewrite.corpus.options import TextColumns
from rewrite.pipeline import Pipeline
from rewrite.request import Options
from rewrite.result import Result

PROCESSES, MEMORY, OVERHEAD, RAY = 1.8, 1.1, 0.97, 0.85
# Chunks before the clock is started, so that all workers have their models.
_WARM = 8
_PLAIN = "Слово дня."
_QUICK = {"killed": 2_000, "processes": 60, "memory": 40_000, "overhead": 60, "model": 8, "cluster": 64}
_ROWS = {"killed": 100_000, "processes": 600, "memory": 1_000_000, "overhead": 300, "model": 48, "cluster": 400}


def numbered(texts: Sequence[str], count: int, *, one_in: int = 1) -> Iterator[str]:
    """So many texts, no two alike, of which one in some is whole and the others are too short to be rewritten."""
    for number, text in enumerate(islice(cycle(texts), count)):
        yield f"{text} Номер {number}." if number % one_in == 0 else f"{' '.join(text.split()[:2])} {number}."


def write(path: Path, texts: Iterator[str]) -> None:
    """The texts as a file whose suffix says what it is, with a column of numbers."""
    if path.suffix == ".parquet":
        import pyarrow
        import pyarrow.parquet

        column = list(texts)
        pyarrow.parquet.write_table(pyarrow.table({"id": range(len(column)), "text": column}), path)
        return
    with path.open("w", encoding="utf-8") as stream:
        if path.suffix == ".csv":
            stream.write("id,text\n")
        for number, text in enumerate(texts):
            quoted = text.replace('"', '""')
            rows = {".jsonl": json.dumps({"id": number, "text": text}), ".csv": f'{number},"{quoted}"'}
            stream.write(rows.get(path.suffix, text) + "\n")


def command(source: Path, target: Path, *flags: str) -> list[str]:
    """`rewrite simplify` from file to file."""
    column = [] if source.suffix == ".txt" else ["--column", "text"]
    verb = [sys.executable, "-m", "rewrite", "simplify", "--generator", "edits", "--quiet"]
    return [*verb, "-i", str(source), *column, "-o", str(target), *flags]


def killed(options: argparse.Namespace, folder: Path) -> int:
    """Kill a run at random moments, go on with it, and compare."""
    texts = [example.source for example in rsse_examples(options.data)]
    source, whole, target = (folder / f"{name}.{options.format}" for name in ("source", "whole", "target"))
    write(source, numbered(texts, options.rows, one_in=options.rewritten))
    began = time.monotonic()
    subprocess.run(command(source, whole, "-n", "1"), check=True)
    seconds = time.monotonic() - began
    print(f"{options.rows:,} rows of {options.format} in {seconds:.0f} s, unbroken", flush=True)
    chance, part = random.Random(options.rows), target.with_name(f"{target.name}.part")
    kills = 0
    went_on: list[int] = []
    while kills < options.kills:
        process = subprocess.Popen(command(source, target, "-n", "1"), start_new_session=True)
        # Not while it loads its models: it is to have done something that it could lose.
        before = went_on[-1] if went_on else 0
        while process.poll() is None and not (part.exists() and part.stat().st_size > before):
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.7) * seconds / options.kills)
        if process.poll() is not None:
            raise SystemExit("The run ended before it could be killed often enough: give more --rows.")
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        kills += 1
        went_on.append(part.stat().st_size if part.exists() else 0)
        if target.exists():
            raise SystemExit(f"{target.name} is there after a kill.")
    subprocess.run(command(source, target, "-n", "1"), check=True)
    same = whole.read_bytes() == target.read_bytes()
    print(f"killed {kills} times, with {', '.join(f'{size:,}' for size in went_on)} bytes done")
    print(f"{whole.stat().st_size:,} bytes: {'the same' if same else 'OTHER BYTES'}")
    return int(not same)


def processes(options: argparse.Namespace, folder: Path) -> int:
    """Rows a second in one process and in two."""
    return _race_of_processes(options, Options(generator="edits"), {("processes: 2", "processes: 1"): PROCESSES})


def model(options: argparse.Namespace, folder: Path) -> int:
    """The language model in one process with all cores, and in two with one each."""
    return _race_of_processes(options, Options(generator="edits-lm"), {})


def _race_of_processes(options: argparse.Namespace, asked: Options, bars: dict[tuple[str, str], float]) -> int:
    texts = [example.source for example in rsse_examples(options.data)][: options.rows]
    chunks = [texts[i : i + 8] for i in range(0, len(texts), 8)]

    def prepared() -> Pipeline:
        pipeline = Pipeline(asked)
        # A language model does not survive a fork: each process loads its own, in the time.
        if not asked.runs_alone:
            pipeline.load()
        return pipeline

    def run_in(count: int) -> Callable[[Pipeline], int]:
        def run(pipeline: Pipeline) -> int:
            answers = ordered_map(lambda chunk: [r.text for r in pipeline.run(chunk)], chunks, count)
            return sum(map(len, answers))

        return run

    works = [Work(f"processes: {count}", run_in(count), prepare=prepared) for count in (1, 2)]
    race = Race.run("sentences", works, rounds=options.rounds)
    race.print()
    return int(race.missed(bars))


def cluster(options: argparse.Namespace, folder: Path) -> int:
    """Rows a second by Ray's actors and by processes, both once their models are loaded; and what can be handed out."""
    from rewrite.corpus.cluster import LOCAL, cluster_at

    texts = [example.source for example in rsse_examples(options.data)][: options.rows]
    chunks = [texts[i : i + 8] for i in range(0, len(texts), 8)]

    def prepared(load: bool) -> Callable[[list[str]], list[str]]:
        pipeline = Pipeline(Options(generator="edits"))
        pipeline.load()
        return lambda chunk: [result.text for result in pipeline.run(chunk)]

    def timed(answers: Iterator[list[str]]) -> Timed:
        for _ in range(_WARM):
            next(answers)
        began = time.perf_counter()
        return Timed(sum(map(len, answers)), time.perf_counter() - began)

    def by_ray() -> Timed:
        with cluster_at(LOCAL, prepared, 2) as crew:
            return timed(crew_map(crew, [*chunks[:_WARM], *chunks]))

    def by_processes() -> Timed:
        return timed(ordered_map(prepared(True), [*chunks[:_WARM], *chunks], 2))

    race = Race.run("sentences", [Work("processes", by_processes), Work("ray", by_ray)], rounds=options.rounds)
    race.print()
    with cluster_at(LOCAL, lambda load: list, 2) as crew:
        empty = timed(crew_map(crew, [["Слово дня."] * 32] * 3_000))
    print(f"handed out and taken back: {empty.answer / empty.seconds:,.0f} sentences a second")
    return int(race.missed({("ray", "processes"): RAY}))


def memory(options: argparse.Namespace, folder: Path) -> int:
    """The peak of the command over few rows and many."""
    peaks = {}
    for count in (10_000, options.rows):
        source = folder / f"{count}.jsonl"
        write(source, (f"{_PLAIN} {number}." for number in range(count)))
        peaks[count] = _peak(command(source, folder / f"{count}.out.jsonl", "--processes", "2"))
        print(f"{count:>9,} rows: peak {peaks[count]:,.0f} MiB", flush=True)
    ratio = peaks[options.rows] / peaks[10_000]
    print(f"{ratio:.2f} × as much, bar {MEMORY}{', MISSED' if ratio > MEMORY else ''}")
    return int(ratio > MEMORY)


def _peak(arguments: list[str]) -> float:
    """The most memory that a command and its workers have held, each at its own peak, without what they share."""
    process = subprocess.Popen(arguments)
    peaks: dict[int, int] = {}

    def look(pid: int, key: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            held = next(int(line.split()[1]) for line in lines if line.startswith(key))
            peaks[pid] = max(peaks.get(pid, 0), held)

    def watch() -> None:
        while process.poll() is None:
            with contextlib.suppress(OSError):
                children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                for pid in (process.pid, *map(int, children)):
                    look(pid, "Pss:")
            time.sleep(0.05)

    watcher = threading.Thread(target=watch)
    watcher.start()
    if process.wait():
        raise SystemExit(f"The command ended with {process.returncode}.")
    watcher.join()
    return sum(peaks.values()) / 1024


def overhead(options: argparse.Namespace, folder: Path) -> int:
    """The share of a run, from the first look at the file to its output, that the pipeline takes."""
    import rewrite.commands.work as work
    from rewrite.commands.answering import answer
    from rewrite.commands.documents import DocumentOptions
    from rewrite.commands.flags import OutputFormat

    texts = numbered([example.source for example in rsse_examples(options.data)], options.rows * options.rounds)
    asked = Options(generator="edits")
    pipeline = Pipeline(asked)
    pipeline.load()
    seconds = 0.0

    class Timed:
        options = asked

        def run(self, chunk: list[str]) -> list[Result]:
            nonlocal seconds
            began = time.perf_counter()
            results = pipeline.run(chunk)
            seconds += time.perf_counter() - began
            return results

    commands: Any = work
    commands._pipeline = lambda *_, **__: Timed()
    shares = []
    for number in range(options.rounds):
        source, target = folder / f"{number}.jsonl", folder / f"{number}.out.jsonl.gz"
        write(source, islice(texts, options.rows))
        seconds, began = 0.0, time.perf_counter()
        files = TextColumns(column="text")
        answer(
            asked,
            None,
            str(source),
            str(target),
            OutputFormat.text,
            False,
            1,
            DocumentOptions(),
            files=files,
            done="simplified",
        )
        shares.append(seconds / (time.perf_counter() - began))
    missed = statistics.median(shares) < OVERHEAD
    print(f"pipeline: {spread(shares, '.3f')} of a run, bar {OVERHEAD}{', MISSED' if missed else ''}")
    return int(missed)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; the exit status."""
    parser = command_line(__doc__)
    works = {work.__name__: work for work in (killed, processes, memory, overhead, model, cluster)}
    parser.add_argument("what", choices=list(works))
    parser.add_argument("--rows", type=int, help="rows of the file")
    parser.add_argument("--kills", type=int, default=10, help="of `killed`; 10 by default")
    parser.add_argument("--rewritten", type=int, default=100, help="one row in so many is a whole sentence")
    parser.add_argument("--format", choices=["jsonl", "parquet", "txt", "csv"], default="jsonl", help="of `killed`")
    parser.add_argument("--quick", action="store_true", help="few rows: to see that it works")
    options = parser.parse_args(arguments)
    options.rows = options.rows or (_QUICK if options.quick else _ROWS)[options.what]
    with tempfile.TemporaryDirectory() as folder:
        return works[options.what](options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
