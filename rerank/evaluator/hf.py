"""An evaluator on any encoder of Hugging Face, in torch: the reference engine, and what larger models need."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from rerank.checkpoint import digest_of, libraries, load_tokenizer, load_weights, padded, resolve, weight_files
from rerank.errors import BadModel, ModelNotFound
from rerank.evaluator import Outputs, judged
from rerank.evaluator.pair_rows import PairRow, plain
from rerank.masked.base import in_batches
from rerank.types import FloatArray

SETTINGS, WEIGHTS = "evaluator.json", "head.safetensors"
_BESIDE = frozenset({".json", ".txt", ".model"})
"""How files end that settings, configuration and vocabulary are in."""
_AT_ONCE = 1000
_BATCH = 16


def pair_rows(tokenizer: Any, pairs: Iterable[tuple[str, str]], window: int) -> Iterator[PairRow]:
    """Rows of (source, text) with the special tokens of a tokenizer, trimmed to `window` tokens.

    While a row is too long, the longer side loses its last token: the round robin of the paper.
    """
    stream = iter(pairs)
    while chunk := [(plain(source), plain(text)) for source, text in islice(stream, _AT_ONCE)]:
        encoded = tokenizer(
            [source for source, _ in chunk],
            [text for _, text in chunk],
            truncation="longest_first",
            max_length=window,
            return_token_type_ids=True,
        )
        yield from map(PairRow, map(tuple, encoded["input_ids"]), map(tuple, encoded["token_type_ids"]))


class HfEvaluator:
    """The evaluator in `folder`, as `training.evaluator` writes one on an encoder of Hugging Face.

    f(d, s) = σ(W e), e the encoder's last vector of the first token. `device` is torch's name of where it runs. Raises
    `ModelNotFound` where the folder holds no evaluator, `BadModel` (weights in a pickle among it: none is read, and no
    code that comes with a model is run), `MissingExtra`.
    """

    def __init__(self, folder: Path, *, device: str = "cpu") -> None:
        self.folder, self._device = folder, device
        try:
            settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
            self._outputs = Outputs(settings)
            self.language: str = str(settings["language"])
            self._window, self._name = int(settings["window"]), str(settings["name"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelNotFound(
                f"{folder / SETTINGS}: it cannot be read: {error}.",
                hint="Give a folder that `python -m training.evaluator` has written.",
            ) from error
        self.name = f"evaluator:hf:{self._name}"

    def signature(self) -> str:
        """Name and checksum of weights, settings, configuration and vocabulary."""
        return f"{self.name}@{self._checksum}"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """What it says of each (source, text), in [0, 1], `[pairs, outputs]`; see `PackedEvaluator.judge`."""
        return judged(self._judge, pairs, self._outputs, self.language)

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the columns of `judge`."""
        return self._outputs.names

    def _judge(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        rows = list(pair_rows(self._tokenizer, pairs, self._window))
        values = in_batches(
            rows,
            self._probabilities,
            lengths=[len(row.tokens) for row in rows],
            tokens=_BATCH * self._window,
            window=self._window,
            name=self.name,
        )
        return np.array(values, dtype=np.float64).reshape(len(rows), len(self.outputs))

    def _probabilities(self, rows: Sequence[PairRow]) -> FloatArray:
        """What the network says of rows that make one batch, `[rows, outputs]`."""
        import torch

        tokens, mask = padded([row.tokens for row in rows], self._tokenizer.pad_token_id or 0, self._device)
        kinds, _ = padded([row.kinds for row in rows], 0, self._device)
        with torch.inference_mode():
            first = first_vectors(self._encoder, tokens, mask, kinds)
            odds = first.float() @ self._head["out.weight"].T + self._head["out.bias"]
            probabilities: FloatArray = torch.sigmoid(odds).cpu().numpy()
        return probabilities

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(resolve(str(self.folder)))

    @cached_property
    def _encoder(self) -> Any:
        return load_encoder(resolve(str(self.folder))).to(self._device)

    @cached_property
    def _head(self) -> dict[str, Any]:
        from safetensors.torch import load_file

        count, size = len(self.outputs), self._encoder.config.hidden_size
        shapes = {"out.weight": (count, size), "out.bias": (count,)}
        try:
            weights = load_file(self.folder / WEIGHTS)
            if any(tuple(weights[name].shape) != shape for name, shape in shapes.items()):
                raise ValueError(f"it is not for {count} outputs of vectors of {size}")
            return {name: weights[name].to(self._device) for name in shapes}
        except Exception as error:  # the library's own errors are no ValueErrors
            raise BadModel(f"{self.folder / WEIGHTS}: it cannot be read: {error}.", hint="Train it again.") from error

    @cached_property
    def _checksum(self) -> str:
        # A vocabulary or a configuration that was changed gives other values with the same weights.
        beside = sorted(path for path in self.folder.iterdir() if path.suffix in _BESIDE)
        return digest_of((self.folder / WEIGHTS, *weight_files(self.folder), *beside))[:16]


def load_encoder(folder: Path) -> Any:
    """The encoder of a checkpoint, in evaluation mode; its pooler, which many have not learnt, is not used.

    Raises `BadModel`, `MissingExtra`.
    """
    torch, _ = libraries()
    return load_weights(folder, loader="AutoModel", dtype=torch.float32, unused=("pooler.",))


def first_vectors(encoder: Any, tokens: Any, mask: Any, kinds: Any) -> Any:
    """The last layer's vectors of the first tokens, `[rows, size]`, of an encoder that may know no segments."""
    segments = {"token_type_ids": kinds} if getattr(encoder.config, "type_vocab_size", 0) > 1 else {}
    return encoder(input_ids=tokens, attention_mask=mask, **segments).last_hidden_state[:, 0]
