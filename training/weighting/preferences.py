"""A person's choices between two rewrites, read and turned into differences of component log values.

Malformed rows are counted and named, and too many of them are an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.types import Candidate, FloatArray, ScoreTable
from rewrite.errors import BadInput
from rewrite.layout import one_line
from rewrite.pipeline import Pipeline
from rewrite.result import Result
from training.records import Lines, Malformed, RowCount, json_rows, kind_of, no_rows, shown, table_rows

Record = Mapping[str, Any]
# The logarithm of a component that is 0 has no end: below this a value says no more.
LEAST = 1e-6
# Nothing but the generator can tell these.
_ITS_OWN = frozenset({"likelihood", "caution"})
_ACCOUNT = frozenset({"logprob", "tokens", "least_logprob", "certainty", "risk", "source_logprob", "source_tokens"})
_WORDS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}


def _records(lines: Lines, path: Path) -> Iterator[tuple[int, Record] | Malformed]:
    """Line number and record of each row that is not blank, or what is wrong with the row."""
    kind = kind_of(path)
    if kind == "jsonl":
        yield from json_rows(lines)
        return
    head: list[str] | None = None
    for found in table_rows(lines, delimiter="," if kind == "csv" else "\t", quotes=kind == "csv"):
        if isinstance(found, Malformed):
            yield found
            continue
        line, fields = found
        if head is None:
            head = _head(fields, line, path)
        elif len(fields) != len(head):
            yield Malformed(line, f"fields: {len(fields)}, expected {len(head)}", shown(" | ".join(fields)))
        else:
            yield line, dict(zip(head, fields, strict=True))


def _head(fields: list[str], line: int, path: Path) -> list[str]:
    names = [name.strip() for name in fields]
    if "source" not in names:
        raise BadInput(
            f"{path}, line {line}: no column 'source', found {', '.join(map(repr, names))}.",
            hint="The first line of a table names its columns.",
        )
    return names


@dataclass(frozen=True)
class Choice:
    """Somebody liked `preferred` better than `other` as a rewrite of `source`, or both the same (`equal`)."""

    source: str
    preferred: Candidate
    other: Candidate
    equal: bool = False


def read_choices(path: Path, *, most_bad: float = 0.0) -> tuple[list[Choice], RowCount]:
    """Choices from JSONL, CSV or TSV: `source`, `preferred`, `other`, and `equal` where neither is better; all rows.

    In JSONL a side may be an object with `text` and what its generator says of it (`logprob`, `tokens`, `risk`, …), as
    `rewrite simplify --format jsonl` prints. A row whose sides are the same text is malformed. Raises `BadInput` for a
    file that cannot be read, has no column `source`, holds no rows, or has more than the share `most_bad` of malformed
    ones.
    """
    choices: list[Choice] = []
    count = RowCount()
    with Lines(path) as lines:
        for found in _records(lines, path):
            row = found if isinstance(found, Malformed) else _parsed(*found)
            if isinstance(row, Malformed):
                count.add_malformed(str(path), row)
            else:
                count.add()
                choices.append(row)
    count.require(most_bad)
    if not choices:
        raise no_rows(path, count)
    return choices, count


def _parsed(line: int, record: Record) -> Choice | Malformed:
    try:
        return _choice(record)
    except ValueError as error:
        return Malformed(line, str(error), shown(record))


def _choice(record: Mapping[str, Any]) -> Choice:
    source = record.get("source")
    if not isinstance(source, str) or not one_line(source):
        raise ValueError("no source")
    preferred, other = (_side(record, name) for name in ("preferred", "other"))
    if preferred.text == other.text:
        raise ValueError(f"both sides are the same text: {preferred.text[:40]!r}")
    return Choice(one_line(source), preferred, other, _is_equal(record.get("equal", False)))


def _side(record: Mapping[str, Any], name: str) -> Candidate:
    found = record.get(name)
    side = {"text": found} if isinstance(found, str) else found
    if not isinstance(side, dict) or not isinstance(side.get("text"), str) or not one_line(side["text"]):
        raise ValueError(f"no {name}")
    told = {key: side[key] for key in _ACCOUNT if side.get(key) is not None}
    wrong = [key for key, value in told.items() if isinstance(value, bool) or not isinstance(value, (int, float))]
    if wrong:
        raise ValueError(f"{name}.{wrong[0]} is {told[wrong[0]]!r}, no number")
    return Candidate(one_line(side["text"]), generator="given" if told else "", **told)


def _is_equal(value: object) -> bool:
    known = _WORDS.get(value.strip().lower()) if isinstance(value, str) else value
    if known is None and value is None:
        return False
    if not isinstance(known, bool):
        raise ValueError(f"equal is {value!r}, neither true nor false")
    return known


def contradictions(choices: Sequence[Choice]) -> int:
    """Pairs of texts that were decided both ways."""
    ways: dict[tuple[str, frozenset[str]], set[str]] = {}
    for choice in choices:
        if not choice.equal:
            pair = choice.source, frozenset({choice.preferred.text, choice.other.text})
            ways.setdefault(pair, set()).add(choice.preferred.text)
    return sum(len(preferred) > 1 for preferred in ways.values())


@dataclass(frozen=True, eq=False)
class Compared:
    """Choices as numbers: `differences [m, k]` of log values, preferred minus other, `equal [m]`, `groups [m]` sources.

    `blocked` counts choices left out because a side may not be chosen whatever its score, by reason; `unknown` the
    texts on which `likelihood` and `caution` say nothing, because the generator did not draw them.
    """

    components: tuple[str, ...]
    differences: FloatArray
    equal: npt.NDArray[np.bool_]
    groups: npt.NDArray[np.int64]
    blocked: Mapping[str, int] = field(default_factory=dict)
    unknown: int = 0

    def __len__(self) -> int:
        return len(self.differences)


def compare(choices: Sequence[Choice], results: Mapping[str, Result], pipeline: Pipeline) -> Compared:
    """Score both sides of each choice among what was drawn for its source (`results`, by source)."""
    wanted: dict[str, list[Candidate]] = {}
    for choice in choices:
        wanted.setdefault(choice.source, []).extend((choice.preferred, choice.other))
    tables, unknown = _scored(wanted, results, pipeline)
    components = next(iter(tables.values())).components if tables else ()
    own = [i for i, name in enumerate(components) if name in _ITS_OWN]
    numbers = {source: i for i, source in enumerate(wanted)}
    rows: list[FloatArray] = []
    kept: list[Choice] = []
    blocked: Counter[str] = Counter()
    for choice in choices:
        texts = choice.preferred.text, choice.other.text
        (better, why), (worse, why_other) = (_values_of(tables[choice.source], text) for text in texts)
        if reason := why or why_other:
            blocked[reason] += 1
            continue
        logs = np.log(np.maximum(better, LEAST)) - np.log(np.maximum(worse, LEAST))
        if unknown[choice.source].intersection(texts):
            logs[own] = 0.0
        rows.append(logs)
        kept.append(choice)
    return Compared(
        components=components,
        differences=np.array(rows, dtype=np.float64).reshape(len(rows), len(components)),
        equal=np.array([choice.equal for choice in kept], dtype=bool),
        groups=np.array([numbers[choice.source] for choice in kept], dtype=np.int64),
        blocked=dict(blocked.most_common()),
        unknown=sum(map(len, unknown.values())),
    )


def _values_of(table: ScoreTable, text: str) -> tuple[FloatArray, str]:
    """Values of a text of the table, and why it may not be chosen."""
    if text == table.source:
        return table.source_values, ""
    place = next(i for i, candidate in enumerate(table.candidates) if candidate.text == text)
    return table.values[place], table.blocked[place]


def _scored(
    wanted: Mapping[str, Sequence[Candidate]], results: Mapping[str, Result], pipeline: Pipeline
) -> tuple[dict[str, ScoreTable], dict[str, set[str]]]:
    """For each source a table of what was drawn and of all that is wanted, and the texts that no generator knows."""
    tables: dict[str, ScoreTable] = {}
    unknown: dict[str, set[str]] = {}
    pools: list[tuple[str, list[Candidate]]] = []
    for source, sides in wanted.items():
        drawn = _drawn(results.get(source))
        pool = {candidate.text: candidate for candidate in drawn.candidates} if drawn is not None else {}
        more = {side.text: side for side in sides if side.text not in pool and side.text != source}
        unknown[source] = {text for text, side in more.items() if not side.generator}
        if drawn is not None and not more:
            tables[source] = drawn
        else:
            pools.append((source, [*pool.values(), *more.values()]))
    return tables | {table.source: table for table in pipeline.checked(pools)}, unknown


def _drawn(result: Result | None) -> ScoreTable | None:
    """The table of a text of one sentence; the candidates of a longer one are rewrites of its parts."""
    if result is None or len(result.sentences) != 1 or result.sentences[0].source != result.source:
        return None
    return result.sentences[0].table
