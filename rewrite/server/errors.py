"""Errors that only a server has, and what each error of the package is over HTTP."""

from __future__ import annotations

import re

from rewrite.base.package import INSTALL
from rewrite.errors import (
    BadModel,
    ContextTooLong,
    MissingExtra,
    ModelNotFound,
    OtherLanguage,
    RewriteError,
    ServerError,
)
from rewrite.server.schemas import ErrorBody


class TooMuch(RewriteError):
    """A request that is larger than the server's limits allow: 413."""


class QueueFull(RewriteError):
    """More sentences wait than the server takes: 429. `seconds` until there may be room."""

    def __init__(self, message: str, *, seconds: int) -> None:
        super().__init__(message, hint=f"Try again in {seconds} s.")
        self.seconds = seconds


class TimeOver(RewriteError):
    """The work was not done in the time that a request has: 408, for less text would be."""


class Stopping(RewriteError):
    """The server has been told to stop and takes no new work: 503."""


class WorkerFailed(RewriteError):
    """A worker process ended or failed on a text, and once more when it was tried again: 500."""


class NotAllowed(RewriteError):
    """No token, or a wrong one: 401."""


class WrongHost(RewriteError):
    """A request for another host than this one, as those of a page that has been given this address: 421."""


_STATUS: tuple[tuple[type[RewriteError], int], ...] = (
    (TooMuch, 413),
    (QueueFull, 429),
    (TimeOver, 408),
    (Stopping, 503),
    (WorkerFailed, 500),
    (NotAllowed, 401),
    (WrongHost, 421),
    (MissingExtra, 503),
    (ModelNotFound, 503),
    (BadModel, 503),
    (ServerError, 502),
    (ContextTooLong, 422),
)


# Options are named as flags of the command line where several are wrong together.
_FLAG = re.compile(r"(?<!\S)--([a-z]+(?:-[a-z]+)*)")


def status_of(error: RewriteError) -> int:
    """The HTTP status for an error; 422 where the request is what is wrong."""
    if isinstance(error, OtherLanguage) and INSTALL in error.hint:
        return 503  # the language would be known if its model were installed
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 422)


def headers_of(error: RewriteError) -> dict[str, str]:
    """The headers that go with an error's status."""
    if isinstance(error, QueueFull):
        return {"Retry-After": str(error.seconds)}
    return {"WWW-Authenticate": "Bearer"} if isinstance(error, NotAllowed) else {}


def body_of(error: RewriteError) -> ErrorBody:
    """The error as clients read it; names that its hint lists are `known`."""
    _, listed, names = error.hint.partition("Known: ")
    known = [name.strip() for name in names.rstrip(".").split(",")] if listed else []
    message, hint = (_FLAG.sub(lambda flag: flag[1].replace("-", "_"), t) for t in (error.message, error.hint))
    return ErrorBody(message=message, hint=hint, type=type(error).__name__, known=known)
