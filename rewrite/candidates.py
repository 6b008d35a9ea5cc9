"""Candidates from anywhere: TSV or JSON lines, checked and turned into one form for the workers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, fields
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rerank.types import Candidate
from rewrite.errors import BadInput

__all__ = ["json_of_line", "merge_pools", "parse_pool", "parsed_lines", "pool_row", "read_pools"]

_HINT = 'Write source<TAB>candidate, or {"source": "…", "candidates": ["…"]}.'

_Parsed = TypeVar("_Parsed")
_Finite = Annotated[float, Field(allow_inf_nan=False)]


class _Candidate(BaseModel):
    # Rows of `rewrite simplify --format jsonl` are welcome as they are: their scores are simply computed again.
    model_config = ConfigDict(extra="ignore")

    text: str
    generator: str = ""
    count: int = 1
    first: Annotated[int, Field(ge=0)] | None = None
    logprob: _Finite | None = None
    tokens: int | None = None
    least_logprob: _Finite | None = None
    certainty: Annotated[_Finite, Field(ge=0, le=1)] | None = None
    risk: Annotated[_Finite, Field(ge=0)] = 0.0
    source_logprob: _Finite | None = None
    source_tokens: int | None = None
    seed: int | None = None
    finish_reason: str | None = None
    edits: tuple[str, ...] = ()
    cleaned: tuple[str, ...] = ()
    dropped: str = ""
    controls: str = ""
    cuts: tuple[tuple[str, int, _Finite], ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _plain_text(cls, given: Any) -> Any:
        return {"text": given} if isinstance(given, str) else given


class _Pool(BaseModel):
    model_config = ConfigDict(extra="ignore")

    source: str
    candidates: list[_Candidate]
    error: str | None = None

    def plain(self) -> dict[str, Any]:
        candidates = [c.model_dump(exclude_defaults=True) for c in self.candidates]
        return _pool(self.source, candidates, self.error or "")


def pool_row(source: str, candidates: Iterable[Candidate], error: str = "") -> dict[str, Any]:
    """A pool as plain data, everything that is known of a candidate in it; `parse_pool` reads it back.

    `error` says why there are none, or not all.
    """
    return _pool(source, [_plain(candidate) for candidate in candidates], error)


def _pool(source: str, candidates: list[dict[str, Any]], error: str) -> dict[str, Any]:
    return {"source": source, "candidates": candidates, **({"error": error} if error else {})}


def _plain(candidate: Candidate) -> dict[str, Any]:
    usual = {field.name: field.default for field in fields(Candidate)}
    return {name: value for name, value in asdict(candidate).items() if value != usual[name]}


def read_pools(chunks: Iterable[bytes]) -> Iterator[list[dict[str, Any]]]:
    """Lists of `{"source", "candidates"}`, one per line of the chunks; an empty line is a pool without candidates.

    Raises `BadInput` naming the line for one that is neither TSV nor such an object, after the lines before it.
    """
    return parsed_lines(chunks, parse_pool)


def parsed_lines(chunks: Iterable[bytes], parse: Callable[[str, int], _Parsed]) -> Iterator[list[_Parsed]]:
    """What `parse` makes of each line of the chunks and its number, a list for each chunk.

    A `BadInput` that it raises is passed on after the lines before it.
    """
    number = 0
    for chunk in chunks:
        found: list[_Parsed] = []
        for line in chunk.split(b"\n"):
            number += 1
            try:
                found.append(parse(line.decode("utf-8").removesuffix("\r"), number))
            except BadInput:
                if found:
                    yield found
                raise
        yield found


def merge_pools(batches: Iterable[list[dict[str, Any]]]) -> Iterator[list[dict[str, Any]]]:
    """The same with neighbours of equal source made one pool, also across batches."""
    last: dict[str, Any] | None = None
    for pools in batches:
        merged: list[dict[str, Any]] = []
        for pool in pools:
            if last is not None and pool["source"] == last["source"] and pool["source"]:
                last["candidates"] += pool["candidates"]
                continue
            if last is not None:
                merged.append(last)
            last = pool
        if merged:
            yield merged
    if last is not None:
        yield [last]


def parse_pool(line: str, number: int) -> dict[str, Any]:
    """One line as `{"source", "candidates"}`; raises `BadInput` naming line `number`."""
    if not line.strip():
        return {"source": "", "candidates": []}
    if line.lstrip().startswith("{"):
        return _parse_json(line, number)
    source, *candidates = line.split("\t")
    if not candidates:
        raise BadInput(f"Line {number}: no tab in {line[:80]!r}.", hint=_HINT)
    return {"source": source, "candidates": [{"text": candidate} for candidate in candidates]}


def json_of_line(line: str, number: int, hint: str) -> Any:
    """The JSON value that line `number` holds; raises `BadInput` that names it, with `hint`, where it holds none."""
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise BadInput(f"Line {number}: not JSON ({error.msg} at character {error.pos + 1}).", hint=hint) from None
    except RecursionError:
        raise BadInput(f"Line {number}: lists or objects within one another without end.", hint=hint) from None
    except ValueError:
        raise BadInput(f"Line {number}: a number with too many digits.", hint=hint) from None


def _parse_json(line: str, number: int) -> dict[str, Any]:
    row = json_of_line(line, number, _HINT)
    try:
        pool = _Pool.model_validate(row).plain()
        json.dumps(pool, ensure_ascii=False).encode("utf-8")
        return pool
    except UnicodeEncodeError:
        raise BadInput(f"Line {number}: half a surrogate pair in an escape (\\ud800 to \\udfff).", hint=_HINT) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"Line {number}: {place}: {first['msg']}.", hint=_HINT) from None
