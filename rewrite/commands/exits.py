"""How a command ends: errors become one line on standard error and a documented exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from rewrite.errors import RewriteError, exit_code

__all__ = ["documented_exits"]


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
