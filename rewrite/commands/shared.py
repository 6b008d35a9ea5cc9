"""Options that say where text comes from and goes to, the same for every command."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Optional

import typer

__all__ = ["Explain", "Format", "Input", "Output", "OutputFormat", "Processes"]


class OutputFormat(str, Enum):
    """How results are printed."""

    text = "text"
    jsonl = "jsonl"


# Optional[...] rather than X | None: typer evaluates these on Python 3.10 as well.
Input = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("-i", "--input", metavar="FILE", help="Read lines from FILE; - is standard input."),
]
Output = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output."),
]
Format = Annotated[OutputFormat, typer.Option("--format", help="Plain text, or one JSON object a line.")]
Explain = Annotated[bool, typer.Option("--explain", help="Say on standard error why each line was rewritten so.")]
Processes = Annotated[
    Optional[int],  # noqa: UP045
    typer.Option("--processes", min=1, help="Worker processes; all cores for a file, else one.", show_default=False),
]
