"""Sets that outputs are evaluated on, by name from files that people have.

No set is shipped and nothing is downloaded. The formats are in `compression_corpora` and `splitting_corpora`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from rewrite.datasets import Example, data_folder, json_object, placed_lines
from rewrite.errors import BadInput, BadOption, UnknownName


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """Examples of one corpus under its `name`, with the part and rows that were taken, and `language` (ISO 639-1)."""

    name: str
    examples: tuple[Example, ...]
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Known:
    """A set that lies at `place` in a data folder, or must be named itself where that is empty.

    Each of `parts` is a file there that ends with its name and `ending`, the first the default; without an ending
    `load` takes the `part`.
    """

    load: Callable[..., Iterable[Example]]
    place: str = ""
    parts: tuple[str, ...] = ()
    ending: str = ""
    language: str = "en"


def load_set(
    sets: Mapping[str, Known],
    name: str,
    data: str | Path | None = None,
    *,
    part: str | None = None,
    rows: tuple[int, int] | None = None,
    limit: int | None = None,
) -> EvaluationSet:
    """The set `name` of `sets` from `data`: its own file or folder, or a data folder that holds it.

    `data` may be left out where the variable `REWRITE_DATA` names the data folder. `part` is one of the set's;
    `rows` takes the examples from the first to the second number, both counted from 1 and included; `limit` the
    first of those. Raises `UnknownName` for another set, `BadOption` for a part or rows that there are not, `BadInput`
    for files that are missing or broken.
    """
    if name not in sets:
        raise UnknownName(f"No set {name!r}.", hint=f"Known: {', '.join(sets)}.")
    known = sets[name]
    if part is not None and part not in known.parts:
        listed = f"Known: {', '.join(known.parts)}." if known.parts else "Leave --part out."
        raise BadOption(f"The set {name} has no part {part!r}.", hint=listed)
    if not known.place and data is None:
        raise BadInput(f"The set {name} needs its file.", hint="Give --data with the file or folder of the set.")
    path = located(known.place, data)
    if path.is_file() and part is not None:
        raise BadOption(f"Of the file {str(path)!r} there is no part {part!r}.", hint="Give the folder, or no part.")
    load = known.load
    if known.parts and path.is_dir():
        part = part or known.parts[0]
        if known.ending:
            path = _file(name, path, part + known.ending)
        else:
            load = partial(load, part=part)
    # Some files are large, and what is asked for is often their beginning.
    examples = list(load(path) if rows else islice(load(path), limit))
    if not examples:
        raise BadInput(f"{str(path)!r} holds no example.", hint=f"Is this the set {name}?")
    label = " ".join(item for item in (name, part, f"{rows[0]}-{rows[1]}" if rows else None) if item)
    return EvaluationSet(label, tuple(_rows(examples, rows, path)[:limit]), known.language)


def located(place: str, data: str | Path | None) -> Path:
    """`place`, or the end of it, in the folder `data` (without it the data folder); `data` itself where it has none."""
    given = Path(data) if data is not None else data_folder()
    parts = Path(place).parts
    ends = (given.joinpath(*parts[start:]) for start in range(len(parts)))
    return next((path for path in ends if path.exists()), given)


def _file(name: str, folder: Path, ending: str) -> Path:
    files = sorted(file for file in folder.iterdir() if file.name.endswith(ending))
    if len(files) != 1:
        listed = ", ".join(file.name for file in files) or "none"
        raise BadInput(
            f"The set {name}: {str(folder)!r} should hold one file named *{ending}, there is {listed}.",
            hint="Check --data.",
        )
    return files[0]


def _rows(examples: Sequence[Example], rows: tuple[int, int] | None, path: Path) -> Sequence[Example]:
    if rows is None:
        return examples
    first, last = rows
    if not 1 <= first <= last <= len(examples):
        raise BadOption(f"{path} has no rows {first}:{last}.", hint=f"It has rows 1:{len(examples)}.")
    return examples[first - 1 : last]


def json_examples(path: str | Path, source: str, references: str, *, noun: str, hint: str) -> Iterable[Example]:
    """JSONL with an example a line: a text under the key `source`, texts under `references`, each called `noun`.

    A reference may be the list of its sentences. `BadInput` names file and line. Blank lines are skipped.
    """
    for place, line in placed_lines(Path(path)):
        if not line.strip():
            continue
        row = json_object(line, place)
        text, texts = row.get(source), row.get(references)
        if not isinstance(text, str) or not text.strip():
            raise BadInput(f"{place}: no text under {source!r}.", hint=hint)
        if not isinstance(texts, list) or not texts:
            raise BadInput(f"{place}: no list of texts under {references!r}.", hint=hint)
        sentences = len(texts[0]) if isinstance(texts[0], list) else 0
        yield Example(
            text.strip(), tuple(_joined(given, f"{place}: the {noun}") for given in texts), sentences=sentences
        )


def _joined(reference: object, place: str) -> str:
    parts = reference if isinstance(reference, list) else [reference]
    if not parts or not all(isinstance(part, str) and part.strip() for part in parts):
        raise BadInput(f"{place} {str(reference)[:60]!r} is no text.")
    return " ".join(map(str.strip, parts))
