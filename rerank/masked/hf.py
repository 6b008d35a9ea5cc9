"""Any masked language model of Hugging Face transformers, in this process; see `rerank.masked.base.MaskedModel`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rerank.checkpoint import digest_of, libraries, load_tokenizer, load_weights, padded, resolve, weight_files
from rerank.errors import BadModel, PickledWeights, RewriteError
from rerank.masked.base import LogProbs, Row, Word, in_batches
from rerank.masked.packed import SETTINGS

_UNBOUNDED = 1_000_000
# How sentencepiece and byte-level tokenizers write the space before a word.
_SPACES = ("▁", "Ġ")


class HFMaskedModel:
    """The masked language model `target`, a folder or a name on the hub; loaded when it is first asked.

    Rows are sorted by length and run in batches of at most `batch_tokens` tokens, padding included; the output layer
    sees only the positions that are asked for, where the architecture allows it. `device` is torch's name (`cuda`).
    Loading raises `ModelNotFound`, `BadModel` (weights in a pickle among it: none is read, and no code that comes with
    a model is run) or `MissingExtra`.
    """

    def __init__(self, target: str, *, device: str = "cpu", batch_tokens: int = 4096) -> None:
        self.target = target
        self._device = device
        self._batch_tokens = batch_tokens

    @property
    def name(self) -> str:
        return f"hf:{self.target}"

    @property
    def layers(self) -> int:
        """Layers of the encoder."""
        return int(self._model.config.get_text_config().num_hidden_layers)

    @property
    def mask(self) -> int:
        return self._subwords.mask

    @property
    def prefix(self) -> tuple[int, ...]:
        return self._subwords.prefix

    @property
    def suffix(self) -> tuple[int, ...]:
        return self._subwords.suffix

    def signature(self) -> str:
        return f"{self.name}@{self._checksum}:float32"

    def tokens(self, word: Word) -> tuple[int, ...]:
        return self._subwords.of(word)

    def predict(self, rows: Sequence[Row]) -> list[LogProbs]:
        return self._in_batches(rows, self._predict, [row.tokens for row in rows])

    def vectors(self, rows: Sequence[tuple[int, ...]]) -> list[LogProbs]:
        return self._in_batches(rows, self._vectors, rows)

    def _in_batches(
        self, items: Sequence[Any], run: Callable[[list[Any]], list[LogProbs]], rows: Sequence[tuple[int, ...]]
    ) -> list[LogProbs]:
        lengths = [len(row) for row in rows]
        return in_batches(items, run, lengths=lengths, tokens=self._batch_tokens, window=self.window, name=self.name)

    def _vectors(self, rows: list[tuple[int, ...]]) -> list[LogProbs]:
        torch, _ = libraries()
        tokens, mask = padded(rows, self._subwords.pad, self._device)
        with torch.inference_mode():
            hidden = self._model.base_model(input_ids=tokens, attention_mask=mask)[0].cpu().numpy()
        return [vectors[: len(row)] for vectors, row in zip(hidden, rows, strict=True)]

    def _predict(self, rows: list[Row]) -> list[LogProbs]:
        torch, _ = libraries()
        tokens, mask = padded([row.tokens for row in rows], self._subwords.pad, self._device)
        numbers = [number for number, row in enumerate(rows) for _ in row.positions]
        places = [place for row in rows for place in row.positions]
        asked = [torch.tensor(list_, device=self._device) for list_ in (numbers, places)]
        with torch.inference_mode():
            logits = _forward(self._model, tokens, mask, asked[0], asked[1], sparse=self._sparse)
            logprobs = torch.log_softmax(logits, dim=-1).cpu().numpy()
        ends = np.cumsum([len(row.positions) for row in rows])[:-1]
        return list(np.split(logprobs, ends))

    @cached_property
    def folder(self) -> Path:
        """Where the model's files are, fetched if need be."""
        try:
            folder = resolve(self.target)
        except PickledWeights as error:
            hint = "Look for a copy in safetensors; for a masked model no pickle is read."
            raise BadModel(error.message, hint=hint) from error
        if (folder / SETTINGS).is_file():
            raise BadModel(f"{folder}: a masked model in the bundled format.", hint=f"Write bundled:{self.target}.")
        return folder

    @cached_property
    def _subwords(self) -> _SubWords:
        return _SubWords(load_tokenizer(self.folder), self.name)

    @cached_property
    def _model(self) -> Any:
        torch, _ = libraries()
        if not weight_files(self.folder):
            raise BadModel(
                f"{self.folder}: a converted model, which transformers cannot load.",
                hint="Give the model as it was before it was converted.",
            )
        model = load_weights(self.folder, loader="AutoModelForMaskedLM", dtype=torch.float32)
        try:
            return model.to(self._device)
        except (RuntimeError, AssertionError) as error:
            raise RewriteError(f"The device {self._device!r} cannot be used: {error}", hint="Give cpu.") from error

    @cached_property
    def _sparse(self) -> bool:
        return works_on_asked_positions(self._model, self._device, (*self.prefix, self.mask, self.mask, *self.suffix))

    @cached_property
    def window(self) -> int:
        """Positions of the model; those that RoBERTa and its kin never use are left out."""
        config = self._model.config.get_text_config()
        positions = int(getattr(config, "max_position_embeddings", 0) or _UNBOUNDED)
        embeddings = getattr(self._model.base_model, "embeddings", None)
        padding = getattr(getattr(embeddings, "position_embeddings", None), "padding_idx", None)
        usable = positions if padding is None else positions - padding - 1
        return min(usable, self._subwords.longest or usable)

    @cached_property
    def _checksum(self) -> str:
        return digest_of(weight_files(self.folder))[:16]


