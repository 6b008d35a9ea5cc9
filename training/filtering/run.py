"""A whole run: read, judge in all processes, write, report. Equal input and options give equal files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from rerank.errors import BadInput
from rerank.workers import default_processes, ordered_map
from rewrite.errors import BadOption
from training.card import table
from training.disk import (
    DIGITS,
    file_sha256,
    folder_lock,
    options_told,
    require_same,
    write_json,
    write_text,
    write_whole,
)
from training.filtering.rules import CHUNK, Rule, Scoring, Verdict, judge, make_rules, normal
from training.filtering.thresholds import FilterOptions
from training.pairs import RowCount, read_pairs
from training.recipe import Run

PAIRS, DROPPED, REPORT, REPORT_PAGE = "pairs.jsonl", "dropped.jsonl", "filter-report.json", "filter-report.md"
_LOCK = ".filter-lock"
_DUPLICATE = "duplicate"
_Placed = tuple[str, int, str, str]
"""A file as the recipe names it, a line, source and target."""


def run_filter(run: Run, options: FilterOptions, *, restart: bool = False) -> dict[str, Any]:
    """Filter and return the report; what is finished already is not done again, unless `restart`, and that is printed.

    Raises `BadInput` for input that cannot be read, for too many malformed rows and where no pair is left, `BadOption`
    where the folder holds another run and for options that do not go together, `CannotWrite`.
    """
    out, language = run.out, run.recipe.language
    files = {spec.path: run.path(spec.path) for spec in options.pairs}
    if (out / PAIRS).resolve() in {path.resolve() for path in files.values()}:
        raise BadOption(f"{str(out / PAIRS)!r} is both input and output.", hint="Give another folder.")
    scoring = _scoring(options, language)
    made_of = options_told("filter", options, free={"jobs"}) | {
        "language": language,
        "signature": scoring.signature() if scoring is not None else "",
        **{f"file {name}": file_sha256(path)[:DIGITS] for name, path in files.items()},
    }
    with folder_lock(out, _LOCK):
        if not restart and (report := _finished(out, made_of)) is not None:
            print(f"{out / PAIRS} was finished before; --restart would begin anew.")
            return report
        for name in (PAIRS, DROPPED, REPORT, REPORT_PAGE):
            (out / name).unlink(missing_ok=True)
        rules = make_rules(options, language, scoring)
        limits = [(rule.name, rule.limit) for rule in rules]
        if options.duplicates:
            limits.append((_DUPLICATE, "the first of equal pairs"))
        rows, counts = RowCount(), Counter[str]()
        with write_whole(out / PAIRS) as kept_draft:
            with write_whole(out / DROPPED) as dropped_draft:
                with kept_draft.open("w", encoding="utf-8") as kept, dropped_draft.open("w", encoding="utf-8") as other:
                    for placed, verdict in _judged(options, files, rows, rules, scoring):
                        counts[verdict.rule] += 1
                        line = json.dumps(_row(placed, verdict), ensure_ascii=False)
                        print(line, file=other if verdict.rule else kept)
                # In here: of a run that is given up neither file is kept.
                rows.settle(options.bad_rows, print)
            report = _report(rows, counts, limits)
            write_json(out / REPORT, {**report, "made_of": made_of})
            write_text(out / REPORT_PAGE, _page(report))
            _require_pairs(report, out)
        return report


def _finished(out: Path, made_of: Mapping[str, str]) -> dict[str, Any] | None:
    """The report of a run of the same job that has come to its end; raises `BadOption` for pairs of another one."""
    if not (out / PAIRS).exists():
        return None
    try:
        report: dict[str, Any] = json.loads((out / REPORT).read_text(encoding="utf-8"))
        there: dict[str, str] = dict(report.pop("made_of"))
    except (OSError, ValueError, KeyError, TypeError):
        raise BadOption(
            f"{str(out / PAIRS)!r} is there and not from a run that has ended.",
            hint="Give another folder, or --restart to replace it.",
        ) from None
    require_same(out, there, made_of)
    return report


def _scoring(options: FilterOptions, language: str) -> Scoring | None:
    """RuSimScore, or none for another language, for which it may not be asked."""
    if language == "ru":
        return Scoring(options)
    russian = {"thresholds", "encoder", "frequencies", "variant"}
    if asked := sorted(russian & set(options.model_dump(exclude_defaults=True))):
        raise BadOption(
            f"The language is {language!r}, and {', '.join(asked)} are for Russian alone.",
            hint="Leave them out: the rules about words, language, copies and duplicates apply.",
        )
    return None


def _judged(
    options: FilterOptions, files: Mapping[str, Path], rows: RowCount, rules: Sequence[Rule], scoring: Scoring | None
) -> Iterator[tuple[_Placed, Verdict]]:
    """All pairs of the files, in order, with what became of them; `rows` is told of each row."""
    if scoring is not None:
        scoring.load()

    def work(chunk: list[_Placed]) -> list[tuple[_Placed, Verdict]]:
        return list(zip(chunk, judge([placed[2:] for placed in chunk], rules), strict=True))

    pairs = (
        (spec.path, pair.line, " ".join(pair.source.split()), " ".join(pair.target.split()))
        for spec in options.pairs
        for pair in read_pairs(files[spec.path], spec, rows)
    )
    # An encoder of torch does not survive a fork.
    processes = (options.jobs or default_processes()) if options.encoder == "navec" else 1
    answers = ordered_map(work, iter(lambda: list(islice(pairs, CHUNK)), []), processes)
    console = Console(stderr=True)
    # Fingerprints of 8 bytes: of n pairs that are kept, two are taken for one with a chance of n²/2⁶⁵.
    seen: set[bytes] = set()
    for answer in track(answers, "", console=console, transient=True, disable=not console.is_terminal):
        for placed, verdict in answer:
            if verdict.rule or not options.duplicates:
                yield placed, verdict
                continue
            mark = blake2b("\0".join(map(normal, placed[2:])).encode(), digest_size=8).digest()
            yield placed, Verdict(_DUPLICATE) if mark in seen else verdict
            seen.add(mark)


def _row(placed: _Placed, verdict: Verdict) -> dict[str, Any]:
    """A line of what is kept, or of what is dropped."""
    file, line, source, target = placed
    row = {"source": source, "target": target}
    if not verdict.rule:
        return row
    return {"rule": verdict.rule, "value": verdict.value, "file": file, "line": line, **row}


def _report(rows: RowCount, counts: Mapping[str, int], limits: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The report as JSON's types, from how many pairs each rule dropped; the rule "" kept them."""
    pairs = left = sum(counts.values())
    rules = []
    for name, limit in limits:
        rules.append({"rule": name, "limit": limit, "checked": left, "dropped": counts[name]})
        left -= counts[name]
    malformed = {"rows": rows.malformed, "first": rows.first}
    return {"rows": rows.rows, "malformed": malformed, "pairs": pairs, "kept": counts[""], "rules": rules}


