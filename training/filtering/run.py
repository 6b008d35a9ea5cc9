"""A whole run: read, judge in all processes, write, report."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

from rerank.errors import BadInput
from rerank.workers import default_processes, ordered_map
from rewrite.errors import BadOption
from training.disk import DIGITS, folder_lock, options_told, require_same, write_text, write_whole
from training.filtering.reading import Input, Pair, Seen, Survey, read_pairs
from training.filtering.report import KEPT, MALFORMED, Tally, build_report, heaviest, markdown
from training.filtering.rules import CHUNK, Scoring, Verdict, filter_work, make_rules, pack_texts, unpack_verdicts
from training.filtering.thresholds import FilterOptions
from training.records import too_many

PAIRS, REPORT, REPORT_PAGE = "pairs.jsonl", "filter-report.json", "filter-report.md"
_LOCK = ".filter-lock"
_DUPLICATE = "duplicate"


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
    """Filter and return the report; what is finished already is not done again, unless `restart`.

    `say` is told in a line where that is so. Raises `BadInput` for input that cannot be read and where no pair is left,
    `BadOption` where the folder holds another run and for options that do not go together, `CannotWrite`.
    """
    scoring = _scoring(job)
    paths = [job.locate(spec.path) for spec in job.options.pairs]
    _check_distinct(job, paths)
    inputs = [Input.of(spec, path) for spec, path in zip(job.options.pairs, paths, strict=True)]
    head = _head(job, scoring, inputs)
    with folder_lock(job.out, _LOCK):
        if not restart and (report := _finished(job, head["made_of"])) is not None:
            if say is not None:
                say(f"{job.out / PAIRS} was finished before; --restart would begin anew.")
            return report
        (job.out / PAIRS).unlink(missing_ok=True)
        surveyed = Survey()
        tally = Tally(job.seed, job.options.examples)
        with write_whole(job.out / PAIRS) as draft:
            with draft.open("wb") as file:
                _judge_all(job, scoring, inputs, surveyed, tally, file)
            _require_well_formed(job, inputs, surveyed, head)
            report = build_report(head, inputs, surveyed, tally, _rules(job, scoring))
            _write_report(job, report)
            if not report["kept"]:
                raise _nothing_left(job, report)
        return report


def _finished(job: Job, made_of: Mapping[str, str]) -> dict[str, Any] | None:
    """The report of a run of the same job that has come to its end; raises `BadOption` for pairs of another one."""
    pairs = job.out / PAIRS
    if not pairs.exists():
        return None
    try:
        report: dict[str, Any] = json.loads((job.out / REPORT).read_text(encoding="utf-8"))
        there: dict[str, str] = dict(report["made_of"])
    except (OSError, ValueError, KeyError, TypeError):
        raise BadOption(
            f"{str(pairs)!r} is there and not from a run that has ended.",
            hint="Give another folder, or --restart to replace it.",
        ) from None
    require_same(job.out, there, made_of)
    return report


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


def _check_distinct(job: Job, given: Sequence[Path]) -> None:
    paths = [path.resolve() for path in given]
    for spec, path in zip(job.options.pairs, paths, strict=True):
        if paths.count(path) > 1:
            raise BadOption(f"{spec.path!r} is given twice.", hint="Name each file once.")
        if path.parent == job.out.resolve() and path.name == PAIRS:
            raise BadOption(f"{str(path)!r} is both input and output.", hint="Give another folder.")


def _head(job: Job, scoring: Scoring | None, inputs: Sequence[Input]) -> dict[str, Any]:
    head = {
        "name": job.name,
        "language": job.language,
        "seed": job.seed,
        "options": job.options.model_dump(exclude={"jobs"}),
        "thresholds": scoring.thresholds if scoring else {},
        "signature": scoring.signature() if scoring else "",
        "notes": _notes(scoring, job.language),
    }
    # Where that is equal, so is the output.
    made_of = {key: str(head[key]) for key in ("name", "language", "seed", "thresholds", "signature")}
    made_of |= options_told("filter", job.options, free={"jobs"})
    return {**head, "made_of": made_of | {f"file {file.spec.path}": file.sha256[:DIGITS] for file in inputs}}


def _rules(job: Job, scoring: Scoring | None) -> list[tuple[str, str]]:
    """(name, limit) of all rules in the order of the report."""
    rules = [(rule.name, rule.limit) for rule in make_rules(job.options, job.language, scoring)]
    return [(_DUPLICATE, "the first of equal pairs"), *rules] if job.options.duplicates else rules


def _require_well_formed(job: Job, inputs: Sequence[Input], surveyed: Survey, head: Mapping[str, Any]) -> None:
    """Raise `BadInput` where too many rows of all files are malformed, with a report in place."""
    most, count = job.options.bad_rows, surveyed.count
    if count.malformed <= most * count.rows:
        return
    note = f"Given up: more than bad_rows = {most:g} of the rows malformed."
    _write_report(job, build_report({**head, "notes": [note]}, inputs, surveyed, Tally(job.seed, 0)))
    error = too_many(count.malformed, count.rows, count.first, most)
    raise BadInput(error.message, hint=f"{error.hint} The report: {job.out / REPORT_PAGE}.")


def _judge_all(
    job: Job, scoring: Scoring | None, inputs: Sequence[Input], surveyed: Survey, tally: Tally, file: IO[bytes]
) -> None:
    """Judge all pairs of the files; those kept go to `file`, `tally` is told of each, `surveyed` of each row."""
    options = job.options
    if scoring is not None:
        scoring.load()
    work = filter_work(make_rules(options, job.language, scoring), scoring if options.scores else None)
    waiting: deque[list[Pair]] = deque()

    def chunks() -> Iterator[bytes]:
        for pairs in _chunks(read_pairs(inputs, surveyed), Seen() if options.duplicates else None, tally):
            waiting.append(pairs)
            yield pack_texts([(pair.source, pair.target) for pair in pairs])

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)
        for answer in ordered_map(work, chunks(), _processes(options)):
            for pair, verdict in zip(waiting.popleft(), unpack_verdicts(answer), strict=True):
                tally.add(verdict.rule or KEPT, pair, verdict.value)
                if not verdict.rule:
                    file.write(_line(pair, verdict))
            progress.update(task, completed=tally.pairs.total())


def _chunks(read: Iterator[Pair], seen: Seen | None, tally: Tally) -> Iterator[list[Pair]]:
    """At most `CHUNK` pairs to judge at once. With `seen`, a pair that was there before is counted alone."""
    pairs: list[Pair] = []
    for pair in read:
        if seen is not None and not seen.add(pair.source, pair.target):
            tally.add(_DUPLICATE, pair)
            continue
        pairs.append(pair)
        if len(pairs) == CHUNK:
            yield pairs
            pairs = []
    if pairs:
        yield pairs


def _line(pair: Pair, verdict: Verdict) -> bytes:
    scores = {"scores": verdict.scores} if verdict.scores is not None else {}
    row = {"source": pair.source, "target": pair.target, **scores}
    return f"{json.dumps(row, ensure_ascii=False)}\n".encode()


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


def _write_report(job: Job, report: Mapping[str, Any]) -> None:
    write_text(job.out / REPORT, json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    write_text(job.out / REPORT_PAGE, markdown(report))


def _notes(scoring: Scoring | None, language: str) -> list[str]:
    if scoring is None:
        return [f"RuSimScore is made for Russian: no pair in {language!r} was scored."]
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
