"""What a run did, as data and as a page to read. Nothing in it depends on time, machine or number of processes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from training.filtering.batches import KEPT, Example, Input, Tally

__all__ = ["MALFORMED", "build_report", "heaviest", "markdown"]

MALFORMED = "malformed"
_SPECIAL = re.compile(r"([\\`*\[|]|<(?=[A-Za-z/!]))")


def build_report(
    tally: Tally, rules: Sequence[tuple[str, str]], inputs: Sequence[Input], head: Mapping[str, Any]
) -> dict[str, Any]:
    """The report as JSON's types. `rules` are (name, limit) in the order in which they were applied; none were, where
    the run was given up, as a note in `head` then says."""
    listed = []
    checked = tally.pairs
    for name, limit in rules:
        dropped = tally.dropped.get(name, 0)
        listed.append(
            {
                "rule": name,
                "limit": limit,
                "checked": checked,
                "dropped": dropped,
                "share": _share(dropped, checked),
                "examples": [_example(one) for one in tally.examples.get(name, ())],
            }
        )
        checked -= dropped
    return {
        **head,
        "files": [_file(one, tally) for one in inputs],
        "rows": tally.rows,
        "malformed": {"rows": tally.malformed, "first": [one.model_dump() for one in tally.first_malformed]},
        "pairs": tally.pairs,
        "rules": listed,
        "kept": tally.kept,
        "kept_share": _share(tally.kept, tally.pairs),
        "kept_examples": [_example(one) for one in tally.examples.get(KEPT, ())],
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _file(one: Input, tally: Tally) -> dict[str, Any]:
    count = tally.files.get(one.spec.path)
    return {"path": one.spec.path, "bytes": one.size, "sha256": one.sha256, **(count.model_dump() if count else {})}


def _example(one: Example) -> dict[str, Any]:
    return one.model_dump(exclude={"key"} | ({"value"} if one.value in (None, "") else set()))


def heaviest(report: Mapping[str, Any]) -> tuple[str, int]:
    """The rule that dropped most, and how many pairs (or, of malformed rows, rows)."""
    dropped = {rule["rule"]: int(rule["dropped"]) for rule in report["rules"]}
    dropped[MALFORMED] = int(report["malformed"]["rows"])
    name = max(dropped, key=lambda rule: dropped[rule])
    return name, dropped[name]


def markdown(report: Mapping[str, Any]) -> str:
    """The report as a page."""
    lines = [
        f"# Filtered pairs: {report['name']}",
        "",
        f"{report['kept']:,} of {report['pairs']:,} pairs kept ({report['kept_share']:.1%}).",
        "",
        "| file | rows | pairs | malformed |",
        "| --- | --- | --- | --- |",
        *(
            f"| {_plain(f['path'])} | {f.get('rows', 0):,} | {f.get('pairs', 0):,} | {f.get('malformed', 0):,} |"
            for f in report["files"]
        ),
        "",
        *(_rules(report["rules"]) if report["rules"] else []),
        *_notes(report),
        *_malformed(report["malformed"]),
    ]
    for rule in report["rules"]:
        lines += _examples(f"Dropped by {rule['rule']}", rule["examples"])
    lines += _examples("Kept", report["kept_examples"])
    lines += ["## Settings", "", "```yaml", *_settings(report), "```"]
    return "\n".join(lines) + "\n"


def _rules(rules: Sequence[Mapping[str, Any]]) -> list[str]:
    return [
        "Rules, in the order in which they are applied; each sees what the one before it left.",
        "",
        "| rule | keeps | checked | dropped | share |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {r['rule']} | {_plain(r['limit'])} | {r['checked']:,} | {r['dropped']:,} | {r['share']:.1%} |"
            for r in rules
        ),
        "",
    ]


def _notes(report: Mapping[str, Any]) -> list[str]:
    return [line for note in report["notes"] for line in (_plain(note), "")]


def _malformed(malformed: Mapping[str, Any]) -> list[str]:
    if not malformed["rows"]:
        return []
    first = [
        f"- {_plain(one['file'])}, line {one['line']}: {_plain(one['reason'])}: {_plain(one['text'])}"
        for one in malformed["first"]
    ]
    return [f"## Malformed rows: {malformed['rows']:,}", "", *first, ""]


def _examples(title: str, examples: Sequence[Mapping[str, Any]]) -> list[str]:
    if not examples:
        return []
    lines = [f"## {title}", ""]
    for one in examples:
        value = f" ({_plain(str(one['value']))})" if "value" in one else ""
        lines += [
            f"- {_plain(one['file'])}, line {one['line']}{value}",
            f"  - {_plain(one['source'])}",
            f"  - → {_plain(one['target'])}",
        ]
    return [*lines, ""]


def _settings(report: Mapping[str, Any]) -> list[str]:
    import yaml

    options = {key: value for key, value in report["options"].items() if key != "pairs"}
    shown = {"language": report["language"], "seed": report["seed"], **options}
    if report["thresholds"]:
        shown["thresholds"] = report["thresholds"]
    text: str = yaml.safe_dump(shown, sort_keys=False, allow_unicode=True)
    return [*text.splitlines(), *([f"# {report['signature']}"] if report["signature"] else [])]


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