def _page(report: Mapping[str, Any]) -> str:
    """The report as a page."""
    rules = [
        (r["rule"], r["limit"], f"{r['checked']:,}", f"{r['dropped']:,}", f"{r['dropped'] / (r['checked'] or 1):.1%}")
        for r in report["rules"]
    ]
    malformed = report["malformed"]
    parts = [
        "# Filtered pairs",
        f"{report['kept']:,} of {report['pairs']:,} pairs kept, from {report['rows']:,} rows.",
        table(("rule", "keeps", "checked", "dropped", "share"), rules),
        "\n".join([f"Malformed rows: {malformed['rows']:,}.", *(f"- {complaint}" for complaint in malformed["first"])]),
    ]
    return "\n\n".join(parts) + "\n"


def _require_pairs(report: Mapping[str, Any], out: Path) -> None:
    """Raises `BadInput` where nothing is kept."""
    if not report["pairs"]:
        raise BadInput("The files hold no pairs.", hint="Check the paths.")
    if not report["kept"]:
        most = max(report["rules"], key=lambda rule: int(rule["dropped"]))
        raise BadInput(
            f"No pair is left of {report['pairs']:,}; the rule {most['rule']!r} ({most['limit']}) dropped most, "
            f"{most['dropped']:,}.",
            hint=f"{out / DROPPED} has them. Are files and columns the right ones? docs/filter.md tells what switches "
            "a rule off.",
        )
