"""The exception tree of the project. Each error says what is wrong and carries a hint on what to do."""

from __future__ import annotations


class RewriteError(Exception):
    """Base of every error that a user of the library can cause or mend.

    `hint` is a sentence that says what to do next; `str(error)` shows both.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()

    def __reduce__(self) -> tuple[object, ...]:
        # Subclasses may be made of other things than a message, and cross to another process all the same.
        return _restored, (type(self), vars(self))


def _restored(kind: type[RewriteError], state: dict[str, object]) -> RewriteError:
    error = kind.__new__(kind, state["message"])
    vars(error).update(state)
    return error


class BadInput(RewriteError):
    """Text or a file that cannot be read as asked; the message names the place."""


class BadWeights(RewriteError):
    """A weight, preset or control value that is unknown or out of range."""


class UnknownName(RewriteError):
    """A scorer, generator, variant or encoder that is not registered; the hint lists the known ones."""


class ModelNotFound(RewriteError):
    """A model path or name that holds no usable model."""


class BadModel(RewriteError):
    """A model that is there but cannot be used: broken files, weights in a pickle, an architecture nobody knows."""


class PickledWeights(BadModel):
    """A model whose weights are in a pickle file alone, and nobody has allowed to read that."""


class MissingExtra(RewriteError):
    """An optional dependency is not installed; the hint is the command that installs it."""


class TextTooLong(RewriteError):
    """A text with more tokens than a masked model's window; the message names both numbers."""


class CannotWrite(RewriteError):
    """The output could not be written: a full disk, a folder that is not there, no permission."""


def install_again(place: str) -> str:
    """The hint for a file of the package that is missing or broken; `place` is its folder in a checkout."""
    return (
        "It is part of the package, so install that again: pip install --force-reinstall --no-deps rewrite-rerank "
        f"(in a checkout: git checkout {place})."
    )


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 row`, `2 rows`, `1,804 rows`; `plural` for what is not `noun` with an s behind it: `lacks` and `lack`."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
