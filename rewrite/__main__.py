"""`python -m rewrite`, and the command `rewrite`: how it begins and ends, whatever the system gives it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator

_STARTED = "can't start new thread"
_UNMAPPED = ("failed to map segment", "cannot allocate memory", "bad_alloc", "error return without exception set")


def main() -> None:
    """Entry point of the console script: what the system is short of is one line, and exit code 1."""
    _hold_streams()
    try:
        try:
            # Importing it takes memory and files, too.
            from rewrite.cli import main as run

            run()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        sys.exit(141)
    except Exception as error:
        shortage = next(filter(None, map(_shortage, _chain(error))), "")
        if not shortage:
            raise
        _discard_output()
        print(f"rewrite: {shortage}", file=sys.stderr)
        sys.exit(1)


def _hold_streams() -> None:
    """Let a stream that is closed fail when it is used: else the next file that is opened would take its place."""
    for descriptor, unusable in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:  # noqa: PERF203
            os.open(os.devnull, unusable)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115
    # Answers are UTF-8 whatever the terminal is said to be; what it is told shows what it cannot print.
    for stream, settings in ((sys.stdout, {"encoding": "utf-8"}), (sys.stderr, {"errors": "backslashreplace"})):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(**settings)


def _discard_output() -> None:
    """What Python still holds for standard output goes nowhere, or its flush at exit would complain."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError:  # there may be no file left for it
        os.close(1)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _shortage(error: BaseException) -> str:
    """What the system did not give, and what to do; empty for other errors."""
    number = error.errno if isinstance(error, OSError) else None
    words = str(error).lower()
    if isinstance(error, MemoryError) or number == errno.ENOMEM or any(sign in words for sign in _UNMAPPED):
        return "There is not enough memory. Raise the limit (ulimit -v), or use fewer --processes."
    if number in (errno.EMFILE, errno.ENFILE):
        return "Too many open files. Raise the limit: ulimit -n 1024."
    if _STARTED in words or number == errno.EAGAIN:
        return "No more threads or processes can be started. Raise the limit (ulimit -u), or use fewer --processes."
    if number in (errno.EBADF, errno.ENOSPC):
        return f"Cannot write to standard output: {os.strerror(number)}."
    return ""


if __name__ == "__main__":
    main()
