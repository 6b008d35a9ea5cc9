"""A whole run: read, judge in all processes, write, report; to be taken up again wherever it was broken off.

Also what a run would do, and what would stop it, before any pair is judged.
"""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from rerank.errors import BadInput
from rerank.workers import default_processes, ordered_map
from rewrite.errors import BadOption, RewriteError
from training.disk import file_sha256
from training.filtering.batches import KEPT, Batch, Example, Input, Pair, Seen, example_key, read_batches, survey
from training.filtering.options import FilterOptions
from training.filtering.report import MALFORMED, build_report, heaviest, markdown
from training.filtering.rules import Verdict, filter_work, make_rules, pack_texts, unpack_verdicts
from training.filtering.scores import CHUNK, Scoring
from training.filtering.state import PAIRS, Checkpoint, RunFolder
from training.planning import Made, caught, file_problems, state
from training.recipe import Run
from training.records import Malformed, too_many
from training.sizes import duration

__all__ = [
    "REPORT",
    "REPORT_PAGE",
    "Job",
    "Progress",
    "check_settings",
    "limits",
    "plan",
    "problems",
    "run_filter",
    "written",
]

REPORT, REPORT_PAGE = "filter-report.json", "filter-report.md"
_SEEN = ".filter-seen.sqlite"
_DUPLICATE = "duplicate"
# Seconds between checkpoints: so much work at most is done twice after a kill.
_BETWEEN = 2.0
_ON_TERMINAL, _ELSEWHERE = 0.5, 10.0


@dataclass(frozen=True)
class Job:
    """What to filter and where to. `locate` makes a path of what stands in the options."""

    options: FilterOptions
    out: Path
    name: str
    language: str = "ru"
    seed: int = 0
    locate: Callable[[str], Path] = Path


def run_filter(job: Job, *, restart: bool = False, say: Callable[[str], None] | None = None) -> dict[str, Any]:
    """Filter, or go on filtering, and return the report; what is finished already is not done again.

    `say` is told in a line what is going on. Raises `BadInput` for input that cannot be read and where no pair is left,
    `BadOption` where the folder holds another run and for options that do not go together, `CannotWrite`.
    """
    say = say or (lambda line: None)
    scoring = _scoring(job)
    paths = [job.locate(spec.path) for spec in job.options.pairs]
    _check_distinct(job, paths)
    inputs = [
        Input(spec, path, sha256=file_sha256(path), size=path.stat().st_size)
        for spec, path in zip(job.options.pairs, paths, strict=True)
    ]
    head = _head(job, scoring)
    files = {one.spec.path: f"{one.size} bytes, sha256 {one.sha256}" for one in inputs}
    folder = RunFolder(job.out, {**head, "files": files}, restart=restart)
    try:
        if folder.checkpoint.status == "finished":
            if folder.checkpoint.tally.kept and not folder.pairs.exists():
                raise BadInput(f"The run is finished, but {str(folder.pairs)!r} is gone.", hint="Give --restart.")
            say(f"{folder.pairs} was finished before; --restart would begin anew.")
        elif folder.checkpoint.status == "running":
            if not folder.checkpoint.batches:
                _require_well_formed(job, inputs, folder, head)
            _Run(job, scoring, inputs, folder, say).run()
        return _finish(job, scoring, inputs, folder, head)
    finally:
        folder.close()


def _scoring(job: Job) -> Scoring | None:
    """RuSimScore, or none for another language, for which it may not be asked."""
    if job.language == "ru":
        return Scoring(job.options)
    asked = job.options.model_fields_set & {"thresholds", "scores", "encoder", "frequencies", "variant"}
    if asked - (set() if job.options.scores else {"scores"}):
        raise BadOption(
            f"The language is {job.language!r}, and {', '.join(sorted(asked))} are for Russian alone.",
            hint="Leave them out: the rules about words, language, copies and duplicates apply.",
        )
    return None


def check_settings(job: Job) -> None:
    """Raise what speaks against the options of a job, whatever its files hold: `BadOption`, `UnknownName`, `BadInput`.

    Nothing is read but a list of frequencies or an encoder that the options name.
    """
    _scoring(job)
    _processes(job.options)
    _check_distinct(job, [job.locate(spec.path) for spec in job.options.pairs])


def limits(job: Job) -> list[tuple[str, str]]:
    """(name, limit) of all rules in the order in which they are applied. Raises as `check_settings`."""
    return _rules(job, _scoring(job))


def _check_distinct(job: Job, given: Sequence[Path]) -> None:
    paths = [path.resolve() for path in given]
    for spec, path in zip(job.options.pairs, paths, strict=True):
        if paths.count(path) > 1:
            raise BadOption(f"{spec.path!r} is given twice.", hint="Name each file once.")
        if path.parent == job.out.resolve() and path.name == PAIRS:
            raise BadOption(f"{str(path)!r} is both input and output.", hint="Give another folder.")


