"""Sets for compression: what an example is, and the sets of JSON lines.

No set is shipped and nothing is downloaded. The formats of people's own corpora are in
`rewrite.evaluate.compression.corpora`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rewrite.datasets import json_object, text_lines
from rewrite.errors import BadInput
from rewrite.evaluate.compression.words import CHARACTERS, WORDS, SegmentedSplitter, Splitter

__all__ = ["CompressionExample", "CompressionSet", "load_sentcomp"]


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
            row = json_object(line, f"{path}, line {number}")
            examples.append(_sentcomp_example(row, f"{path}, line {number}"))
    return examples


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
