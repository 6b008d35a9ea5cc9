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
from pathlib import Path
from types import TracebackType
from typing import IO

from rerank.errors import BadInput

__all__ = ["LONGEST", "Lines"]

LONGEST = 1_000_000
"""Bytes. A longer line is no row of pairs, and need not fit into memory."""


class Lines:
    """The lines of one file, without their ends; only LF ends a line. A context manager.

    `take` gives the next (number from 1, text), `None` after the last; text is `None` for a line over `LONGEST` bytes.
    `put_back` returns lines that were taken. `read` says how many bytes of the file as it lies on disk were read.
    Raises `BadInput` that names the file, and line and byte for what is not UTF-8.
    """

    def __init__(self, path: Path, *, name: str = "") -> None:
        self.name = name or str(path)
        self._number = 0
        self._offset = 0
        self._waiting: deque[tuple[int, str | None]] = deque()
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

    def take(self) -> tuple[int, str | None] | None:
        if self._waiting:
            return self._waiting.popleft()
        data = self._line()
        if not data:
            return None
        self._number += 1
        text = self._text(data) if len(data) <= LONGEST else None
        self._offset += len(data)
        return self._number, text

    def put_back(self, lines: list[tuple[int, str | None]]) -> None:
        self._waiting.extendleft(reversed(lines))

    def __iter__(self) -> Iterator[tuple[int, str | None]]:
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

    def _text(self, data: bytes) -> str:
        start = len(codecs.BOM_UTF8) if self._number == 1 and data.startswith(codecs.BOM_UTF8) else 0
        try:
            return data[start:].decode("utf-8").removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError as error:
            place = start + error.start
            raise BadInput(
                f"{self.name}, line {self._number}, byte {place + 1} of the line (offset {self._offset + place}): "
                f"0x{data[place]:02x} is not valid UTF-8.",
                hint="Convert the file first, for instance with: iconv -f cp1251 -t utf-8",
            ) from None


def _unpacked(raw: IO[bytes], suffix: str) -> IO[bytes] | io.BufferedIOBase:
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=raw)
    if suffix == ".bz2":
        return bz2.BZ2File(raw)
    return lzma.LZMAFile(raw) if suffix == ".xz" else raw
