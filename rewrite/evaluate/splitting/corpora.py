"""Readers of split-and-rephrase corpora in the formats that their makers publish.

WikiSplit (Botha et al., 2018), MinWiki and DeSSE (Gao et al., 2021), BiSECT (Kim et al., 2021), HSplit (Sulem et al.,
2018), Wiki-BM (Zhang et al., 2020) and WebSplit (Narayan et al., 2017) as `training.papers.websplit` writes it.
Nothing is downloaded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from rewrite.datasets import load_lines, text_lines
from rewrite.errors import BadInput
from rewrite.evaluate.splitting.data import SplitExample

__all__ = [
    "Borders",
    "by_stops",
    "load_aligned",
    "load_numbered",
    "load_websplit",
    "load_wikisplit",
    "marked_by",
    "unmarked",
]

Borders = Callable[[str], Sequence[str]]
"""The sentences of a gold rewrite, or nothing where their ends are not marked."""

_WIKISPLIT = "<::::>"
_COMPLEX = re.compile(r"(?:^|[._-])(?:complex|orig|norm|src)(?:[._-]|$)", re.IGNORECASE)
_REFERENCE = re.compile(r"\d|(?:^|[._-])(?:simple|simp|reference|ref|dst)(?:[._-]|$)", re.IGNORECASE)


def marked_by(mark: str) -> Borders:
    """Sentences that a `mark` stands between."""
    return lambda text: [sentence.strip() for sentence in text.split(mark)]


def by_stops(text: str) -> list[str]:
    """Sentences of MinWiki, each up to a mark that stands alone; the second stop at the end of a line is no word."""
    return re.split(r"(?<=\s[.?!])\s+", re.sub(r"\s+\.\s*\.$", " .", text))


def unmarked(text: str) -> list[str]:
    """For sets that do not mark where sentences end."""
    return []


def load_wikisplit(path: str | Path) -> list[SplitExample]:
    """TSV rows `complex<TAB>sentence <::::> sentence`; `BadInput` names file and line."""
    path = Path(path)
    examples = []
    for number, line in enumerate(text_lines(path), 1):
        source, *targets = line.split("\t")
        if len(targets) != 1:
            raise BadInput(
                f"{path}, line {number}: {len(targets)} tabs where complex<TAB>simple has one: {line[:60]!r}.",
                hint=f"Expected complex<TAB>simple {_WIKISPLIT} simple.",
            )
        examples.append(_example(source, targets[0], marked_by(_WIKISPLIT), f"{path}, line {number}"))
    return examples


def load_aligned(source: Path, target: Path, borders: Borders) -> list[SplitExample]:
    """Two files aligned line by line; `BadInput` names the lines of a pair that is incomplete, or both counts."""
    sources, targets = text_lines(source), text_lines(target)
    if len(sources) != len(targets):
        raise BadInput(f"{target} has {len(targets)} lines, {source} has {len(sources)}.", hint="They must be aligned.")
    return [
        _example(one, other, borders, f"{target}, line {number}")
        for number, (one, other) in enumerate(zip(sources, targets, strict=True), 1)
    ]


def _example(source: str, target: str, borders: Borders, place: str) -> SplitExample:
    sentences = borders(target)
    # Not only stripped: MinWiki has runs of spaces, and the sum of two sentences must be one text.
    text = " ".join(" ".join(sentences or [target]).split())
    if not source.strip() or not text or not all(sentences):
        raise BadInput(f"{place}: an empty sentence in the pair {source[:40]!r}, {target[:40]!r}.")
    return SplitExample(source.strip(), (text,), len(sentences))


def load_numbered(folder: str | Path) -> list[SplitExample]:
    """A folder with a file of complex sentences and one or more of references, all aligned line by line.

    The first has `complex`, `orig`, `src` or `norm` as a part of its name (`complex.txt`, `test.8turkers.tok.norm`);
    references have a number in theirs, or `simple` or `ref`, and come in the order of the numbers. Other files are
    left alone. `BadInput` where it is not clear which file is which, or the numbers of lines differ.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise BadInput(f"{str(folder)!r} is no folder.", hint="Give one with complex.txt and numbered references.")
    files = sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    complex_files = [file for file in files if _COMPLEX.search(file.name)]
    references = [file for file in files if file not in complex_files and _REFERENCE.search(file.name)]
    if len(complex_files) != 1 or not references:
        raise BadInput(
            f"{str(folder)!r} has {len(complex_files)} files of complex sentences and {len(references)} of references.",
            hint="Name one complex.txt (or *.orig, *.src, *.norm) and the others ref.1, ref.2 and so on.",
        )
    references.sort(key=_numbers)
    examples = load_lines(complex_files[0], references)
    for number, example in enumerate(examples, 1):
        if not example.source.strip() or not all(map(str.strip, example.references)):
            raise BadInput(f"{complex_files[0]}, line {number}: the sentence or one of its references is empty.")
    return [SplitExample(one.source.strip(), tuple(map(str.strip, one.references))) for one in examples]


def _numbers(file: Path) -> tuple[list[int], str]:
    return [int(number) for number in re.findall(r"\d+", file.name)], file.name


def load_websplit(path: str | Path) -> list[SplitExample]:
    """JSONL with an object a complex sentence: `complex`, and `references` with all its rephrasings.

    A reference is a text, or the list of its sentences. `BadInput` names file and line. Blank lines are skipped.
    """
    path = Path(path)
    return [
        _websplit_example(line, f"{path}, line {number}")
        for number, line in enumerate(text_lines(path), 1)
        if line.strip()
    ]


def _websplit_example(line: str, place: str) -> SplitExample:
    hint = 'Expected {"complex": "…", "references": ["…", …]}.'
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadInput(f"{place}, column {error.colno}: not JSON: {error.msg}.", hint=hint) from None
    source = row.get("complex") if isinstance(row, dict) else None
    references = row.get("references") if isinstance(row, dict) else None
    if not isinstance(source, str) or not source.strip():
        raise BadInput(f"{place}: no text under 'complex'.", hint=hint)
    if not isinstance(references, list) or not references:
        raise BadInput(f"{place}: no list of texts under 'references'.", hint=hint)
    texts = tuple(_joined(reference, place) for reference in references)
    first = references[0]
    return SplitExample(source.strip(), texts, len(first) if isinstance(first, list) else 0)


def _joined(reference: object, place: str) -> str:
    parts = reference if isinstance(reference, list) else [reference]
    if not parts or not all(isinstance(part, str) and part.strip() for part in parts):
        raise BadInput(f"{place}: the reference {str(reference)[:60]!r} is no text.")
    return " ".join(map(str.strip, parts))
