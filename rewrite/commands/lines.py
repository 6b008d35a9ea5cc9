"""Results as output lines, one per input line, and the frame that carries lines and reports between processes."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from rewrite.layout import one_line
from rewrite.result import Result

__all__ = ["Failure", "Message", "complaint", "complaints", "jsonl_line", "pack", "text_line", "unpack"]

_HEADER = struct.Struct(">QQ")
# JSON allows these raw, but readers that split text at every Unicode line break would cut the row.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "\x7f\x85\u2028\u2029"}


def text_line(result: Result, best: int, between: str = "") -> str:
    """The best rewrite; with `best` > 1 the `best` first ones, separated by tabs (a tab inside one becomes a space).

    With `between`, that stands between the sentences of a split.
    """
    if best == 1:
        return between.join(result.lines) if between and result.lines else result.text
    return "\t".join(one_line(text.replace("\t", " ")) for text in result.n_best[:best])


def jsonl_line(row: dict[str, Any]) -> str:
    """`row` as JSON on one line, Cyrillic readable."""
    return json.dumps(row, ensure_ascii=False, allow_nan=False).translate(_ESCAPES)


def complaint(source: str, error: str, place: str = "") -> str:
    """The line of standard error that names a source which could not be rewritten; `place` says where it stands."""
    return f"rewrite: {place}{': ' if place else ''}{source[:60]!r}: {error}\n"


def complaints(result: Result) -> str:
    """One for each sentence of `result` that something failed on."""
    return "".join(complaint(s.source, s.error) for s in result.sentences if s.error)


class Failure(NamedTuple):
    """Something that went wrong with a line: its number in the chunk, from 0, the text that it happened to, and why."""

    line: int
    source: str
    error: str


class Message(NamedTuple):
    """What a worker answers to a chunk: output as bytes, a report for standard error, and what went wrong.

    `answers` is how many lines of the input it answers.
    """

    lines: bytes
    answers: int
    report: str
    failures: Sequence[Failure]


def pack(lines: list[str], report: str = "", failures: Sequence[Failure] = ()) -> bytes:
    """A `Message` as bytes; `lines` are the answers, which may have line breaks in them."""
    body = "".join(f"{line}\n" for line in lines).encode("utf-8")
    return _HEADER.pack(len(body), len(lines)) + body + json.dumps([report, failures]).encode("utf-8")


def unpack(message: bytes) -> Message:
    """What `pack` put together."""
    length, answers = _HEADER.unpack_from(message)
    start = _HEADER.size
    report, failures = json.loads(message[start + length :])
    return Message(message[start : start + length], answers, report, [Failure(*failure) for failure in failures])
