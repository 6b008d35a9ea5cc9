"""Reading by people: a shuffled, unnamed sheet, its key, and the tally of filled sheets.

A line of the sheet shows a source and one output; who made it stands in the key only. The source itself and a human
reference are among the outputs as controls: a source that readers do not call factual, or references far below 90 %,
mean that the reading is off. Readers fill in copies of the sheet independently, answering in this order and without
mending the output in their heads:

- `well_formed`: a sentence a careful editor would print: complete, agreeing, punctuated, nothing left over. true/false
- `factual`: everything it says follows from the source; leaving detail out is allowed, changing it is not. true/false
- `fault`: if not factual, the class, one of `FAULTS`
- `main_point`: what a reader would need from the source is still there. true/false
- `simpler`: than the source, for a reader of ordinary schooling: one of `SIMPLER`
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rerank.errors import BadInput
from rewrite.datasets import Example
from rewrite.evaluate.report import text_table

__all__ = ["FAULTS", "SIMPLER", "SystemTally", "draw", "load_sheet", "tally", "tally_text", "write_kit"]

SIMPLER = ("much", "somewhat", "no")
FAULTS = ("entity", "number", "polarity", "sense", "omission")
_YES_NO = ("well_formed", "factual", "main_point")
_QUESTIONS = (*_YES_NO, "simpler")
SOURCE, REFERENCE = "source", "reference"


@dataclass(frozen=True, slots=True)
class SystemTally:
    """Shares in [0, 1] over all readers for one system; `agreement` is the share of equal answers of two readers.

    `simpler` counts much and somewhat. `faults` counts the classes of what was not factual.
    """

    name: str
    outputs: int
    well_formed: float
    factual: float
    main_point: float
    simpler: float
    agreement: Mapping[str, float]
    faults: Mapping[str, int]


def draw(
    examples: Sequence[Example], outputs: Mapping[str, Sequence[str]], *, size: int = 100, seed: int = 0
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A sheet and its key for `size` sources drawn by `seed`; `outputs` maps each system to one text per example.

    The source and its first reference are added as controls. Lines of a source stay together, in an order of their
    own for each source.
    """
    for name, given in outputs.items():
        if len(given) != len(examples) or name in (SOURCE, REFERENCE):
            raise BadInput(f"System {name!r} has {len(given)} outputs for {len(examples)} examples, or a taken name.")
    rng = random.Random(seed)
    sheet: list[dict[str, Any]] = []
    key: list[dict[str, Any]] = []
    for place in rng.sample(range(len(examples)), min(size, len(examples))):
        example = examples[place]
        texts = {SOURCE: example.source, REFERENCE: example.references[0]}
        texts.update({name: rewrites[place] for name, rewrites in outputs.items()})
        for name in rng.sample(sorted(texts), len(texts)):
            number = len(sheet) + 1
            blank = dict.fromkeys((*_QUESTIONS, "fault"))
            sheet.append({"id": number, "source": example.source, "output": texts[name], **blank})
            key.append({"id": number, "system": name, "example": place})
    return sheet, key


def write_kit(
    folder: str | Path,
    examples: Sequence[Example],
    outputs: Mapping[str, Sequence[str]],
    *,
    size: int = 100,
    seed: int = 0,
) -> tuple[Path, Path]:
    """Write `sheet.jsonl` and `key.jsonl` into `folder`, which is made if need be; returns both paths."""
    sheet, key = draw(examples, outputs, size=size, seed=seed)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / "sheet.jsonl", folder / "key.jsonl"
    for path, rows in zip(paths, (sheet, key), strict=True):
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return paths


def load_sheet(path: str | Path) -> list[dict[str, Any]]:
    """A filled sheet or a key; `BadInput` names the line that is no JSON object with an `id`."""
    rows = []
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"Cannot read {str(path)!r}: {error}.") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise BadInput(f"{path}, line {number}: not JSON: {error.msg}.") from error
        if not isinstance(row, dict) or "id" not in row:
            raise BadInput(f"{path}, line {number}: expected an object with an id.")
        rows.append(row)
    return rows


def _answers(sheet: Sequence[Mapping[str, Any]]) -> dict[Any, dict[str, Any]]:
    """Checked answers by id."""
    answers: dict[Any, dict[str, Any]] = {}
    for row in sheet:
        for question in _YES_NO:
            if not isinstance(row.get(question), bool):
                raise BadInput(f"id {row['id']}: {question} is {row.get(question)!r}.", hint="Answer true or false.")
        if row.get("simpler") not in SIMPLER:
            hint = f"Answer one of {', '.join(SIMPLER)}."
            raise BadInput(f"id {row['id']}: simpler is {row.get('simpler')!r}.", hint=hint)
        if not row["factual"] and row.get("fault") not in FAULTS:
            hint = f"Name one of {', '.join(FAULTS)} where factual is false."
            raise BadInput(f"id {row['id']}: fault is {row.get('fault')!r}.", hint=hint)
        answers[row["id"]] = {**row, "simpler": row["simpler"] != "no"}
    return answers


def tally(key: Sequence[Mapping[str, Any]], *sheets: Sequence[Mapping[str, Any]]) -> list[SystemTally]:
    """Figures of each system from one or more filled sheets, controls last; agreement over each pair of readers."""
    readers = [_answers(sheet) for sheet in sheets]
    ids = {row["id"] for row in key}
    once = all(len(sheet) == len(ids) == len(key) for sheet in sheets)
    if not readers or not once or any(set(reader) != ids for reader in readers):
        raise BadInput("Each sheet must answer every line of the key, once.", hint="Fill in whole copies of the sheet.")
    names = sorted({row["system"] for row in key}, key=lambda name: (name in (SOURCE, REFERENCE), name))
    return [_tally_one(name, [row["id"] for row in key if row["system"] == name], readers) for name in names]


def _tally_one(name: str, ids: Sequence[Any], readers: Sequence[Mapping[Any, Mapping[str, Any]]]) -> SystemTally:
    rows = [reader[i] for reader in readers for i in ids]
    shares = {question: sum(bool(row[question]) for row in rows) / len(rows) for question in _QUESTIONS}
    pairs = [(a[i], b[i]) for k, a in enumerate(readers) for b in readers[k + 1 :] for i in ids]
    agreement = {q: sum(one[q] == two[q] for one, two in pairs) / len(pairs) for q in _QUESTIONS} if pairs else {}
    faults = Counter(row["fault"] for row in rows if not row["factual"])
    return SystemTally(name=name, outputs=len(ids), **shares, agreement=agreement, faults=dict(faults.most_common()))


def tally_text(tallies: Sequence[SystemTally]) -> str:
    """The figures as a table, in percent."""
    head = ["system", "outputs", "well formed", "factual", "main point", "simpler", "agreement", "faults"]
    rows = []
    for one in tallies:
        agreed = f"{100 * sum(one.agreement.values()) / len(one.agreement):.0f}" if one.agreement else "–"
        shares = [f"{100 * share:.0f}" for share in (one.well_formed, one.factual, one.main_point, one.simpler)]
        faults = ", ".join(f"{name} {count}" for name, count in one.faults.items()) or "–"
        rows.append([one.name, str(one.outputs), *shares, agreed, faults])
    return text_table(head, rows)
