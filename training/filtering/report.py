"""What a run did, as data and as a page to read. Nothing in it depends on time, machine or number of processes."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from training.card import table
from training.filtering.reading import Input, Pair, Survey

KEPT, MALFORMED = "kept", "malformed"
Example = tuple[str, Pair, str | float | None]
"""A key that orders the pairs at random, the same in every run; a pair; what the rule found in it."""


@dataclass
class Tally:
    """How many pairs each rule dropped, or are `KEPT`, and `most` examples of each, chosen by `seed`."""

    seed: int
    most: int
    pairs: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[Example]] = field(default_factory=dict)

    def add(self, rule: str, pair: Pair, value: str | float | None = None) -> None:
        """Count a pair."""
        self.pairs[rule] += 1
        key = hashlib.blake2b(f"{self.seed}\0{pair.source}\0{pair.target}".encode(), digest_size=8).hexdigest()
        examples = self.examples.setdefault(rule, [])
        if len(examples) < self.most or (self.most and key < examples[-1][0]):
            examples.append((key, pair, value))
            examples.sort(key=lambda example: example[0])
            del examples[self.most :]

    def shown(self, rule: str) -> list[dict[str, Any]]:
        """The examples of a rule for the report."""
        return [
            {"file": pair.file, "line": pair.line, "source": pair.source, "target": pair.target}
            | ({} if value in (None, "") else {"value": value})
            for _, pair, value in self.examples.get(rule, ())
        ]


def build_report(
    head: Mapping[str, Any],
    inputs: Sequence[Input],
    surveyed: Survey,
    tally: Tally,
    rules: Sequence[tuple[str, str]] = (),
) -> dict[str, Any]:
    """The report as JSON's types. `rules` are (name, limit) in the order in which they were applied; none were, where
    the run was given up, as a note in `head` then says."""
    listed = []
    checked = surveyed.pairs
    for name, limit in rules:
        dropped = tally.pairs[name]
        listed.append(
            {
                "rule": name,
                "limit": limit,
                "checked": checked,
                "dropped": dropped,
                "share": _share(dropped, checked),
                "examples": tally.shown(name),
            }
        )
        checked -= dropped
    first = [
        {"file": file, "line": row.line, "reason": row.reason, "text": row.text} for file, row in surveyed.count.first
    ]
    report = {
        **head,
        "files": [_file(file) | surveyed.files[file.spec.path] for file in inputs],
        "rows": surveyed.count.rows,
        "malformed": {"rows": surveyed.count.malformed, "first": first},
        "pairs": surveyed.pairs,
        "rules": listed,
        "kept": tally.pairs[KEPT],
        "kept_share": _share(tally.pairs[KEPT], surveyed.pairs),
        "kept_examples": tally.shown(KEPT),
    }
    return dict(json.loads(json.dumps(report)))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _file(file: Input) -> dict[str, Any]:
    return {"path": file.spec.path, "bytes": file.size, "sha256": file.sha256}


def heaviest(report: Mapping[str, Any]) -> tuple[str, int]:
    """The rule that dropped most, and how many pairs (or, of malformed rows, rows)."""
    dropped = {rule["rule"]: int(rule["dropped"]) for rule in report["rules"]}
    dropped[MALFORMED] = int(report["malformed"]["rows"])
    name = max(dropped, key=lambda rule: dropped[rule])
    return name, dropped[name]


def markdown(report: Mapping[str, Any]) -> str:
    """The report as a page."""
    files = [(f["path"], f"{f['rows']:,}", f"{f['pairs']:,}", f"{f['malformed']:,}") for f in report["files"]]
    rules = [
        (r["rule"], r["limit"], f"{r['checked']:,}", f"{r['dropped']:,}", f"{r['share']:.1%}") for r in report["rules"]
    ]
    settings = {key: report[key] for key in ("language", "seed", "options", "thresholds", "signature")}
    malformed = report["malformed"]
    parts = [
        f"# Filtered pairs: {report['name']}",
        f"{report['kept']:,} of {report['pairs']:,} pairs kept ({report['kept_share']:.1%}).",
        table(("file", "rows", "pairs", "malformed"), files),
        "Rules, in the order in which they are applied; each sees what the one before it left." if rules else "",
        table(("rule", "keeps", "checked", "dropped", "share"), rules) if rules else "",
        *report["notes"],
        _section(f"Malformed rows: {malformed['rows']:,}", malformed["first"]),
        *(_section(f"Dropped by {rule['rule']}", rule["examples"]) for rule in report["rules"]),
        _section("Kept", report["kept_examples"]),
        _section("Settings", settings),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _section(title: str, values: Any) -> str:
    """A heading and the values as YAML, which shows texts as they are; empty without any."""
    import yaml

    dumped = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=1_000) if values else ""
    return f"## {title}\n\n````yaml\n{dumped}````" if values else ""
