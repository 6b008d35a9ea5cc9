"""What an engine is: it runs a language model. Prompts in, raw samples out; it knows nothing of sentences or scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from rerank.errors import RewriteError
from rewrite.errors import ContextTooLong
from rewrite.generators.base import Sampling

# How a model takes its input: text to continue, text for an encoder, or the turns of a conversation.
Kind = Literal["causal", "seq2seq", "chat"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


def without_system(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The same conversation for a model that knows no system turn: what it says goes before the user's first words."""
    said = "\n\n".join(message.content for message in messages if message.role == "system")
    turns = [message for message in messages if message.role != "system"]
    first = next((i for i, message in enumerate(turns) if message.role == "user"), None)
    if said and first is not None:
        turns[first] = Message("user", f"{said}\n\n{turns[first].content}")
    return tuple(turns)


@dataclass(frozen=True, slots=True)
class ModelInput:
    """One source, rendered by a prompt.

    `text` is what a causal model continues or an encoder reads; for a chat model `messages` holds the turns instead,
    ending with the user's. Neighbours with the same `group` ask otherwise for one source and may be drawn together.
    """

    source: str
    text: str = ""
    messages: tuple[Message, ...] = ()
    group: int | None = None

    @property
    def content(self) -> str:
        """All that the model reads, as one text that no other input has."""
        return "\n".join((self.text, *(f"{message.role}: {message.content}" for message in self.messages)))


@dataclass(frozen=True, slots=True)
class Sample:
    """One text that a model drew, without its prompt and without what follows the first stop string.

    `logprob` is the sum of the natural logs of the model's own token probabilities (temperature 1, nothing cut off by
    top-k or top-p; entries of the vocabulary that are no token left out) over the `tokens` drawn, the end token or stop
    string among them, and `least_logprob` that of the least probable of them; `None` where a server does not say.
    `finish_reason` is `stop` (the model ended, or a stop string came) or `length` (it was cut off).
    """

    text: str
    logprob: float | None = None
    tokens: int | None = None
    finish_reason: str | None = None
    least_logprob: float | None = None


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of a model before it runs: enough to choose its prompt.

    `name` is as the user wrote it, `model_type` the architecture's name in the model's config (`gpt2`, `t5`, `marian`,
    …; empty where a server does not tell), `folder` where its files lie, `chat` whether it brings a chat template.
    """

    name: str
    kind: Kind | None = None
    model_type: str = ""
    folder: Path | None = None
    chat: bool = False


def first_stop(text: str, stops: Sequence[str]) -> int | None:
    """Where the first stop string in `text` begins, or `None` where there is none."""
    return min((place for stop in stops if (place := text.find(stop)) >= 0), default=None)


def room_error(prompt: int, answer: int, context: int | None, *, seq2seq: bool) -> ContextTooLong | None:
    """What there is to say unless a model of `context` positions takes so many tokens; an encoder has its own."""
    needed = max(prompt, answer) if seq2seq else prompt + answer
    return ContextTooLong(needed, context) if context is not None and needed > context else None


# What came of one input: its samples, or the error that kept it from having any.
Drawn = list[Sample] | RewriteError


@runtime_checkable
class Engine(Protocol):
    """Runs one model. Nothing heavy is loaded before `info` or `sample`; `close` frees what was."""

    @property
    def name(self) -> str:
        """The scheme that the engine is asked for by, such as `ct2`."""
        ...

    @property
    def info(self) -> ModelInfo: ...

    def describe(self) -> Mapping[str, object]:
        """Model and settings that decide what is drawn, for the signature of a result. Never a key."""
        ...

    def sample(self, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
        """`sampling.n` samples for each input, in order, or for an input that fails its error.

        What is drawn depends on the input and the seed alone, not on the company it is drawn in. An input longer than
        the model's context gives `ContextTooLong`, or what a server says of it. Raises `RewriteError` where nothing can
        be drawn at all: a model that is missing or broken, a server that cannot be reached.
        """
        ...

    def close(self) -> None:
        """Free the model, connections and processes; the engine may be used again, and then loads again."""
        ...


@runtime_checkable
class TokenScoring(Protocol):
    """An engine that says how probable each token of a given answer is."""

    def describe(self) -> Mapping[str, object]: ...

    def too_long(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> Mapping[int, Exception]: ...

    def token_logprobs(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[list[tuple[str, float]]]: ...

    def close(self) -> None: ...
