"""Triples from files and from Python values, a set of them for each text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rewrite.batch import NO_FILE, inspect_file
from rewrite.datasets import text_lines
from rewrite.errors import BadInput
from rewrite.splitting.triples.triple import Triple, parse_triple

__all__ = ["GivenTriples", "check_count", "fitting", "read_triples", "triples_of"]

GivenTriples = Sequence[Triple | str | Sequence[str]]
"""Triples as Python gives them: `Triple`, `"subject | property | object"` or `("subject", "property", "object")`."""
_HINT = "Write: subject | property | object, several on a line with a tab between them; or [[s, p, o], …]."


def read_triples(path: str) -> list[tuple[Triple, ...]]:
    """The triples of each line of a file; an empty line has none.

    A line is `subject | property | object`, several of them with tabs between, or a JSON array `[[s, p, o], …]`. Raises
    `BadInput` that names the file, the line and the triple.
    """
    from pathlib import Path

    return [_line(line, f"{path}, line {number}") for number, line in enumerate(text_lines(Path(path)), 1)]


def _line(line: str, place: str) -> tuple[Triple, ...]:
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
    return tuple(dict.fromkeys(_triple(one) for one in given))


def _triple(one: object) -> Triple:
    if isinstance(one, Triple):
        return one
    if isinstance(one, str):
        return parse_triple(one.strip())
    if isinstance(one, Sequence) and len(one) == 3 and all(isinstance(part, str) and part.strip() for part in one):
        return Triple(*(" ".join(part.split()) for part in one))
    raise BadInput(f"{str(one)[:80]!r} is no triple.", hint="Write: subject | property | object")


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
