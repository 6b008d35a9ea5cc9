"""The weights of a Gemma 3 text model and of its adapters, read with numpy alone.

The base comes from a GGUF file. Tensors have the names and the layout that transformers
gives them, so that everything after this module (trimming, both ways of writing) knows one form. A tensor is read when
it is asked for.

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
from rewrite.errors import BadModel, MissingExtra

Floats = NDArray[np.float32]
EMBEDDINGS = "model.embed_tokens.weight"
_FAMILY = "gemma3"
_STEPS = 127
_OTHER = "The base of this version is the pretrained Gemma 3 270M; give a GGUF file of that model."

_TOKENS, _FIRST_TOKENS = 262_144, ("<pad>", "<eos>", "<bos>", "<unk>")

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
# Our name of a size → GGUF's name.
_SIZES = {
    "layers": "block_count",
    "width": "embedding_length",
    "inner": "feed_forward_length",
    "heads": "attention.head_count",
    "key_heads": "attention.head_count_kv",
    "head_size": "attention.key_length",
    "window": "attention.sliding_window",
    "context": "context_length",
}
_GGUF_LAYER = re.compile(r"blk\.(\d+)\.(\w+)")


@dataclass(frozen=True, slots=True)
class Architecture:
    """Sizes of a Gemma 3 text model, as its config has them. Every `pattern`-th layer attends to the whole text."""

    layers: int
    width: int
    inner: int
    heads: int
    key_heads: int
    head_size: int
    window: int
    context: int
    epsilon: float = 1e-6
    global_theta: float = 1_000_000.0
    local_theta: float = 10_000.0
    pattern: int = 6

    def attends_to_all(self, layer: int) -> bool:
        """Whether a layer, counted from 0, attends to the whole text and not to the last `window` tokens alone."""
        return (layer + 1) % self.pattern == 0


# The only base that adapters of this version fit (the head that reads its vectors, too).
GEMMA_3_270M = Architecture(
    layers=18, width=640, inner=2048, heads=4, key_heads=1, head_size=256, window=512, context=32_768
)


class BaseWeights:
    """Tensors of a GGUF file by transformers' name, and `pieces`, the vocabulary in the order of its numbers."""

    def __init__(self, architecture: Architecture, tensors: Mapping[str, Any], pieces: Sequence[str]) -> None:
        self.architecture = architecture
        self._tensors = tensors
        self.pieces = pieces

    def names(self) -> list[str]:
        """All tensors."""
        return list(self._tensors)

    def read(self, name: str, rows: NDArray[np.int64] | None = None) -> Floats:
        """A tensor in float32, or some rows of it. Raises `BadModel` where the file has none of this name."""
        import gguf

        if name not in self._tensors:
            raise BadModel(f"The base model has no tensor {name!r}.", hint=_OTHER)
        tensor = self._tensors[name]
        data = tensor.data if rows is None else tensor.data[rows]
        values: Floats = gguf.dequantize(data, tensor.tensor_type).astype(np.float32)
        # GGUF has a norm's factor, transformers (and CTranslate2) what it differs by from 1.
        return values - np.float32(1) if name.endswith("norm.weight") else values

    def rows(self, ids: NDArray[np.int64]) -> Floats:
        """The embeddings of these tokens, (len(ids), width)."""
        return self.read(EMBEDDINGS, ids)


def read_gguf(path: Path) -> BaseWeights:
    """The weights and the vocabulary in a GGUF file, of any quantisation.

    Raises `MissingExtra` without the package gguf, `BadModel` for a broken file and for another architecture.
    """
    try:
        import gguf
    except ImportError:
        raise MissingExtra(
            "Reading the base model needs gguf, which is not installed.", hint="Run: pip install 'rewrite-rerank[lm]'"
        ) from None
    try:
        file = gguf.GGUFReader(str(path))
        family = _field(file, "general.architecture")
        if family != _FAMILY:
            raise BadModel(f"{path}: the architecture is {family!r}, not {_FAMILY!r}.", hint=_OTHER)
        sizes = {name: _field(file, f"{_FAMILY}.{theirs}") for name, theirs in _SIZES.items()}
        tensors = {_from_gguf(tensor.name): tensor for tensor in file.tensors}
        # The converter of llama.cpp writes runs of spaces as they are, all else as the tokenizer has it.
        pieces = [piece.replace(" ", "▁") for piece in _field(file, "tokenizer.ggml.tokens")]
    except BadModel:
        raise
    except Exception as error:  # the library raises whatever it stumbles over
        raise BadModel(f"{path}: it is no GGUF file that can be read: {error}.", hint=_OTHER) from error
    architecture = _known_architecture(sizes, pieces, path)
    return BaseWeights(architecture, tensors, pieces)


def _field(file: Any, name: str) -> Any:
    return file.fields[name].contents()


def _from_gguf(name: str) -> str:
    stem = name.removesuffix(".weight")
    layer = _GGUF_LAYER.fullmatch(stem)
    if layer is not None:
        return f"model.layers.{layer[1]}.{_GGUF_NAMES[layer[2]]}.weight"
    return f"{_GGUF_NAMES[stem]}.weight"


def _known_architecture(sizes: Mapping[str, Any], pieces: Sequence[str], path: Path) -> Architecture:
    if len(pieces) != _TOKENS or tuple(pieces[:4]) != _FIRST_TOKENS:
        raise BadModel(f"{path}: its vocabulary of {len(pieces):,} tokens is not that of Gemma 3.", hint=_OTHER)
    architecture = Architecture(**sizes)
    if architecture != GEMMA_3_270M:
        raise BadModel(
            f"{path}: its sizes ({architecture.layers} layers, width {architecture.width}) are not those of "
            f"Gemma 3 270M ({GEMMA_3_270M.layers} layers, width {GEMMA_3_270M.width}).",
            hint=_OTHER,
        )
    return architecture


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
    """The layers by the names of their weights. Raises `BadModel` where the file is missing or broken."""
    try:
        with np.load(path, allow_pickle=False) as file:
            names = dict.fromkeys(key.rpartition("/")[0] for key in file)
            return {name: LowRank(file[f"{name}/a"], file[f"{name}/b"], file[f"{name}/scales"]) for name in names}
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise BadModel(f"{path}: it is no adapter that can be read: {error}.") from error
