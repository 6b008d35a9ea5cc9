"""Text to tokens and back without transformers, for engines that run a converted model, and a text drawn by tokens."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from rerank.checkpoint import first_line
from rewrite.engines.base import Sample, first_stop
from rewrite.errors import BadModel, MissingExtra


def load_tokens(folder: Path) -> Tokens:
    """The tokenizer that lies in `folder`: `tokenizer.json`, or a pair of SentencePiece models (Marian).

    Raises `BadModel` where there is neither, or where it cannot be read.
    """
    try:
        if (folder / "tokenizer.json").is_file():
            return FastTokens(folder / "tokenizer.json")
        if (folder / "source.spm").is_file() and (folder / "target.spm").is_file():
            return SentencePieceTokens(folder / "source.spm", folder / "target.spm")
    except (OSError, ValueError, RuntimeError) as error:
        raise BadModel(
            f"{folder}: the tokenizer cannot be read: {first_line(error)}.",
            hint="Copy its files again from the model that was converted, or delete the folder if it is in the cache.",
        ) from None
    raise BadModel(
        f"{folder}: no tokenizer.json, nor source.spm with target.spm.",
        hint="Copy the tokenizer's files from the model that was converted.",
    )


class FastTokens:
    """A `tokenizer.json` of the tokenizers library, with tokens as strings: what a converted model reads and writes."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        try:
            self._tokenizer: Any = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises bare exceptions
            raise ValueError(f"{path.name}: {error}") from None
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        added = self._tokenizer.get_added_tokens_decoder().values()
        self._special = frozenset(token.content for token in added if token.special)

    def encode(self, text: str, *, special: bool = True) -> list[str]:
        """Tokens of `text`; with `special`, those that the tokenizer puts around it are there too."""
        # Not `Encoding.tokens`: for a token that takes in the space beside it that is the text it was found in.
        return [self._tokenizer.id_to_token(i) for i in self._tokenizer.encode(text, add_special_tokens=special).ids]

    def encode_target(self, text: str) -> list[str]:
        """Tokens of `text` as a decoder writes them, without any around it."""
        return self.encode(text, special=False)

    def decode(self, tokens: Sequence[str]) -> str:
        """The text of `tokens`, special ones left out."""
        ids = [self._tokenizer.token_to_id(token) for token in tokens]
        text: str = self._tokenizer.decode([i for i in ids if i is not None], skip_special_tokens=True)
        return text

    def is_special(self, token: str) -> bool:
        """Whether `token` is one special token of the vocabulary, such as `</s>`."""
        return token in self._special


class SentencePieceTokens:
    """As `FastTokens`, of a SentencePiece model for the source and one for the target, which Marian has."""

    _END = "</s>"
    _SPECIAL = frozenset({"</s>", "<pad>", "<unk>", "<s>"})

    def __init__(self, source: Path, target: Path) -> None:
        try:
            import sentencepiece
        except ImportError:
            raise MissingExtra(
                "This model's tokenizer needs sentencepiece.", hint="Run: pip install sentencepiece"
            ) from None
        self._source: Any = sentencepiece.SentencePieceProcessor(model_file=str(source))
        self._target: Any = sentencepiece.SentencePieceProcessor(model_file=str(target))

    def encode(self, text: str, *, special: bool = True) -> list[str]:
        pieces: list[str] = self._source.encode(text, out_type=str)
        return [*pieces, self._END] if special else pieces

    def encode_target(self, text: str) -> list[str]:
        pieces: list[str] = self._target.encode(text, out_type=str)
        return pieces

    def decode(self, tokens: Sequence[str]) -> str:
        text: str = self._target.decode_pieces([token for token in tokens if token not in self._SPECIAL])
        return text

    def is_special(self, token: str) -> bool:
        return token in self._SPECIAL


Tokens = FastTokens | SentencePieceTokens


class Draft:
    """Collects the tokens of one sample until it ends: by an end token, a stop string, or its limit.

    Tokens are whatever `tokens` decodes, strings or numbers. The first `skip` of them were forced on the model, so they
    are part of no text and no probability.
    """

    def __init__(self, tokens: Any, ends: Collection[Any], stops: Sequence[str], limit: int, skip: int = 0) -> None:
        self._tokens = tokens
        self._ends = ends
        self._stops = stops
        self._limit = limit
        self._skip = skip
        self._drawn: list[Any] = []
        self._logprob = 0.0
        self._least: float | None = None
        self._finish: str | None = None

    def add(self, token: Any, logprob: float) -> bool:
        """Take the next token; whether the text is over. What comes after its end is left out."""
        if self._finish:
            return True
        if self._skip:
            self._skip -= 1
            return False
        self._drawn.append(token)
        self._logprob += logprob
        self._least = logprob if self._least is None else min(self._least, logprob)
        if token in self._ends or (self._stops and first_stop(self._decoded(), self._stops) is not None):
            self._finish = "stop"
        elif len(self._drawn) >= self._limit:
            self._finish = "length"
        return self._finish is not None

    def sample(self) -> Sample:
        """The text so far, with its figures."""
        text = self._decoded()
        return Sample(
            text[: first_stop(text, self._stops)],
            logprob=self._logprob,
            tokens=len(self._drawn),
            least_logprob=self._least,
            finish_reason=self._finish or "length",
        )

    def _decoded(self) -> str:
        text: str = self._tokens.decode([token for token in self._drawn if token not in self._ends])
        return text
