"""The weights of Gemma 3 270M and of its adapters, read with numpy alone.

The base comes from a GGUF file. Tensors have the names and the layout that transformers gives them, so that everything
after this module (trimming, both ways of writing) knows one form. A tensor is read when it is asked for.

An adapter is W + B · A for some of the layers, a few megabytes in int8. Its file `adapter.npz` holds, for each layer
that is changed, `NAME/a` (rank, inputs) and `NAME/b` (outputs, rank) as int8, and `NAME/scales` (rank,), float32: what
the products of `a` and `b` are multiplied by, one number for each rank. The factor alpha / rank of training is in the
scales.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.arrays import save_arrays
from rewrite.errors import BadModel

Floats = NDArray[np.float32]
EMBEDDINGS = "model.embed_tokens.weight"
_STEPS = 127

# GGUF's name of a tensor → transformers' name; `{}` is the number of a layer.
_GGUF_NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "post_ffw_norm": "post_feedforward_layernorm",
}
_GGUF_LAYER = re.compile(r"blk\.(\d+)\.(\w+)")


class BaseWeights:
    """Tensors of a GGUF file by transformers' name, and `pieces`, the vocabulary in the order of its numbers."""

    def __init__(self, tensors: Mapping[str, Any], pieces: Sequence[str]) -> None:
        self._tensors = tensors
        self.pieces = pieces

    def names(self) -> list[str]:
        """All tensors."""
        return list(self._tensors)

    def read(self, name: str, rows: NDArray[np.int64] | None = None) -> Floats:
        """A tensor in float32, or some rows of it."""
        import gguf

        tensor = self._tensors[name]
        data = tensor.data if rows is None else tensor.data[rows]
        values: Floats = gguf.dequantize(data, tensor.tensor_type).astype(np.float32)
        # GGUF has a norm's factor, transformers (and CTranslate2) what it differs by from 1.
        return values - np.float32(1) if name.endswith("norm.weight") else values

    def rows(self, ids: NDArray[np.int64]) -> Floats:
        """The embeddings of these tokens, (len(ids), width)."""
        return self.read(EMBEDDINGS, ids)


def read_gguf(path: Path) -> BaseWeights:
    """The weights and the vocabulary in the base's GGUF file (`rewrite.base.package.assembled`)."""
    import gguf

    file = gguf.GGUFReader(str(path))
    tensors = {_from_gguf(tensor.name): tensor for tensor in file.tensors}
    # The converter of llama.cpp writes runs of spaces as they are, all else as the tokenizer has it.
    pieces = [piece.replace(" ", "▁") for piece in file.fields["tokenizer.ggml.tokens"].contents()]
    return BaseWeights(tensors, pieces)


def _from_gguf(name: str) -> str:
    stem = name.removesuffix(".weight")
    layer = _GGUF_LAYER.fullmatch(stem)
    if layer is not None:
        return f"model.layers.{layer[1]}.{_GGUF_NAMES[layer[2]]}.weight"
    return f"{_GGUF_NAMES[stem]}.weight"


@dataclass(frozen=True, slots=True)
class LowRank:
    """What is added to one weight matrix: `b` (outputs, rank) times `scales` (rank,) times `a` (rank, inputs)."""

    a: NDArray[np.int8]
    b: NDArray[np.int8]
    scales: NDArray[np.float32]

    def added_to(self, weight: NDArray[np.float32]) -> NDArray[np.float32]:
        """`weight`, (outputs, inputs), with this added. Raises `BadModel` where the sizes do not fit."""
        if weight.shape != (self.b.shape[0], self.a.shape[1]):
            raise BadModel(
                f"The adapter is for a weight of {self.b.shape[0]} × {self.a.shape[1]}, the base has "
                f"{' × '.join(map(str, weight.shape))}.",
                hint="The adapter was made for another base.",
            )
        return weight + (self.b.astype(np.float32) * self.scales) @ self.a.astype(np.float32)


def pack_low_rank(a: NDArray[np.float32], b: NDArray[np.float32], factor: float, *, levels: int = _STEPS) -> LowRank:
    """The int8 form of `factor` · b · a, with `a` (rank, inputs) and `b` (outputs, rank).

    Numbers run from −`levels` to `levels`, 127 at most: fewer make a smaller file, and are less exact.
    """
    most_a = np.maximum(np.abs(a).max(axis=1), np.finfo(np.float32).tiny)
    most_b = np.maximum(np.abs(b).max(axis=0), np.finfo(np.float32).tiny)
    return LowRank(
        a=np.rint(a / most_a[:, None] * levels).astype(np.int8),
        b=np.rint(b / most_b * levels).astype(np.int8),
        scales=(most_a * most_b * (factor / levels**2)).astype(np.float32),
    )


def both(first: Mapping[str, LowRank], second: Mapping[str, LowRank]) -> dict[str, LowRank]:
    """What two adapters add together, by the weights that either changes."""
    joined = {**first, **second}
    for name in first.keys() & second.keys():
        below, above = first[name], second[name]
        joined[name] = LowRank(
            a=np.concatenate([below.a, above.a]),
            b=np.concatenate([below.b, above.b], axis=1),
            scales=np.concatenate([below.scales, above.scales]),
        )
    return joined


def write_adapter(path: Path, layers: Mapping[str, LowRank]) -> None:
    """Write the layers by the names of the weights that they change."""
    parts: dict[str, Any] = {}
    for name, layer in layers.items():
        parts |= {f"{name}/a": layer.a, f"{name}/b": layer.b, f"{name}/scales": layer.scales}
    save_arrays(path, parts)


def read_adapter(path: Path) -> dict[str, LowRank]:
    """The layers by the names of their weights."""
    with np.load(path, allow_pickle=False) as file:
        names = dict.fromkeys(key.rpartition("/")[0] for key in file)
        return {name: LowRank(file[f"{name}/a"], file[f"{name}/b"], file[f"{name}/scales"]) for name in names}
