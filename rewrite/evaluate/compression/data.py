"""Sets for compression: what an example is, the sets known by name, and reading what a system made of one.

No set is shipped and nothing is downloaded. The formats of people's own corpora are in
`rewrite.evaluate.compression.corpora`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rewrite.datasets import text_lines
from rewrite.errors import BadInput
from rewrite.evaluate.compression.words import CHARACTERS, WORDS, SegmentedSplitter, Splitter

__all__ = ["CompressionExample", "CompressionSet", "load_outputs", "load_sentcomp"]

_HOW = 'Give one text a line, source<TAB>text as .tsv, or {"text": "…"} a line as .jsonl.'


@dataclass(frozen=True, slots=True)
class CompressionExample:
    """A source with its gold compressions, at least one, each by another annotator.

    `words` is the source as the corpus segments it, where its script does not part words.
    """

    source: str
    references: tuple[str, ...]
    id: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CompressionSet:
    """Examples of one corpus under its `name` and `language` (ISO 639-1)."""

    name: str
    language: str
    examples: tuple[CompressionExample, ...]

    def splitters(self, *, characters: bool = False) -> list[Splitter]:
        """How each example and its compressions are split into words, or into characters.

        Words are the corpus's own where it has them, characters in Chinese without such, and otherwise
        `rewrite.evaluate.compression.words.WORDS`.
        """
        plain = CHARACTERS if characters or self.language == "zh" else WORDS
        if characters:
            return [plain] * len(self.examples)
        return [SegmentedSplitter(example.words) if example.words else plain for example in self.examples]

    def first(self, limit: int | None) -> CompressionSet:
        """The set's first `limit` examples."""
        return CompressionSet(self.name, self.language, self.examples[:limit])


def load_sentcomp(path: str | Path) -> list[CompressionExample]:
    """JSONL with a row an example: `id`, `text` and `summaries`, one or more (the broadcast and newsroom sets).

    `BadInput` names file and line. Blank lines are skipped.
    """
    path = Path(path)
    examples = []
    for number, line in enumerate(text_lines(path), 1):
        if line.strip():
            row = _object(line, f"{path}, line {number}")
            examples.append(_sentcomp_example(row, f"{path}, line {number}"))
    return examples


def _object(line: str, place: str) -> dict[str, object]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadInput(
            f"{place}, column {error.colno}: not JSON: {error.msg}.", hint="Expected an object a line."
        ) from None
    if not isinstance(row, dict):
        raise BadInput(f"{place}: {line.strip()[:60]!r} is not a JSON object.", hint="Expected an object a line.")
    return row


def _sentcomp_example(row: dict[str, object], place: str) -> CompressionExample:
    source, summaries = row.get("text"), row.get("summaries")
    if not isinstance(source, str) or not source.strip():
        raise BadInput(f"{place}: no text under 'text'.", hint="Expected the keys id, text and summaries.")
    if not isinstance(summaries, list) or not summaries:
        raise BadInput(
            f"{place}: no list of texts under 'summaries'.", hint="Expected the keys id, text and summaries."
        )
    for summary in summaries:
        if not isinstance(summary, str) or not summary.strip():
            raise BadInput(f"{place}: the summary {summary!r} is no text.")
    return CompressionExample(source.strip(), tuple(map(str.strip, summaries)), str(row.get("id", "")))


class _WithSource(Protocol):
    @property
    def source(self) -> str: ...


def load_outputs(path: str | Path, examples: Sequence[_WithSource]) -> list[str]:
    """What a system made of the sources of `examples`, one output for each, in order.

    `.jsonl` holds objects with `text` (and `source`), as `rewrite` prints them, `.tsv` source<TAB>output, any other
    file one output a line, an empty line being an empty output. Sources that are given must be those of the examples.
    `BadInput` names the line, or both counts where they differ.
    """
    path = Path(path)
    read = {".jsonl": _jsonl_output, ".ndjson": _jsonl_output, ".tsv": _tsv_output}.get(
        path.suffix.lower(), _plain_output
    )
    rows = [read(line, f"{path}, line {number}") for number, line in enumerate(text_lines(path), 1)]
    if len(rows) != len(examples):
        raise BadInput(f"{path} holds {len(rows)} outputs, the set has {len(examples)} sources.", hint=_HOW)
    for number, ((source, _), example) in enumerate(zip(rows, examples, strict=True), 1):
        if source is not None and source.split() != example.source.split():
            raise BadInput(
                f"{path}, line {number}: the source {source[:60]!r} is not that of the set, {example.source[:60]!r}.",
                hint="Outputs must stand in the order of the set.",
            )
    return [output for _, output in rows]


def _plain_output(line: str, place: str) -> tuple[str | None, str]:
    return None, line.strip()


def _tsv_output(line: str, place: str) -> tuple[str | None, str]:
    source, tab, output = line.partition("\t")
    if not tab or "\t" in output:
        raise BadInput(f"{place}: {line.count(chr(9))} tabs where source<TAB>output has one: {line[:60]!r}.", hint=_HOW)
    return source, output.strip()


def _jsonl_output(line: str, place: str) -> tuple[str | None, str]:
    row = _object(line, place)
    output, source = row.get("text"), row.get("source")
    if not isinstance(output, str):
        raise BadInput(f"{place}: no text under 'text', found {', '.join(map(repr, row)) or 'nothing'}.", hint=_HOW)
    return source if isinstance(source, str) else None, output.strip()
