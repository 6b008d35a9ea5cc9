"""Lines in, lines out: every input line gives exactly one output line, in order.

Only the byte LF ends a line. Other characters that Unicode or Python calls line breaks (CR, VT, FF, U+2028 …) are
text. Files are bytes here, so that nothing is translated on the way and a bad byte can be named by its place.
"""

from __future__ import annotations

import codecs
import errno
import os
import signal
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from types import FrameType, TracebackType

from rewrite.containers import recoding, refuse
from rewrite.corpus.compression import decompressed, suffixes
from rewrite.errors import BadInput, BadOption, CannotWrite

CHUNK_LINES = 32
_BLOCK = 1 << 16
_STDIN, _STDOUT = 0, 1
# What is written at once should not have taken longer to make: so much is lost where a run is broken off.
_FAST, _SLOW = 4.0, 15.0
# The source of texts that are given on the command line.
NO_FILE = ""


class Pace:
    """How many lines make a chunk: `lines`, which grows and shrinks with the seconds that the last chunk took.

    For work of unknown speed done in this process, where many lines at once are hardly faster than few: a language
    model may need a minute for a line or do a hundred in a second. With `steady` the number stays.
    """

    def __init__(self, lines: int = 4, *, steady: bool = False) -> None:
        self.lines = lines
        self._steady = steady

    def took(self, seconds: float, lines: int) -> None:
        """Learn how long a chunk of `lines` took."""
        if self._steady:
            return
        if seconds > _SLOW:
            self.lines = max(1, lines // 2)
        elif seconds < _FAST and lines == self.lines:
            self.lines = min(CHUNK_LINES, self.lines * 2)


def arguments(texts: Sequence[str], pace: Pace | None = None) -> Iterator[bytes]:
    """Lines of the texts given on the command line, in one chunk or, with a `pace`, several.

    A text with line breaks counts as several lines. Raises `BadInput` for bytes that are not UTF-8.
    """
    lines: list[bytes] = []
    for number, text in enumerate(texts, start=1):
        for line in os.fsencode(text).removesuffix(b"\n").split(b"\n"):
            _check_utf8(line, f"text {number} on the command line", line=None, offset=0)
            lines.append(line)
    yield from map(b"\n".join, _slices(lines, pace or Pace(len(lines), steady=True)))


def read_lines(path: str | None, pace: Pace | None = None) -> Iterator[bytes]:
    """Chunks of lines joined by LF, without a last LF, of at most `CHUNK_LINES` or as many as `pace` says.

    `path` `None` or `-` is standard input.
    Input is answered as it comes: a chunk holds what one read gave, so a program that writes a line and waits for
    its answer gets one. Raises `BadInput`, after the lines before it, for a line that is not UTF-8.
    """
    name = "standard input" if path in (None, "-") else str(path)
    number, offset = 0, 0
    for lines in _batches(blocks_of(path, name), pace or Pace(CHUNK_LINES, steady=True)):
        for index, line in enumerate(lines):
            try:
                _check_utf8(line, name, line=number + 1, offset=offset)
            except BadInput:
                if index:
                    yield b"\n".join(lines[:index])
                raise
            number += 1
            offset += len(line) + 1
            if number == 1:
                lines[0] = line.removeprefix(codecs.BOM_UTF8)
        yield b"\n".join(lines)


def inspect_file(path: str) -> int | None:
    """Number of lines of a regular file whose text is all UTF-8; `None` for a pipe or device, which is read once only.

    Raises `BadInput` before any work is done, so that a bad last line does not cost an hour.
    """
    name = str(path)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
    except OSError as error:
        raise unreadable(name, error) from None
    return sum(chunk.count(b"\n") + 1 for chunk in read_lines(path, Pace(10_000, steady=True)))


def check_record(record: str | None, *, source: str | None, output: str | None, recordings: Iterable[str]) -> None:
    """Refuse files that a run would lose: recording to its input or output, or writing over a recording it plays."""
    played = [(path, "the recording that is played back") for path in recordings]
    check_output(record, source, option="--record")
    _check_clash(record, [(output, "the output"), *played], option="--record")
    _check_clash(output, played, option="--output")


def check_report(report: str | None, *, source: str | None, output: str | None) -> None:
    """Refuse a report that would be written over the input or the output."""
    check_output(report, source, option="--report")
    parts = [(output, "the output")]
    if output is not None:
        parts += [(f"{output}{suffix}", "what a run writes beside the output") for suffix in (".part", ".journal")]
    _check_clash(report, parts, option="--report")


def _check_clash(path: str | None, others: Iterable[tuple[str | None, str]], *, option: str) -> None:
    for other, what in others:
        if path is not None and other is not None and _same_file(path, other):
            raise BadOption(f"{option} {path!r} is {what}.", hint="Write to another file.")


def _same_file(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other) and stat.S_ISREG(os.stat(path).st_mode)
    except OSError:  # one of them is not there yet
        return os.path.realpath(path) == os.path.realpath(other)


def check_output(output: str | None, source: str | None, *, option: str = "--output") -> None:
    """Refuse an output that is the input itself: it would be emptied before it is read.

    `source` is a path, `None` or `-` for standard input, or `NO_FILE` where nothing is read.
    """
    if output is None or source == NO_FILE or not os.path.exists(output):
        return
    # Standard input may be the same file, too: `rewrite simplify < text.txt -o text.txt`.
    try:
        reads = os.fstat(_STDIN) if source in (None, "-") else os.stat(str(source))
    except OSError:
        return  # a closed standard input, or a file that is missing: whoever reads it says so
    if os.path.samestat(os.stat(output), reads) and stat.S_ISREG(reads.st_mode):
        raise BadOption(f"{option} {output!r} is the input file.", hint="Write to another file.")


def blocks_of(path: str | None, name: str) -> Iterator[bytes]:
    """What a file holds, a compressed one as text, a block for each read; raises `BadInput`."""
    try:
        descriptor = _STDIN if path in (None, "-") else os.open(str(path), os.O_RDONLY)
    except OSError as error:
        raise unreadable(name, error) from None
    try:
        # By block, for input is answered as it comes.
        read = iter(lambda: os.read(descriptor, _BLOCK), b"")
        compression = suffixes(name)[1] if descriptor != _STDIN else ""
        for number, block in enumerate(decompressed(read, compression, name) if compression else read):
            if not number:
                refuse(block, name)
            yield block
    except OSError as error:
        raise unreadable(name, error) from None
    finally:
        if descriptor != _STDIN:
            os.close(descriptor)


def _batches(blocks: Iterable[bytes], pace: Pace) -> Iterator[list[bytes]]:
    rest: list[bytes] = []
    for block in blocks:
        head, *lines = block.split(b"\n")
        rest.append(head)
        if not lines:
            continue
        complete = [b"".join(rest), *lines[:-1]]
        rest = [lines[-1]]
        yield from _slices(complete, pace)
    if last := b"".join(rest):
        yield [last]


def _slices(lines: Sequence[bytes], pace: Pace) -> Iterator[list[bytes]]:
    start = 0
    while start < len(lines):
        taken = list(lines[start : start + pace.lines])
        began = time.monotonic()
        yield taken
        pace.took(time.monotonic() - began, len(taken))
        start += len(taken)


def _check_utf8(data: bytes, name: str, *, line: int | None, offset: int) -> None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = f"byte {error.start + 1}"
        if line is not None:
            place = f"line {line}, byte {error.start + 1} of the line (offset {offset + error.start} in the input)"
        raise BadInput(
            f"{name}: {place}: 0x{data[error.start]:02x} is not valid UTF-8.",
            hint=recoding(data, whole=line is None or line == 1),
        ) from None


def unreadable(name: str, error: OSError) -> BadInput:
    return BadInput(f"Cannot read {name!r}: {error.strerror}.", hint="Check the path and its permissions.")


class LineWriter:
    """Writes whole lines to standard output, or to what is no regular file, unbuffered; a context manager.

    Ctrl-C during a write takes effect after it. Raises `CannotWrite`; a reader that went away is `BrokenPipeError`.
    """

    def __init__(self, path: str | None = None) -> None:
        self._name = "standard output" if path in (None, "-") else str(path)
        self._descriptor = _STDOUT
        if path not in (None, "-"):
            try:
                self._descriptor = os.open(str(path), os.O_WRONLY)
            except OSError as error:
                raise self._failed(error) from None

    def __enter__(self) -> LineWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._descriptor != _STDOUT:
            os.close(self._descriptor)

    def write(self, lines: bytes) -> None:
        """Write `lines`, each ending in LF, to the last byte."""
        try:
            with Uninterrupted():
                write_all(self._descriptor, lines)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> CannotWrite:
        hint = "Free some space or write elsewhere." if error.errno == errno.ENOSPC else ""
        return CannotWrite(f"Cannot write to {self._name}: {error.strerror}.", hint=hint)


def write_all(descriptor: int, data: bytes) -> None:
    """Write to the last byte."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


class Uninterrupted:
    """Holds the first Ctrl-C back until the block ends, so that no line is cut; a second one goes through at once."""

    def __enter__(self) -> None:
        self._seen = False
        self._before = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGINT, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._seen:
            raise KeyboardInterrupt
        self._seen = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        signal.signal(signal.SIGINT, self._before)
        if self._seen and error is None:
            raise KeyboardInterrupt
