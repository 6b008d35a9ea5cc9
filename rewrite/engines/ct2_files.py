"""The files of a model that CTranslate2 runs: where they are, and what they tell before it is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rerank.checkpoint import is_converted, resolve
from rewrite.base.package import KNOWN
from rewrite.engines.base import ModelInfo, ModelInput
from rewrite.engines.cache import mark_used
from rewrite.engines.chat import has_template, prompt_text
from rewrite.engines.convert import Card, converted, read_card, require_converter, vocabulary_size
from rewrite.engines.tokens import Tokens, load_tokens

# The tokens of a prompt, and those of an answer to it, its end token included.
Pair = tuple[list[str], list[str]]


class ModelFiles:
    """A converted folder, or a Hugging Face model that is converted once. Nothing is looked for before it is asked."""

    def __init__(self, target: str, *, quantization: str, allow_pickle: bool) -> None:
        self._target = target
        self._quantization = quantization
        self._allow_pickle = allow_pickle

    @cached_property
    def source(self) -> Path:
        """The folder that the user means, fetched from the hub if need be: prompt and chat template are read there.

        Of an adapter it is the cache's model of base and adapter, made now if it is not there.
        """
        if self._target in KNOWN:
            from rewrite.base.adapted_models import adapted_for_ct2

            return adapted_for_ct2(self._target, quantization=self._quantization)
        given = Path(self._target).expanduser()
        if is_converted(given):
            return given
        return resolve(
            self._target, allow_pickle=self._allow_pickle, before_fetch=lambda: require_converter(self._target)
        )

    @property
    def identity(self) -> dict[str, str]:
        """What a name does not tell: of an adapter, its numbers and those of its base."""
        if self._target not in KNOWN:
            return {}
        from rewrite.base.adapted_models import key_of

        return {"adapter": key_of(self._target)}

    @cached_property
    def folder(self) -> Path:
        """The folder of the converted model; converts it on first use."""
        if is_converted(self.source):
            return self.source
        return converted(self.source, quantization=self._quantization, allow_pickle=self._allow_pickle)

    @cached_property
    def card(self) -> Card:
        return read_card(self.folder)

    @property
    def is_seq2seq(self) -> bool:
        return self.card.kind == "seq2seq"

    @cached_property
    def tokens(self) -> Tokens:
        return load_tokens(self.folder)

    @cached_property
    def vocabulary_size(self) -> int:
        return vocabulary_size(self.folder)

    @cached_property
    def info(self) -> ModelInfo:
        """Name, kind and folder of the model. Converts it, if need be."""
        kind: Any = self.card.kind
        return ModelInfo(
            name=self._target,
            kind=kind,
            model_type=self.card.model_type,
            folder=self.source,
            chat=has_template(self.source),
        )

    @property
    def mending(self) -> str:
        """What to do where the files of the converted model are broken."""
        return "Delete that folder; it is made anew." if self._is_in_cache else "Convert the model again."

    def mark_used(self) -> None:
        """Keep the cache's copy for another week, where the model is one; nothing else is touched."""
        if self._is_in_cache:
            mark_used(self.folder)

    @property
    def _is_in_cache(self) -> bool:
        return self.folder != self.source or self._target in KNOWN

    def prompt(self, model_input: ModelInput) -> list[str]:
        """The tokens of an input, special ones included."""
        text, special = prompt_text(self.source, model_input, self.card.begin)
        return self.tokens.encode(text, special=special)

    def pairs(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[Pair]:
        """The tokens of each input, and of the text as the answer to it, its end token included."""
        end = list(self.card.end[:1])
        return [
            (self.prompt(model_input) or [self.card.begin], [*self.tokens.encode_target(text), *end])
            for model_input, text in zip(inputs, texts, strict=True)
        ]