class _SubWords:
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
        tokens = self._encode(f" {word.text}") if word.spaced else self._clinging(word.text)
        # Marks such as "</s>" in a text are text, although some tokenizers know them as pieces.
        return tuple(self._unknown if token in self._special else token for token in tokens) or (self._unknown,)

    def _encode(self, text: str) -> list[int]:
        return [int(t) for t in self._tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)]

    def _clinging(self, text: str) -> list[int]:
        """The sub-words of a word with no space before it, also where the tokenizer puts one there by itself."""
        tokens = self._encode(text)
        first = self._tokenizer.convert_ids_to_tokens(tokens[0]) if tokens else ""
        if not first.startswith(_SPACES) or self._backend is None:
            return tokens
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


def _forward(model: Any, tokens: Any, mask: Any, rows: Any, places: Any, *, sparse: bool) -> Any:
    """Logits of each asked position, `[asked, vocabulary]`: position `places[k]` of row `rows[k]`.

    `tokens` and `mask` are `[batch, width]`. With `sparse` the encoder's output is cut down to the asked positions
    before the model's own output layer sees it, which for a small encoder saves most of the time: the output layer has
    a row of weights for every word of the vocabulary.
    """
    if not sparse:
        return model(input_ids=tokens, attention_mask=mask).logits[rows, places]

    def only_asked(_module: Any, _inputs: Any, output: Any) -> Any:
        output[0 if isinstance(output, tuple) else "last_hidden_state"] = output[0][rows, places][None]
        return output

    hook = model.base_model.register_forward_hook(only_asked)
    try:
        return model(input_ids=tokens, attention_mask=mask).logits[0]
    finally:
        hook.remove()


def works_on_asked_positions(model: Any, device: str, sample: tuple[int, ...]) -> bool:
    """Whether the model's output layer takes positions one by one, seen on a `sample` of tokens."""
    torch, _ = libraries()
    tokens = torch.tensor([sample, sample], device=device)
    rows, places = torch.tensor([0, 1, 1], device=device), torch.tensor([1, 0, 2], device=device)
    with torch.inference_mode():
        whole = _forward(model, tokens, torch.ones_like(tokens), rows, places, sparse=False)
        try:
            asked = _forward(model, tokens, torch.ones_like(tokens), rows, places, sparse=True)
        except Exception:  # whatever an architecture does with an output of another shape
            return False
    return asked.shape == whole.shape and bool(torch.allclose(asked, whole, rtol=1e-3, atol=1e-3))
