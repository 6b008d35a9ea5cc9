"""RDF triples: reading them, the names of their entities, and the order in which a tree of them is read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rerank.errors import BadInput
from rewrite.batch import NO_FILE, inspect_file
from rewrite.datasets import placed_lines

_TYPE = re.compile(r"(?<=\")(?:@\w+|\^\^\S+)$")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HINT = "Write: subject | property | object, several on a line with a tab between them; or [[s, p, o], …]."


@dataclass(frozen=True, slots=True, order=True)
class Triple:
    """`subject | property | object`, each as WebNLG writes it: a URI's name with underscores, or a literal."""

    subject: str
    property: str
    object: str

    def __str__(self) -> str:
        return f"{self.subject} | {self.property} | {self.object}"

    def pair(self) -> tuple[str, str]:
        """Subject and property: what a leak-free split keeps apart."""
        return self.subject, self.property


def parse_triple(text: str) -> Triple:
    """The triple that WebNLG writes as `subject | property | object`. Raises `BadInput` for anything else."""
    parts = [" ".join(part.split()) for part in text.split(" | ")]
    if len(parts) != 3 or not all(parts):
        raise BadInput(f"{text[:80]!r} is no triple.", hint="Write: subject | property | object")
    return Triple(*parts)


def entity_name(entity: str) -> str:
    """A subject or object as words: underscores are spaces, quotes and the types of literals are gone."""
    return " ".join(_TYPE.sub("", entity).replace("_", " ").replace('"', "").split())


def property_name(name: str) -> str:
    """A property as words: `leaderName` and `leader_name` are both `leader name`."""
    return " ".join(_HUMP.sub(" ", name.replace("_", " ")).split()).lower()


def depth_first(triples: Iterable[Triple]) -> tuple[Triple, ...]:
    """The triples in the order of a depth-first traversal, branches from left to right (section 3.2, "Ordering").

    Branches of a node are in the order given. Roots, in the same order, are the subjects that are no triple's object;
    what no root leads to, a cycle, is entered at its first triple.
    """
    given = list(dict.fromkeys(triples))
    objects = {triple.object for triple in given if triple.object != triple.subject}
    roots = [triple.subject for triple in given if triple.subject not in objects]
    ordered: dict[Triple, None] = {}
    for node in (*roots, *(triple.subject for triple in given)):
        _descend(node, given, ordered)
    return tuple(ordered)


def _descend(node: str, given: Sequence[Triple], ordered: dict[Triple, None]) -> None:
    for triple in given:
        if triple.subject == node and triple not in ordered:
            ordered[triple] = None
            _descend(triple.object, given, ordered)


def skeleton(triples: Sequence[Triple]) -> str:
    """The shape of the triples, given depth-first: their nodes numbered as they appear, `0-1 1-2 0-3`."""
    numbers: dict[str, int] = {}
    edges = []
    for triple in triples:
        subject = numbers.setdefault(triple.subject, len(numbers))
        edges.append(f"{subject}-{numbers.setdefault(triple.object, len(numbers))}")
    return " ".join(edges)


GivenTriples = Sequence[Triple | str | Sequence[str]]
"""Triples as Python gives them: `Triple`, `"subject | property | object"` or `("subject", "property", "object")`."""


def read_triples(path: str) -> list[tuple[Triple, ...]]:
    """The triples of each line of a file; an empty line has none.

    A line is `subject | property | object`, several of them with tabs between, or a JSON array `[[s, p, o], …]`. Raises
    `BadInput` that names the file, the line and the triple.
    """
    return [_line(place, line) for place, line in placed_lines(Path(path))]


def _line(place: str, line: str) -> tuple[Triple, ...]:
    text = line.strip()
    if text.startswith("[[") or text == "[]":
        try:
            rows: Any = json.loads(text)
        except ValueError as error:
            raise BadInput(f"{place}: {text[:80]!r} is no JSON: {error}.", hint=_HINT) from None
    else:
        rows = [part for part in text.split("\t") if part.strip()]
    try:
        return triples_of(rows)
    except BadInput as error:
        raise BadInput(f"{place}: {error.message}", hint=_HINT) from None


def triples_of(given: GivenTriples) -> tuple[Triple, ...]:
    """Triples from Python values, each once. Raises `BadInput` that quotes what is none."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise BadInput(f"{str(given)[:80]!r} is no list of triples.", hint='Write: ["subject | property | object", …].')
    return tuple(dict.fromkeys(_triple(row) for row in given))


def _triple(row: object) -> Triple:
    if isinstance(row, Triple):
        return row
    if isinstance(row, str):
        return parse_triple(row.strip())
    if isinstance(row, Sequence) and len(row) == 3 and all(isinstance(part, str) and part.strip() for part in row):
        return Triple(*(" ".join(part.split()) for part in row))
    raise BadInput(f"{str(row)[:80]!r} is no triple.", hint="Write: subject | property | object")


def check_count(triples: int, texts: int, *, source: str = "") -> None:
    """Raise `BadInput`, which says both numbers, where there are not as many sets of triples as texts."""
    if triples != texts:
        raise BadInput(
            f"{source or 'The triples'}: {triples:,} {'line' if triples == 1 else 'lines'} of triples "
            f"for {texts:,} {'line' if texts == 1 else 'lines'} of text.",
            hint="Write a line of triples for each line of text, an empty one where there are none.",
        )


def fitting(chunks: Iterable[bytes], count: int, *, source: str | None, triples: str) -> Iterator[bytes]:
    """The chunks of lines, of which there must be `count` in all: as many as lines in the file `triples`.

    `source` is the file that the lines are from, `None` or `-` for standard input, empty for the command line. Raises
    `BadInput`: before any work where it can be known, otherwise at the line that has no triples, or at the end.
    """
    if source == NO_FILE:
        lines = list(chunks)
        check_count(count, sum(chunk.count(b"\n") + 1 for chunk in lines), source=triples)
        return iter(lines)
    total = inspect_file(source) if source not in (None, "-") else None
    if total is not None:
        check_count(count, total, source=triples)
    return _counted(chunks, count, triples)


def _counted(chunks: Iterable[bytes], count: int, triples: str) -> Iterator[bytes]:
    done = 0
    for chunk in chunks:
        lines = chunk.split(b"\n")
        if done < count:
            yield b"\n".join(lines[: count - done])
        done += len(lines)
    check_count(count, done, source=triples)
