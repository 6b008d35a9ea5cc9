"""Commands that refuse a file option given twice: the last would win, and the other files be lost without a word."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from rewrite.commands.exits import documented_exits
from rewrite.errors import BadOption

__all__ = ["FilesOnce"]

_FILES = {
    "input": "Give one file; join several with cat.",
    "output": "Give one file; for a copy use tee.",
    "record": "Give one file.",
}


class FilesOnce(TyperCommand):
    """A command whose `--input`, `--output` and `--record` may be given once; of other options the last one counts."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # Parsing takes the list apart.
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        names = [param.name for param in given]
        with documented_exits():
            for name, hint in _FILES.items():
                if names.count(name) > 1:
                    raise BadOption(f"--{name} was given more than once.", hint=hint)
        return super().parse_args(ctx, args)
