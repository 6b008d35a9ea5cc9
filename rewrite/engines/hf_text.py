"""Text to tokens and back with transformers, for the engine `hf` and for training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewrite.engines.base import ModelInput
from rewrite.engines.chat import prompt_text


class ModelText:
    """A tokenizer with what its model says of tokens.

    `ends` are the numbers of tokens at which a text is over, `begin` is the one that stands before a text, `pad` fills
    up rows, `known` are all numbers that stand for a token.
    """

    def __init__(self, tokenizer: Any, *, seq2seq: bool, ends: Sequence[int], begin: int | None) -> None:
        self.tokenizer = tokenizer
        self.begin = begin
        self.known = frozenset(tokenizer.get_vocab().values())
        self._seq2seq = seq2seq
        self._special = {str(token): number for number, token in tokenizer.added_tokens_decoder.items()}
        self.ends = _true_ends(ends, tokenizer.eos_token_id, set(self._special.values()))
        self.pad = next((n for n in (tokenizer.pad_token_id, *sorted(self.ends)) if n is not None), 0)

    def encode(self, model_input: ModelInput) -> list[int]:
        """Tokens of an input, special ones included; where there would be none at all, the one that begins a text.

        Raises `BadModel` for a conversation where the model has no chat template, or one that refuses it.
        """
        # The folder that the tokenizer was read from has the template, too.
        begin = None if self._seq2seq else self.tokenizer.bos_token
        text, special = prompt_text(Path(self.tokenizer.name_or_path), model_input, begin)
        tokens = self._encoded(text, special=special)
        if tokens:
            return tokens
        return [n for n in (self.begin, *sorted(self.ends), self.pad) if n is not None][:1]

    def encode_answer(self, text: str) -> list[int]:
        """Tokens of a text as the model would write it, its end token included."""
        if self._seq2seq:
            tokens = self.tokenizer(text_target=text, add_special_tokens=False)["input_ids"]
        else:
            tokens = self._encoded(text, special=False)
        eos = self.tokenizer.eos_token_id
        end = [eos] if eos is not None else sorted(self.ends)[:1]
        return [*tokens, *end]

    def length(self, text: str) -> int:
        """Tokens of a text by itself."""
        return len(self._encoded(text, special=False))

    def split_stops(self, stops: Sequence[str]) -> tuple[frozenset[int], tuple[str, ...]]:
        """The numbers of tokens that end a text, with the stops that are one special token; and the other stops."""
        special = {self._special[stop] for stop in stops if stop in self._special}
        return self.ends | special, tuple(stop for stop in stops if stop not in self._special)

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens, special ones left out, its spaces as they are."""
        text: str = self.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return text

    def _encoded(self, text: str, *, special: bool) -> list[int]:
        tokens: list[int] = self.tokenizer(text, add_special_tokens=special)["input_ids"]
        return tokens


def _true_ends(declared: Sequence[int], eos: int | None, special: set[int]) -> frozenset[int]:
    """Of the end tokens in a model's config those that are special to its tokenizer, with the tokenizer's own.

    Configs copied from another model name the number of a common word; a text must not end there.
    """
    ends = {number for number in declared if number in special}
    return frozenset(ends | ({eos} if eos is not None else set()) or declared)
