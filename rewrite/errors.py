"""Exit codes of the command line, and the errors that only options, models and servers can raise."""

from __future__ import annotations

from rerank.errors import (
    BadInput,
    BadModel,
    BadWeights,
    CannotWrite,
    MissingExtra,
    ModelNotFound,
    RewriteError,
    TextTooLong,
    UnknownName,
)

__all__ = [
    "EXIT_CODES",
    "EXIT_EPILOG",
    "BadInput",
    "BadModel",
    "BadOption",
    "BadWeights",
    "CannotWrite",
    "ContextTooLong",
    "MissingExtra",
    "ModelNotFound",
    "OtherLanguage",
    "RewriteError",
    "ServerError",
    "TextTooLong",
    "UnknownName",
    "exit_code",
]

# One table: the exit status, and its line in `rewrite --help` and docs/cli.md.
EXIT_CODES: dict[int, str] = {
    0: "every input line was answered",
    1: "the input could not be read, the output could not be written, or a model is missing",
    2: "a wrong option, weight, preset or name",
    3: "some lines stand as they were, or could not be scored or judged: their language is none that the command "
    "knows, or a generator or another language model failed on them; standard error names them",
    130: "stopped by Ctrl-C; what was written is whole lines",
    141: "whoever read the output closed it early (as in `| head -1`)",
}

EXIT_EPILOG = "Exit codes: " + "; ".join(f"{code}: {meaning}" for code, meaning in EXIT_CODES.items()) + "."


class BadOption(RewriteError):
    """An option with a value that its declaration in `rewrite.request.Options` does not allow."""


class OtherLanguage(BadOption):
    """A generator that does not write the language of a text; other texts of the same call may be in its own."""


class ContextTooLong(RewriteError):
    """A prompt that does not fit the model; the message names both lengths, in tokens."""

    def __init__(self, length: int, context: int) -> None:
        super().__init__(
            f"The prompt with room for its answer takes {length:,} tokens, the model {context:,}.",
            hint="Split the text, or ask for fewer --max-tokens.",
        )
        self.length = length
        self.context = context


class ServerError(RewriteError):
    """A model server that cannot be reached, refuses, or answers other than asked; the message names its address."""


def exit_code(error: RewriteError) -> int:
    """The exit status for `error`: 2 where the user should change an option, 1 otherwise."""
    return 2 if isinstance(error, (BadOption, BadWeights, UnknownName)) else 1
