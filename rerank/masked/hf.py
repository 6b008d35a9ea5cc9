"""Any masked language model of Hugging Face transformers, in this process; see `rerank.masked.base.MaskedModel`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rerank.checkpoint import libraries, load_tokenizer, load_weights, resolve, weight_files
from rerank.errors import BadModel, PickledWeights, RewriteError
from rerank.masked.base import LogProbs, Row, Word
from rerank.masked.batching import batches
from rerank.masked.bundled_files import SETTINGS
from rerank.masked.head import forward, works_on_asked_positions
from rerank.masked.subwords import SubWords

__all__ = ["HFMaskedModel"]

_UNBOUNDED = 1_000_000


class HFMaskedModel:
    """The masked language model `target`, a folder or a name on the hub; loaded when it is first asked.

    Rows are sorted by length and run in batches of at most `batch_tokens` tokens, padding included; the output layer
    sees only the positions that are asked for, where the architecture allows it. `device` and `dtype` are torch's names
    (`cuda`, `float32`, `float64`). Loading raises `ModelNotFound`, `BadModel` (weights in a pickle among it: none is
    read, and no code that comes with a model is run) or `MissingExtra`.
    """

    def __init__(self, target: str, *, device: str = "cpu", dtype: str = "float32", batch_tokens: int = 4096) -> None:
        self.target = target
        self._device = device
        self._dtype = dtype
        self._batch_tokens = batch_tokens

    @property
    def name(self) -> str:
        return f"hf:{self.target}"

    @property
    def folder(self) -> Path:
        """Where the model's files are, fetched if need be."""
        return self._folder

    @property
    def window(self) -> int:
        return self._window

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
        return f"{self.name}@{self._checksum}:{self._dtype}"

    def tokens(self, word: Word) -> tuple[int, ...]:
        return self._subwords.of(word)

    def predict(self, rows: Sequence[Row]) -> list[LogProbs]:
        found: list[LogProbs] = [np.empty((0, 0), dtype=np.float32)] * len(rows)
        for batch in self._batches([row.tokens for row in rows]):
            answers = self._predict([rows[i] for i in batch])
            for i, answer in zip(batch, answers, strict=True):
                found[i] = answer
        return found

    def vectors(self, rows: Sequence[tuple[int, ...]]) -> list[LogProbs]:
        torch, _ = libraries()
        found: list[LogProbs] = [np.empty((0, 0), dtype=np.float32)] * len(rows)
        for batch in self._batches(rows):
            tokens, mask = self._padded([rows[i] for i in batch])
            with torch.inference_mode():
                hidden = self._model.base_model(input_ids=tokens, attention_mask=mask)[0].float().cpu().numpy()
            for number, i in enumerate(batch):
                found[i] = hidden[number, : len(rows[i])]
        return found

    def _predict(self, rows: Sequence[Row]) -> list[LogProbs]:
        torch, _ = libraries()
        tokens, mask = self._padded([row.tokens for row in rows])
        numbers = [number for number, row in enumerate(rows) for _ in row.positions]
        places = [place for row in rows for place in row.positions]
        asked = [torch.tensor(list_, device=self._device) for list_ in (numbers, places)]
        with torch.inference_mode():
            logits = forward(self._model, tokens, mask, asked[0], asked[1], sparse=self._sparse)
            wide = logits if logits.dtype == torch.float64 else logits.float()
            logprobs = torch.log_softmax(wide, dim=-1).cpu().numpy()
        ends = np.cumsum([len(row.positions) for row in rows])[:-1]
        return list(np.split(logprobs, ends))

    def _batches(self, rows: Sequence[tuple[int, ...]]) -> Iterator[list[int]]:
        return batches(rows, tokens=self._batch_tokens, window=self.window, name=self.name)

    def _padded(self, rows: Sequence[tuple[int, ...]]) -> tuple[Any, Any]:
        torch, _ = libraries()
        width = max(map(len, rows))
        pad = self._subwords.pad
        tokens = [[*row, *[pad] * (width - len(row))] for row in rows]
        mask = [[1] * len(row) + [0] * (width - len(row)) for row in rows]
        return torch.tensor(tokens, device=self._device), torch.tensor(mask, device=self._device)

    @cached_property
    def _folder(self) -> Path:
        try:
            found = resolve(self.target)
        except PickledWeights as error:
            hint = "Look for a copy in safetensors; for a masked model no pickle is read."
            raise BadModel(error.message, hint=hint) from error
        if (found / SETTINGS).is_file():
            raise BadModel(f"{found}: a masked model in the bundled format.", hint=f"Write bundled:{self.target}.")
        return found

    @cached_property
    def _subwords(self) -> SubWords:
        return SubWords(load_tokenizer(self._folder), self.name)

    @cached_property
    def _model(self) -> Any:
        torch, _ = libraries()
        if not weight_files(self._folder):
            raise BadModel(
                f"{self._folder}: a converted model, which transformers cannot load.",
                hint="Give the model as it was before it was converted.",
            )
        dtype = getattr(torch, self._dtype, None)
        if not isinstance(dtype, torch.dtype):
            raise BadModel(f"dtype is {self._dtype!r}.", hint="Give float32, float64 or bfloat16.")
        model = load_weights(self._folder, loader="AutoModelForMaskedLM", dtype=dtype)
        try:
            return model.to(self._device)
        except (RuntimeError, AssertionError) as error:
            raise RewriteError(f"The device {self._device!r} cannot be used: {error}", hint="Give cpu.") from error

    @cached_property
    def _sparse(self) -> bool:
        return works_on_asked_positions(self._model, self._device, (*self.prefix, self.mask, self.mask, *self.suffix))

    @cached_property
    def _window(self) -> int:
        """Positions of the model; those that RoBERTa and its kin never use are left out."""
        config = self._model.config.get_text_config()
        positions = int(getattr(config, "max_position_embeddings", 0) or _UNBOUNDED)
        embeddings = getattr(self._model.base_model, "embeddings", None)
        padding = getattr(getattr(embeddings, "position_embeddings", None), "padding_idx", None)
        own = positions if padding is None else positions - padding - 1
        return min(own, self._subwords.longest or own)

    @cached_property
    def _checksum(self) -> str:
        digest = hashlib.sha256()
        for path in weight_files(self._folder):
            with path.open("rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
        return digest.hexdigest()[:16]
