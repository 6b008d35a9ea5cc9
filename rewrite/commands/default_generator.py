"""The generator of a command where the user names none: the best that is installed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from rewrite.base.package import INSTALL, is_installed
from rewrite.errors import BadModel, MissingExtra, RewriteError
from rewrite.task_options import DrawingOptions

_Drawing = TypeVar("_Drawing", bound=DrawingOptions)
_LEFT_OUT = "--processes {} is left out: the language model uses all cores in one process (--generator {} does not)."


@dataclass(frozen=True)
class DefaultGenerator:
    """The generator of a command where none is named: `best` where the language model is installed, else `plain`.

    The environment `variable` names another; `notice` is what is told where `plain` is the default only because the
    language model is not installed.
    """

    variable: str
    best: str
    plain: str
    notice: str

    def chosen(self) -> tuple[str, str]:
        """What the environment names, else the best that is installed; and a notice for the user, or nothing."""
        if named := os.environ.get(self.variable):
            return named, ""
        return (self.best, "") if is_installed() else (self.plain, f"{self.notice} {INSTALL}")

    @property
    def in_words(self) -> str:
        """For the help."""
        return f"{self.best} where the extra lm is installed, else {self.plain}; or ${self.variable}"


SIMPLIFY_DEFAULT = DefaultGenerator(
    "REWRITE_GENERATOR",
    best="edits-lm",
    plain="edits",
    notice="Long sentences are cut in two by a language model, which is not installed.",
)
SPLIT_DEFAULT = DefaultGenerator(
    "REWRITE_SPLIT_GENERATOR",
    best="splitter-lm",
    plain="splitter",
    notice="Splits are judged better by a language model, which is not installed.",
)


@contextmanager
def with_generator(
    named: str | None, options: _Drawing, default: DefaultGenerator, processes: int | None
) -> Iterator[tuple[_Drawing, int | None]]:
    """The options with the generator `named` or the default one, and the processes that can run it.

    What goes wrong with a generator that was not asked for says where it comes from and what does without.
    """
    given = options.model_dump(exclude_unset=True)
    if named is not None:
        yield type(options)(**{**given, "generator": named}), processes
        return
    chosen, notice = default.chosen()
    if notice and sys.stderr.isatty():
        print(notice, file=sys.stderr)
    try:
        options = type(options)(**{**given, "generator": chosen})
        if processes not in (None, 1) and options.runs_alone:
            print(_LEFT_OUT.format(processes, default.plain), file=sys.stderr)
            processes = 1
        yield options, processes
    except RewriteError as error:
        if os.environ.get(default.variable):
            error.hint = f"{error.hint} The generator {chosen!r} is named by {default.variable}.".lstrip()
        elif chosen == default.best and (isinstance(error, MissingExtra | BadModel) or "REWRITE_CACHE" in error.hint):
            error.hint = f"{error.hint} Without the language model: --generator {default.plain}.".lstrip()
        raise
