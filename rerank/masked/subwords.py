"""The sub-words of single words, whichever kind of tokenizer a transformers model has."""

from __future__ import annotations

from typing import Any

from rerank.errors import BadModel
from rerank.masked.base import Word

__all__ = ["SubWords"]

_UNBOUNDED = 1_000_000
# How sentencepiece and byte-level tokenizers write the space before a word.
_SPACES = ("▁", "Ġ")


class SubWords:
    """Cuts words into the numbers of `tokenizer`'s sub-words, and knows its special tokens.

    WordPiece takes every word alike; byte-level BPE and sentencepiece write the space before a word into its first
    sub-word, so there a word after a space has other sub-words than one that clings to the word before. `longest` is
    the longest text that the tokenizer says the model takes, special tokens included; 0 where it does not say. Raises
    `BadModel` for a tokenizer without a mask, or without tokens before and after a text.
    """

    def __init__(self, tokenizer: Any, name: str) -> None:
        self._tokenizer = tokenizer
        self._backend = getattr(tokenizer, "backend_tokenizer", None)
        if tokenizer.mask_token_id is None:
            raise BadModel(f"{name}: its tokenizer has no mask.", hint="Give a masked language model, such as a BERT.")
        self.mask = int(tokenizer.mask_token_id)
        self.prefix, self.suffix = self._around()
        if not self.prefix or not self.suffix:
            raise BadModel(f"{name}: its tokenizer puts no tokens around a text.", hint="Give a model such as a BERT.")
        unknown = tokenizer.unk_token_id
        self._unknown = self.mask if unknown is None else int(unknown)
        self._special = frozenset(tokenizer.all_special_ids)
        self.pad = int(self.suffix[-1] if tokenizer.pad_token_id is None else tokenizer.pad_token_id)
        longest = int(tokenizer.model_max_length or 0)
        self.longest = longest if longest < _UNBOUNDED else 0

    def of(self, word: Word) -> tuple[int, ...]:
        """At least one sub-word."""
        found = self._encode(f" {word.text}") if word.spaced else self._clinging(word.text)
        # Marks such as "</s>" in a text are text, although some tokenizers know them as pieces.
        return tuple(self._unknown if token in self._special else token for token in found) or (self._unknown,)

    def _encode(self, text: str) -> list[int]:
        return [int(t) for t in self._tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)]

    def _clinging(self, text: str) -> list[int]:
        """The sub-words of a word with no space before it, also where the tokenizer puts one there by itself."""
        found = self._encode(text)
        first = self._tokenizer.convert_ids_to_tokens(found[0]) if found else ""
        if not first.startswith(_SPACES) or self._backend is None:
            return found
        from tokenizers import pre_tokenizers

        normalizer = self._backend.normalizer
        plain = (normalizer.normalize_str(text) if normalizer else text).lstrip(_SPACES[0])
        pieces = [plain]
        if first.startswith(_SPACES[1]):
            pieces = [piece for piece, _ in pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str(plain)]
        return [int(token.id) for piece in pieces for token in self._backend.model.tokenize(piece)]

    def _around(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The tokens that stand before and after every text."""
        inner = self._tokenizer.encode("a", add_special_tokens=False)
        whole = self._tokenizer.encode("a")
        for start in range(len(whole) - len(inner) + 1):
            if whole[start : start + len(inner)] == inner:
                return tuple(whole[:start]), tuple(whole[start + len(inner) :])
        return (), ()
