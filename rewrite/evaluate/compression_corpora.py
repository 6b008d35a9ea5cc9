"""Readers of compression corpora in the formats that their makers publish, and the sets by name.

Broadcast and newsroom as JSON lines, a form for any other set; the Google set (Filippova & Altun, 2013; Filippova et
al., 2015) and the Chinese colloquial set (Zi et al., 2021).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from itertools import zip_longest
from pathlib import Path

from rewrite.datasets import Example, read_text, text_lines
from rewrite.errors import BadInput
from rewrite.evaluate.sets import Known, json_examples

# Appendix D of the NDD paper: what stands for each mask of the Chinese set.
MASKS = {"[业务名词]": "某业务", "[电话号码]": "电话", "[编号]": "1", "[名词]": "这个", "[地址]": "某地"}

# Rows after the paper's shuffle, the default first.
_CHINESE_PARTS = {"dev": slice(3000, 3150), "train": slice(0, 3000), "test": slice(3150, 3300)}

load_sentcomp = partial(
    json_examples,
    source="text",
    references="summaries",
    noun="summary",
    hint="Expected the keys id, text and summaries.",
)


def load_google(path: str | Path) -> Iterator[Example]:
    """The Google set: JSON objects one after the other, each over many lines, plain or packed.

    The source is `graph.sentence`, the reference `compression.text`; the test set of the literature is the first 1,000
    of `comp-data.eval.json`. `BadInput` names file and line.
    """
    path = Path(path)
    for line, row in _json_objects(path):
        source, reference = _inner(row, "graph", "sentence"), _inner(row, "compression", "text")
        if not source or not reference:
            missing = "compression.text" if source else "graph.sentence"
            raise BadInput(f"{path}, line {line}: the object that starts here has no {missing}.")
        yield Example(source, (reference,))


def _inner(row: object, outer: str, inner: str) -> str:
    """`row[outer][inner]` as stripped text, empty where there is none."""
    fields = row.get(outer) if isinstance(row, dict) else None
    text = fields.get(inner) if isinstance(fields, dict) else None
    return text.strip() if isinstance(text, str) else ""


_OBJECT = re.compile(r"[^\s,\[\]]")


def _json_objects(path: Path) -> Iterator[tuple[int, object]]:
    """The line each object starts on, and the object; commas and blank lines between objects are passed over."""
    text = read_text(path)
    decoder = json.JSONDecoder()
    end, line = 0, 1
    while opening := _OBJECT.search(text, end):
        start = opening.start()
        line += text.count("\n", end, start)
        try:
            row, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            raise BadInput(f"{path}, line {error.lineno}, column {error.colno}: not JSON: {error.msg}.") from None
        yield line, row
        line += text.count("\n", start, end)


def load_chinese(path: str | Path, *, part: str = "dev") -> list[Example]:
    """The Chinese colloquial set from the folder with `alldata-3300.txt` and `shuffled_idx-3300.txt`.

    `part` is `train`, `dev` or `test` of the published shuffle. A record is a number, its words and, on the next line,
    a label for each, 1 where it is kept. Masks become the words of the paper's appendix D. A row whose labels do not
    match its words or that keeps nothing cannot be read as a compression and is left out. `BadInput` names file and
    line for anything else that is broken.
    """
    inside = Path(path) / "Chinese SC dataset"
    folder = inside if inside.is_dir() else Path(path)
    records = _chinese_records(folder / "alldata-3300.txt")
    order = _order(folder / "shuffled_idx-3300.txt", len(records))
    examples = []
    for words, labels in (records[number] for number in order[_CHINESE_PARTS[part]]):
        kept = [word for word, label in zip(words, labels, strict=False) if label == "1"]
        if len(words) == len(labels) and kept:
            examples.append(Example("".join(words), ("".join(kept),)))
    return examples


# The published file lacks a quote here and there.
_WORDS_LINE = re.compile(r"(\d+)\t\[(.*)\]\s*")
_LABELS_LINE = re.compile(r"\s*\[((?:'[01]'(?:, )?)*)\]\s*")


def _chinese_records(path: Path) -> list[tuple[list[str], list[str]]]:
    """Words and labels of each record; record i is numbered i."""
    lines = [(number, line) for number, line in enumerate(text_lines(path), 1) if line.strip()]
    records: list[tuple[list[str], list[str]]] = []
    for (place, first), (_, second) in zip_longest(lines[::2], lines[1::2], fillvalue=(0, "")):
        words, labels = _WORDS_LINE.fullmatch(first), _LABELS_LINE.fullmatch(second)
        if not words or not labels or int(words[1]) != len(records):
            reason = f"expected the words of record {len(records)}, and labels of 0 and 1 on the next line"
            raise BadInput(f"{path}, line {place}: {reason}, found {first[:60]!r} and {second[:60]!r}.")
        records.append(([_unmasked(word) for word in _items(words[2])], _items(labels[1])))
    return records


def _items(listed: str) -> list[str]:
    return [item.strip().strip("'") for item in listed.split(", ")]


def _unmasked(word: str) -> str:
    for mask, expression in MASKS.items():
        word = word.replace(mask, expression)
    return word


def _order(path: Path, rows: int) -> list[int]:
    try:
        order = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise BadInput(
            f"{path}, line {error.lineno}: not JSON: {error.msg}.", hint="Expected a list of numbers."
        ) from None
    if not isinstance(order, list) or sorted(order, key=str) != sorted(range(rows), key=str):
        raise BadInput(f"{path}, line 1: not an order of the {rows} records.", hint="Use the two files of one release.")
    return order


SETS: dict[str, Known] = {
    "broadcast": Known(load_sentcomp, "sentcomp/broadcast.jsonl"),
    "newsroom": Known(load_sentcomp, "sentcomp/newsroom.jsonl"),
    "google": Known(load_google),
    "zh": Known(load_chinese, "som_ncscm_zh", tuple(_CHINESE_PARTS), language="zh"),
}
