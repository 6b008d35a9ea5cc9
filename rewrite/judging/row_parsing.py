"""Rows to judge from lines of TSV or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator, model_validator
from pydantic_core import PydanticCustomError

from rewrite.candidates import parsed_line, validated
from rewrite.judging.metric_words import is_blank
from rewrite.judging.row_metric import Row

_HINT = 'Write source<TAB>text (and <TAB>reference), or {"source": "…", "text": "…", "references": ["…"]}.'
_BETWEEN = "\n"
_KEYS = ("source", "text", "references")


class _Given(BaseModel):
    # Rows of `rewrite simplify --format jsonl` are welcome as they are.
    model_config = ConfigDict(extra="ignore", strict=True)

    # What is missing makes an empty row, which is told with its line: the rows behind it are judged all the same.
    source: str | list[str] = ""
    text: str = ""
    references: list[str] = []
    unread: str = ""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: dict[str, Any]) -> dict[str, Any]:
        if not given.keys() & {"source", "text"}:
            raise PydanticCustomError("neither", "an object with neither source nor text")
        lacks = any(given.get(key) is None for key in _KEYS)
        others = ", ".join(key for key in given if key not in _KEYS)
        read = {key: given[key] for key in _KEYS if given.get(key) is not None}
        return {**read, "unread": f"Unknown keys: {others}." if lacks and others else ""}

    @field_validator("source", mode="before")
    @classmethod
    def _of_texts(cls, given: Any) -> Any:
        if not all(isinstance(text, str) for text in (given if isinstance(given, list) else [given])):
            raise PydanticCustomError("source", "it should be a text, or a list of texts")
        return given

    @field_validator("references", mode="before")
    @classmethod
    def _as_list(cls, given: Any) -> Any:
        return [given] if isinstance(given, str) else given


def parse_row(line: str, number: int) -> Row | None:
    """The row of a line, `None` for a blank one; blank references do not count.

    A line that begins with `{` is JSON, whose source may be a list of documents; any other is source<TAB>text, and
    references after more tabs. A source or text that an object lacks, or that is null, is empty; an object whose both
    are "" is a blank line, as `rewrite judge` writes it. Raises `BadInput`
    naming line `number` for one that is neither, and for an object without both.
    """
    if not line.strip():
        return None
    given = parsed_line(_Given, line, number, _HINT, _of_cells)
    if given.source == given.text == "":
        return None
    return row_of(given.source, given.text, given.references, given.unread)


def row_of_cells(cells: Sequence[Any]) -> tuple[Row | None, bool]:
    """The row of a source, a text and, where there is a third cell, references; raises `BadInput`."""
    given = validated(_Given, dict(zip(_KEYS, cells, strict=False)), "", "Its cells", "")
    is_blank_row = given.source == given.text == ""
    return None if is_blank_row else row_of(given.source, given.text, given.references, given.unread), True


def row_of(source: str | list[str], text: str, references: Iterable[str], unread: str = "") -> Row:
    """The row of a source or of several documents; blank references do not count."""
    documents = tuple(source) if isinstance(source, list) else ()
    joined = source if isinstance(source, str) else _BETWEEN.join(documents)
    return Row(joined, text, tuple(r for r in references if not is_blank(r)), documents, unread)


def _of_cells(source: str, text: str, *references: str) -> dict[str, object]:
    return {"source": source, "text": text, "references": list(references)}
