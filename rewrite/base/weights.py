"""The weights of a Gemma 3 text model, read with numpy alone from a GGUF file or a folder of safetensors.

Tensors have the names and the layout that transformers gives them, so that everything after this module (trimming,
adapters, both ways of writing) knows one form. A tensor is read when it is asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rewrite.errors import BadModel, MissingExtra

__all__ = ["EMBEDDINGS", "Architecture", "BaseWeights", "read_gguf", "read_safetensors"]

Floats = NDArray[np.float32]
EMBEDDINGS = "model.embed_tokens.weight"
_FAMILY = "gemma3"
_OTHER = "The base of this version is the pretrained Gemma 3 270M; give a file or folder of that model."

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
    """Tensors by transformers' name, and `pieces`, the vocabulary in the order of its numbers.

    `read(name)` gives a tensor, `rows(ids)` some rows of the embeddings, (len(ids), width); all float32.
    """

    def __init__(
        self,
        architecture: Architecture,
        readers: Mapping[str, Callable[[NDArray[np.int64] | None], Floats]],
        pieces: Sequence[str],
    ) -> None:
        self.architecture = architecture
        self._readers = readers
        self.pieces = pieces

    def names(self) -> list[str]:
        """All tensors."""
        return list(self._readers)

    def read(self, name: str) -> Floats:
        """A tensor. Raises `BadModel` where the file has none of this name."""
        return self._reader(name)(None)

    def rows(self, ids: NDArray[np.int64]) -> Floats:
        """The embeddings of these tokens, (len(ids), width)."""
        return self._reader(EMBEDDINGS)(ids)

    def _reader(self, name: str) -> Callable[[NDArray[np.int64] | None], Floats]:
        try:
            return self._readers[name]
        except KeyError:
            raise BadModel(f"The base model has no tensor {name!r}.", hint=_OTHER) from None


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
        architecture = _gguf_architecture(file)
        readers = {_from_gguf(tensor.name): _gguf_reader(gguf, tensor) for tensor in file.tensors}
        # The converter of llama.cpp writes runs of spaces as they are, all else as the tokenizer has it.
        pieces = [piece.replace(" ", "▁") for piece in _field(file, "tokenizer.ggml.tokens")]
    except BadModel:
        raise
    except Exception as error:  # the library raises whatever it stumbles over
        raise BadModel(f"{path}: it is no GGUF file that can be read: {error}.", hint=_OTHER) from error
    _require_known(architecture, pieces, path)
    return BaseWeights(architecture, readers, pieces)


def _field(file: Any, name: str) -> Any:
    return file.fields[name].contents()


def _gguf_architecture(file: Any) -> Architecture:
    def number(name: str) -> Any:
        return _field(file, f"{_FAMILY}.{name}")

    return Architecture(
        layers=number("block_count"),
        width=number("embedding_length"),
        inner=number("feed_forward_length"),
        heads=number("attention.head_count"),
        key_heads=number("attention.head_count_kv"),
        head_size=number("attention.key_length"),
        window=number("attention.sliding_window"),
        context=number("context_length"),
    )


def _from_gguf(name: str) -> str:
    stem = name.removesuffix(".weight")
    layer = _GGUF_LAYER.fullmatch(stem)
    if layer is not None:
        return f"model.layers.{layer[1]}.{_GGUF_NAMES[layer[2]]}.weight"
    return f"{_GGUF_NAMES[stem]}.weight"


def _gguf_reader(gguf: Any, tensor: Any) -> Callable[[NDArray[np.int64] | None], Floats]:
    # GGUF has a norm's factor, transformers (and CTranslate2) what it differs by from 1.
    shift = np.float32(1.0 if tensor.name.endswith("norm.weight") else 0.0)

    def read(rows: NDArray[np.int64] | None) -> Floats:
        data = tensor.data if rows is None else tensor.data[rows]
        values: Floats = gguf.dequantize(data, tensor.tensor_type).astype(np.float32)
        return values - shift if shift else values

    return read


def read_safetensors(folder: Path) -> BaseWeights:
    """The weights in a folder of transformers: config.json, *.safetensors, and its vocabulary in tokenizer.json.

    Raises `BadModel` for broken or missing files and for another architecture.
    """
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        family = config.get("model_type")
        if family != "gemma3_text":
            raise BadModel(f"{folder}: the model is of type {family!r}, not 'gemma3_text'.", hint=_OTHER)
        architecture = _safetensors_architecture(config)
        readers = {
            name: reader for path in sorted(folder.glob("*.safetensors")) for name, reader in _tensors_in(path).items()
        }
        vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    except BadModel:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadModel(f"{folder}: it cannot be read as a model of transformers: {error!r}.", hint=_OTHER) from error
    pieces = sorted(vocabulary, key=vocabulary.__getitem__)
    _require_known(architecture, pieces, folder)
    if EMBEDDINGS not in readers:
        raise BadModel(f"{folder}: no *.safetensors file holds {EMBEDDINGS!r}.", hint=_OTHER)
    return BaseWeights(architecture, readers, pieces)


def _safetensors_architecture(config: Mapping[str, Any]) -> Architecture:
    return Architecture(
        layers=config["num_hidden_layers"],
        width=config["hidden_size"],
        inner=config["intermediate_size"],
        heads=config["num_attention_heads"],
        key_heads=config["num_key_value_heads"],
        head_size=config["head_dim"],
        window=config["sliding_window"],
        context=config["max_position_embeddings"],
    )


def _tensors_in(path: Path) -> dict[str, Callable[[NDArray[np.int64] | None], Floats]]:
    """Readers of a file's tensors. The format: eight bytes of length, a JSON header, the numbers in a row."""
    size = int.from_bytes(path.open("rb").read(8), "little")
    if not 0 < size < path.stat().st_size:
        raise ValueError(f"{path.name} is cut off")
    data = np.memmap(path, dtype=np.uint8, mode="r")
    header = json.loads(bytes(data[8 : 8 + size]))
    header.pop("__metadata__", None)
    return {name: _safetensors_reader(data[8 + size :], entry) for name, entry in header.items()}


def _safetensors_reader(
    data: NDArray[np.uint8], entry: Mapping[str, Any]
) -> Callable[[NDArray[np.int64] | None], Floats]:
    start, end = entry["data_offsets"]
    kind = {"F32": np.float32, "F16": np.float16, "BF16": np.uint16}[entry["dtype"]]
    if end > len(data):
        raise ValueError("a file of safetensors is cut off")
    stored = data[start:end].view(kind).reshape(entry["shape"])

    def read(rows: NDArray[np.int64] | None) -> Floats:
        part = stored if rows is None else stored[rows]
        # numpy has no bfloat16, which is the upper half of a float32.
        values: Floats = (
            (part.astype(np.uint32) << 16).view(np.float32) if kind is np.uint16 else part.astype(np.float32)
        )
        return values

    return read


def _require_known(architecture: Architecture, pieces: Sequence[str], path: Path) -> None:
    if len(pieces) != _TOKENS or tuple(pieces[:4]) != _FIRST_TOKENS:
        raise BadModel(f"{path}: its vocabulary of {len(pieces):,} tokens is not that of Gemma 3.", hint=_OTHER)
    if architecture != GEMMA_3_270M:
        raise BadModel(
            f"{path}: its sizes ({architecture.layers} layers, width {architecture.width}) are not those of "
            f"Gemma 3 270M ({GEMMA_3_270M.layers} layers, width {GEMMA_3_270M.width}).",
            hint=_OTHER,
        )
