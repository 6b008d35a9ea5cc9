"""Candidates from anywhere: TSV or JSON lines, checked and turned into one form for the workers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from itertools import islice
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import PydanticCustomError

from rerank.types import Candidate
from rewrite.datasets import json_object
from rewrite.errors import BadInput
from rewrite.specs import scheme_of

TextPool = tuple[str, Sequence[Candidate | str]]
"""A source and its candidates, which may be texts alone."""

_HINT = 'Write source<TAB>candidate, or {"source": "…", "candidates": ["…"]}.'

_HALF_PAIR = re.compile("[\ud800-\udfff]")
_LOGPROBS = ("logprob", "least_logprob", "source_logprob")
# The least and the most that may be said of a candidate. A log-probability of 0 may have been rounded up.
_BOUNDS = {
    **dict.fromkeys(("count", "tokens", "source_tokens"), (1.0, math.inf)),
    **dict.fromkeys(("first", "risk"), (0.0, math.inf)),
    "certainty": (0.0, 1.0),
    **dict.fromkeys(_LOGPROBS, (-math.inf, 1e-3)),
}

_Parsed = TypeVar("_Parsed")
_Model = TypeVar("_Model", bound=BaseModel)


def _with_text(given: Any) -> Any:
    return {"text": given} if isinstance(given, str) else given


def _within_bounds(given: Candidate) -> Candidate:
    # What edits call a log-probability is what they gain.
    unbounded = _LOGPROBS if scheme_of(given.generator).gains else ()
    for key, (least, most) in _BOUNDS.items():
        value = getattr(given, key)
        if value is not None and key not in unbounded and not least <= value <= most:
            bound = f"below {least:g}" if value < least else f"above {most:.0f}"
            raise PydanticCustomError("out_of_bounds", f"{key} is {value}, {bound}")
    return given


class GivenPool(BaseModel):
    """A source with candidates for it; `error` says why there are none, or not all."""

    # Rows of `rewrite simplify --format jsonl` are welcome as they are: their scores are simply computed again.
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)

    source: str
    candidates: list[Annotated[Candidate, BeforeValidator(_with_text), AfterValidator(_within_bounds)]]
    error: str | None = None


def pool_row(source: str, candidates: Iterable[Candidate], error: str = "") -> dict[str, Any]:
    """A pool as plain data, everything that is known of a candidate in it; `parse_pool` reads it back."""
    rows = [_plain(candidate) for candidate in candidates]
    return {"source": source, "candidates": rows, **({"error": error} if error else {})}


def _plain(candidate: Candidate) -> dict[str, Any]:
    usual = {field.name: field.default for field in fields(Candidate)}
    return {name: value for name, value in asdict(candidate).items() if value != usual[name]}


def checked_pools(given: Iterable[TextPool]) -> list[tuple[str, Sequence[Candidate]]]:
    """Pools from Python, a candidate for each mere text; raises `BadInput` for what is none."""
    pools: list[tuple[str, Sequence[Candidate]]] = []
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise BadInput(f"{given!r:.60} is no list of pools.", hint='Write rerank([("source", ["text"])]).')
    for pool in given:
        try:
            source, candidates = pool
            known = (
                [] if isinstance(candidates, str) else [Candidate(c) if isinstance(c, str) else c for c in candidates]
            )
        except (TypeError, ValueError):
            source, candidates, known = str(pool), "", []
        if isinstance(candidates, str) or not all(isinstance(candidate, Candidate) for candidate in known):
            raise BadInput(
                f"The candidates of {str(source)[:60]!r} are no list of texts.",
                hint='Write rerank([("source", ["text"])]).',
            )
        require_texts([source, *(candidate.text for candidate in known)])
        pools.append((source, known))
    return pools


def require_texts(given: Iterable[str]) -> list[str]:
    """The texts as a list; `BadInput` for what is none of strings, or has half a surrogate pair, as no file can."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise BadInput("The texts are no list of strings.", hint='Write run(["…"]) for one text.')
    texts = list(given)
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise BadInput(
                f"The texts are no list of strings: text {number} is {text!r:.60}.", hint="Leave out what is no text."
            )
    if half := next(filter(None, map(_HALF_PAIR.search, texts)), None):
        raise BadInput(
            f"{half.string[max(0, half.end() - 60) : half.end()]!r} has half a surrogate pair (\\ud800 to \\udfff).",
            hint="No file can hold it: replace that character.",
        )
    return texts