def _head(job: Job, scoring: Scoring | None) -> dict[str, Any]:
    """What a run is made from, but for its files: equal heads and files mean equal output."""
    return {
        "name": job.name,
        "language": job.language,
        "seed": job.seed,
        "options": job.options.model_dump(exclude={"jobs"}),
        "thresholds": scoring.thresholds if scoring else {},
        "signature": scoring.signature() if scoring else "",
    }


def _rules(job: Job, scoring: Scoring | None) -> list[tuple[str, str]]:
    """(name, limit) of all rules in the order of the report."""
    rules = [(rule.name, rule.limit) for rule in make_rules(job.options, job.language, scoring)]
    return [(_DUPLICATE, "the first of equal pairs"), *rules] if job.options.duplicates else rules


def _require_well_formed(job: Job, inputs: Sequence[Input], folder: RunFolder, head: Mapping[str, Any]) -> None:
    """Raise `BadInput` where too many rows of all files are malformed, with a report in place and nothing judged."""
    try:
        tally = survey(inputs)
    except BadInput:
        folder.give_up({})
        raise
    if tally.malformed <= job.options.bad_rows * tally.rows:
        return
    first = [(one.file, Malformed(one.line, one.reason, one.text)) for one in tally.first_malformed]
    error = too_many(tally.malformed, tally.rows, first, job.options.bad_rows)
    note = f"Given up before any pair was judged: more than bad_rows = {job.options.bad_rows:g} of the rows malformed."
    folder.give_up(_pages(build_report(tally, [], inputs, {**head, "notes": [note]})))
    raise BadInput(error.message, hint=f"{error.hint} The report: {job.out / REPORT_PAGE}.")


class _Run:
    """The work of a run from its checkpoint to the last pair."""

    def __init__(
        self, job: Job, scoring: Scoring | None, inputs: Sequence[Input], folder: RunFolder, say: Callable[[str], None]
    ) -> None:
        self._job = job
        self._scoring = scoring
        self._inputs = inputs
        self._folder = folder
        self._say = say
        self._point = folder.checkpoint
        self._waiting: deque[Batch] = deque()
        self._progress = Progress(sum(one.size for one in inputs))

    def run(self) -> None:
        """Judge all that is left, with a checkpoint every two seconds."""
        options = self._job.options
        jobs = _processes(options)
        scoring = self._scoring
        if scoring is not None:
            scoring.load()
        work = filter_work(make_rules(options, self._job.language, scoring), scoring if options.scores else None)
        last = time.monotonic()
        with Seen(self._job.out / _SEEN) if options.duplicates else nullcontext() as seen:
            for answer in ordered_map(work, self._chunks(seen), jobs):
                self._take(self._waiting.popleft(), unpack_verdicts(answer))
                if time.monotonic() - last > _BETWEEN:
                    self._folder.save(self._point)
                    last = time.monotonic()
        self._progress.end()
        self._point.status = "judged"
        self._folder.save(self._point)

    def _chunks(self, seen: Seen | None) -> Iterator[bytes]:
        """The batches that are not done yet. Those before are read again, for the duplicates in them."""
        batches = read_batches(self._inputs, seen, size=CHUNK)
        done = self._point.batches
        if done:
            self._say(f"Going on after {self._point.tally.pairs:,} pairs.")
        for number, batch in enumerate(batches, start=1):
            if number > done:
                self._waiting.append(batch)
                yield pack_texts([(pair.source, pair.target) for pair in batch.pairs])
            elif number == done:
                self._progress.going_on(pairs=self._point.tally.pairs, read=batch.read)

    def _take(self, batch: Batch, verdicts: Sequence[Verdict]) -> None:
        tally = self._point.tally
        pairs = len(batch.pairs) + len(batch.duplicates)
        tally.add_read(batch.file, rows=batch.rows, pairs=pairs, malformed=batch.malformed)
        for pair in batch.duplicates:
            self._count(_DUPLICATE, batch.file, pair, None)
        kept = []
        for pair, verdict in zip(batch.pairs, verdicts, strict=True):
            self._count(verdict.rule or KEPT, batch.file, pair, verdict.value)
            if not verdict.rule:
                scores = {"scores": verdict.scores} if verdict.scores is not None else {}
                kept.append(json.dumps({"source": pair.source, "target": pair.target, **scores}, ensure_ascii=False))
        self._folder.append("".join(f"{line}\n" for line in kept).encode())
        self._point.batches += 1
        self._progress.update(pairs=tally.pairs, kept=tally.kept, read=batch.read)

    def _count(self, rule: str, file: str, pair: Pair, value: str | float | None) -> None:
        key = example_key(self._job.seed, pair.source, pair.target)
        example = Example(key=key, file=file, line=pair.line, source=pair.source, target=pair.target, value=value)
        self._point.tally.add_verdict(rule, example, self._job.options.examples)


def _processes(options: FilterOptions) -> int:
    """As many as asked for, else all cores; one where an encoder of torch is used, which does not survive a fork."""
    if options.encoder == "navec":
        return options.jobs or default_processes()
    if options.jobs not in (None, 1):
        raise BadOption(
            f"jobs {options.jobs} with the encoder {options.encoder!r}.",
            hint="It runs in one process; set the variable OMP_NUM_THREADS to give it more threads.",
        )
    return 1


