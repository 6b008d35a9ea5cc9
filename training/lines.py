"""Lines of a text file, packed or plain, one at a time, with their numbers and the place in the file."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

from rerank.errors import BadInput

__all__ = ["LONGEST", "NOT_UTF8", "Lines", "Unreadable"]

LONGEST = 1_000_000
"""Bytes. A longer line is no row of pairs, and need not fit into memory."""
NOT_UTF8 = "is not valid UTF-8"
"""Part of the reason of every line that is in another encoding."""
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no text, and why."""

    reason: str


Line = tuple[int, str | Unreadable]


class Lines:
    """The lines of one file, without the LF that alone ends one (a CR before it stays). A context manager.

    `take` gives the next (number from 1, text), `None` after the last; a line over `LONGEST` bytes or in another
    encoding is `Unreadable`. `put_back` returns lines that were taken. `read` says how many bytes of the file as it
    lies on disk were read. Raises `BadInput` that names the file where it cannot be opened, is UTF-16 or breaks off.
    """

    def __init__(self, path: Path, *, name: str = "") -> None:
        self.name = name or str(path)
        self._number = 0
        self._offset = 0
        self._waiting: deque[Line] = deque()
        try:
            self._raw = path.open("rb")
        except OSError as error:
            raise BadInput(f"Cannot read {self.name!r}: {error.strerror or error}.", hint="Check the path.") from error
        self._file = _unpacked(self._raw, path.suffix.lower())

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._raw.close()

    @property
    def read(self) -> int:
        return self._raw.tell()

    def take(self) -> Line | None:
        if self._waiting:
            return self._waiting.popleft()
        data = self._line()
        if not data:
            return None
        self._number += 1
        text = self._text(data) if len(data) <= LONGEST else Unreadable(f"the line is longer than {LONGEST:,} bytes")
        self._offset += len(data)
        return self._number, text

    def put_back(self, lines: list[Line]) -> None:
        self._waiting.extendleft(reversed(lines))

    def __iter__(self) -> Iterator[Line]:
        while (line := self.take()) is not None:
            yield line

    def _line(self) -> bytes:
        """The next line with its end; of one that is too long the beginning, the rest is passed over."""
        try:
            data = self._file.readline(LONGEST + 1)
            rest = data
            while len(rest) > LONGEST and not rest.endswith(b"\n"):
                rest = self._file.readline(LONGEST + 1)
                self._offset += len(rest)
            return data
        except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
            raise BadInput(
                f"{self.name}, after line {self._number}: cannot be read on: {error}.",
                hint="Is the file whole? Fetch or pack it again.",
            ) from error

    def _text(self, data: bytes) -> str | Unreadable:
        if self._number == 1 and data.startswith(_UTF16):
            raise BadInput(f"{self.name} is UTF-16.", hint="Convert it first: iconv -f utf-16 -t utf-8")
        start = len(codecs.BOM_UTF8) if self._number == 1 and data.startswith(codecs.BOM_UTF8) else 0
        try:
            return data[start:].decode("utf-8").removesuffix("\n")
        except UnicodeDecodeError as error:
            place = start + error.start
            where = f"byte {place + 1} of the line (offset {self._offset + place})"
            return Unreadable(f"{where}: 0x{data[place]:02x} {NOT_UTF8}")


def _unpacked(raw: IO[bytes], suffix: str) -> IO[bytes] | io.BufferedIOBase:
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=raw)
    if suffix == ".bz2":
        return bz2.BZ2File(raw)
    return lzma.LZMAFile(raw) if suffix == ".xz" else raw
