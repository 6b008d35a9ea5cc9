"""What every command shares: where text comes from and goes to, and how a command ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from rewrite.errors import BadOption, RewriteError, exit_code

if TYPE_CHECKING:
    from rewrite.batch import Pace


class OutputFormat(str, Enum):
    """How results are printed."""

    text = "text"
    jsonl = "jsonl"


# Optional[...] rather than X | None: typer evaluates these on Python 3.10 as well.
MaybeText = Optional[str]  # noqa: UP045
MaybeTexts = Optional[list[str]]  # noqa: UP045
MaybeNumber = Optional[int]  # noqa: UP045
MaybeFlag = Optional[bool]  # noqa: UP045
Texts = Annotated[
    MaybeTexts,
    typer.Argument(metavar="[TEXT]...", help="A sentence or paragraph each; without any, standard input is read."),
]
Input = Annotated[
    MaybeText,
    typer.Option("-i", "--input", metavar="FILE", help="Read lines from FILE; - is standard input."),
]
Output = Annotated[
    MaybeText,
    typer.Option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output."),
]
Format = Annotated[OutputFormat, typer.Option("--format", help="Plain text, or one JSON object a line.")]
Explain = Annotated[bool, typer.Option("--explain", help="Say on standard error why each line was rewritten so.")]
Processes = Annotated[
    MaybeNumber,
    typer.Option("--processes", min=1, help="Worker processes; all cores for a file, else one.", show_default=False),
]


def given_lines(
    texts: Sequence[str] | None, input: str | None, pace: Pace | None
) -> tuple[Iterator[bytes], str | None]:
    """The lines of TEXT or else of --input in chunks, and what `run_chunks` takes for their source.

    Somebody at a terminal is told what is awaited. Raises `BadOption` where both were given.
    """
    from rewrite.batch import NO_FILE, arguments, read_lines

    if texts and input is not None:
        raise BadOption("Both TEXT and --input were given.", hint="Give one of them.")
    if texts:
        return arguments(texts, pace), NO_FILE
    if input is None and sys.stdin is not None and sys.stdin.isatty():
        print("Reading from the terminal, a sentence or paragraph a line; Ctrl-D ends.", file=sys.stderr)
    return read_lines(input, pace), input


@contextmanager
def documented_exits() -> Iterator[None]:
    """Turn `RewriteError`, a closed pipe and Ctrl-C into the exit codes of `rewrite.errors.EXIT_CODES`."""
    try:
        yield
    except RewriteError as error:
        print(f"rewrite: {error}", file=sys.stderr)
        raise typer.Exit(exit_code(error)) from None
    except BrokenPipeError:
        # Nobody reads: what Python still holds for standard output goes nowhere, or its flush at exit would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise typer.Exit(141) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