def _finish(
    job: Job, scoring: Scoring | None, inputs: Sequence[Input], folder: RunFolder, head: Mapping[str, Any]
) -> dict[str, Any]:
    point: Checkpoint = folder.checkpoint
    report = build_report(point.tally, _rules(job, scoring), inputs, {**head, "notes": _notes(job, scoring)})
    if point.status != "finished":
        folder.finish(point, _pages(report), keep_pairs=point.tally.kept > 0)
    if not point.tally.kept:
        raise _nothing_left(job, report)
    return report


def _pages(report: Mapping[str, Any]) -> dict[str, str]:
    """The report as both of its files hold it."""
    return {REPORT: json.dumps(report, ensure_ascii=False, indent=1) + "\n", REPORT_PAGE: markdown(report)}


def _notes(job: Job, scoring: Scoring | None) -> list[str]:
    if scoring is None:
        return [f"RuSimScore is made for Russian: no pair in {job.language!r} was scored."]
    idle = [name for name in scoring.thresholds if name not in scoring.used]
    return [f"Not among the rules, for every text reaches the threshold: {', '.join(idle)}."] if idle else []


def _nothing_left(job: Job, report: Mapping[str, Any]) -> BadInput:
    if not report["rows"]:
        return BadInput("The files hold no pairs.", hint="Check the paths in the recipe.")
    rule, dropped = heaviest(report)
    page = job.out / REPORT_PAGE
    if rule == MALFORMED:
        advice = "Check the format and the columns"
    elif rule in job.options.thresholds.model_dump():
        advice = f"Set a lower thresholds: {{{rule}: …}}, or 0 to switch it off"
    else:
        advice = {
            "words": "Set other min_words and max_words",
            "language": "Check the recipe's language and the columns, or set language_check: false",
            "copy": "Check the columns: are source and target the same? Or set a higher copy_limit",
        }.get(rule, "Check the files")
    return BadInput(
        f"No pair is left of {report['pairs']:,}; the rule {rule!r} dropped most, {dropped:,}.",
        hint=f"{advice}. Examples are in {page}.",
    )


def written(run: Run) -> tuple[Path, ...]:
    """What later steps may read."""
    return (run.out / PAIRS,)


def problems(options: FilterOptions, run: Run, made: Made) -> Iterator[RewriteError]:
    """What would stop the step."""
    for spec in options.pairs:
        yield from file_problems("filter.pairs", spec.path, run, made, spec=spec)
    yield from caught(lambda: check_settings(_job(options, run)))


def plan(options: FilterOptions, run: Run, made: Made) -> Iterator[str]:
    """Lines that say what is read, which pairs are kept and where they go. Raises as `check_settings`."""
    for spec in options.pairs:
        yield f"reads: {spec.path}, {state(spec.path, run, made, spec=spec)}"
    asked = ", ".join(f"{name} {limit}" for name, limit in limits(_job(options, run)))
    yield f"keeps: pairs of {run.recipe.language} with {asked}"
    yield f"gives up: above {options.bad_rows:.0%} of malformed rows"
    yield f"writes: {run.out / PAIRS}, {run.out / REPORT}, {run.out / REPORT_PAGE}"


def _job(options: FilterOptions, run: Run) -> Job:
    return Job(options, run.out, run.recipe.name, run.recipe.language, run.recipe.seed, run.path)


class Progress:
    """A line that is written over on a terminal, and one every ten seconds elsewhere.

    `total` is the length of all files in bytes: how many pairs they hold is known at the end only.
    """

    def __init__(self, total: int, *, stream: TextIO | None = None) -> None:
        self._total = total
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._began = self._last = time.monotonic()
        self._start: tuple[int, int] = (0, 0)

    def going_on(self, *, pairs: int, read: int) -> None:
        """The work begins here: a run that was broken off has so much behind it."""
        self._start = (pairs, read)
        self._began = self._last = time.monotonic()

    def update(self, *, pairs: int, kept: int, read: int) -> None:
        """So many pairs judged and kept, so many bytes read, from the beginning of the run."""
        now = time.monotonic()
        if now - self._last >= (_ON_TERMINAL if self._terminal else _ELSEWHERE):
            self._last = now
            self._write(self._line(pairs, kept, read, now - self._began))

    def end(self) -> None:
        """Leave the line of a terminal."""
        if self._terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _line(self, pairs: int, kept: int, read: int, seconds: float) -> str:
        done = max(read - self._start[1], 1)
        left = seconds * (self._total - read) / done
        rate = (pairs - self._start[0]) / max(seconds, 1e-9)
        share = read / max(self._total, 1)
        return f"{pairs:,} pairs, {kept:,} kept, {share:.0%} of the input, {rate:,.0f} pairs/s, {duration(left)} left"

    def _write(self, line: str) -> None:
        self._stream.write(f"\r\x1b[K{line}" if self._terminal else f"{line}\n")
        self._stream.flush()