def batches(texts: Iterable[str], size: int) -> Iterator[Iterable[str]]:
    """The texts in lists of so many, each taken when it is asked for; what is no list of texts stays as it is."""
    if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
        yield texts
        return
    rest = iter(texts)
    while batch := list(islice(rest, size)):
        yield batch


def read_pools(chunks: Iterable[bytes]) -> Iterator[list[GivenPool]]:
    """Lists of pools, one per line of the chunks; an empty line is a pool without candidates.

    Raises `BadInput` naming the line for one that is neither TSV nor an object, after the lines before it.
    """
    return parsed_lines(chunks, parse_pool)


def parsed_lines(chunks: Iterable[bytes], parse: Callable[[str, int], _Parsed]) -> Iterator[list[_Parsed]]:
    """What `parse` makes of each line of the chunks and its number, a list for each chunk.

    A `BadInput` that it raises is passed on after the lines before it.
    """
    number = 0
    for chunk in chunks:
        parsed: list[_Parsed] = []
        for line in chunk.split(b"\n"):
            number += 1
            try:
                parsed.append(parse(line.decode("utf-8").removesuffix("\r"), number))
            except BadInput:
                if parsed:
                    yield parsed
                raise
        yield parsed


def merge_pools(batches: Iterable[list[GivenPool]]) -> Iterator[list[GivenPool]]:
    """The same with neighbours of equal source made one pool, also across batches."""
    last: GivenPool | None = None
    for pools in batches:
        merged: list[GivenPool] = []
        for pool in pools:
            if last is not None and pool.source == last.source and pool.source:
                last.candidates += pool.candidates
                continue
            if last is not None:
                merged.append(last)
            last = pool
        if merged:
            yield merged
    if last is not None:
        yield [last]


def parse_pool(line: str, number: int) -> GivenPool:
    """The pool of one line; raises `BadInput` naming line `number`."""
    if not line.strip():
        return GivenPool(source="", candidates=[])
    return parsed_line(GivenPool, line, number, _HINT, _of_cells)


def _of_cells(source: str, *candidates: str) -> dict[str, object]:
    return {"source": source, "candidates": list(candidates)}


def parsed_line(
    model: type[_Model], line: str, number: int, hint: str, from_cells: Callable[..., dict[str, object]]
) -> _Model:
    """The `model` that a line is: an object of JSON where it begins with `{`, else what `from_cells` makes of its
    columns, two at least, tabs between them.

    Raises `BadInput` naming line `number`, with `hint`, where it is none.
    """
    place = f"Line {number}"
    if line.lstrip().startswith("{"):
        row = json_object(line, place, hint)
    elif "\t" in line:
        row = from_cells(*line.split("\t"))
    else:
        raise BadInput(f"{place}: no tab in {line[:80]!r}.", hint=hint)
    return validated(model, row, line, place, hint)


def pool_of_cells(cells: Sequence[Any]) -> tuple[GivenPool, bool]:
    """The pool of a source and its candidates, and whether it is one candidate alone; raises `BadInput`."""
    source, candidates = ("" if cell is None else cell for cell in cells)
    single = not isinstance(candidates, list)
    row = {"source": source, "candidates": [candidates] if single else candidates}
    require_texts([text for text in (source, candidates) if isinstance(text, str)])
    return validated(GivenPool, row, "", "Its cells", ""), single


def validated(model: type[_Model], row: object, line: str, place: str, hint: str) -> _Model:
    """The `model` that `row` is, which was read from `line`; raises `BadInput` that begins with `place`."""
    try:
        parsed = model.model_validate(row)
        parsed.model_dump_json()
    except ValidationError as error:
        first = error.errors()[0]
        key = f"{'.'.join(map(str, first['loc']))}: " if first["loc"] else ""
        shown = "" if key else f": {line.strip()[:80]!r}"
        raise BadInput(f"{place}: {key}{first['msg']}{shown}.", hint=hint) from None
    except ValueError:
        raise BadInput(f"{place}: half a surrogate pair in an escape (\\ud800 to \\udfff).", hint=hint) from None
    return parsed
