"""From a packed masked model back to a BERT that can be trained on: its weights as they are after 8 bits.

Reads the binary files of CTranslate2 (version 6): a list of named arrays, then a list of other names for some of them.
"""

from __future__ import annotations

import shutil
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from rerank.masked.packed import ENCODER, TOKENIZER, read_settings
from rewrite.engines.checkpoint import first_line, quietly
from rewrite.errors import BadModel

__all__ = ["unpack"]

_VERSION = 6
_TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}
_HINT = "Give the folder of a packed masked model: rerank/models/mlm-en, or one of training.export_masked."
Arrays = Mapping[str, npt.NDArray[np.float32]]


def unpack(packed: Path, folder: Path) -> None:
    """Write the encoder of the model in `packed` to `folder`, in the form of Hugging Face, with its tokenizer.

    Raises `ModelNotFound` where a file of `packed` is missing, `BadModel` where its encoder is none of a masked model.
    """
    import transformers

    window = read_settings(packed, _HINT).window
    try:
        arrays = _arrays(packed / ENCODER)
        shape = _Shape.of(arrays)
        config = transformers.BertConfig(
            vocab_size=shape.words,
            hidden_size=shape.width,
            num_hidden_layers=shape.layers,
            num_attention_heads=shape.heads,
            intermediate_size=shape.inner,
            max_position_embeddings=window,
            type_vocab_size=shape.kinds,
        )
        model: Any = transformers.BertModel(config, add_pooling_layer=False)
        model.load_state_dict(_state(arrays, shape))
    except (OSError, ValueError, LookupError, RuntimeError, struct.error) as error:
        told = first_line(error)
        raise BadModel(f"{packed / ENCODER}: it is no encoder of a masked model: {told}.", hint=_HINT) from error
    with quietly():
        model.save_pretrained(folder)
    shutil.copyfile(packed / TOKENIZER, folder / TOKENIZER)


@dataclass(frozen=True, slots=True)
class _Shape:
    """How large a BERT is."""

    words: int
    kinds: int
    width: int
    inner: int
    layers: int
    heads: int

    @classmethod
    def of(cls, arrays: Arrays) -> _Shape:
        words, width = arrays["embeddings_0/weight"].shape
        layers = 1 + max(int(name.split("/")[0].removeprefix("layer_")) for name in arrays if name.startswith("layer_"))
        inner = arrays["layer_0/ffn/linear_0/weight"].shape[0]
        kinds = arrays["embeddings_1/weight"].shape[0]
        return cls(words, kinds, width, inner, layers, int(arrays["num_heads"]))


def _state(arrays: Arrays, shape: _Shape) -> dict[str, Any]:
    """Weights by the names that transformers has for them."""
    found = {
        "embeddings.word_embeddings.weight": arrays["embeddings_0/weight"],
        "embeddings.token_type_embeddings.weight": arrays["embeddings_1/weight"],
        "embeddings.position_embeddings.weight": arrays["position_encodings/encodings"],
        **_norm("embeddings.LayerNorm", arrays, "layernorm_embedding"),
    }
    for number in range(shape.layers):
        to, of = f"encoder.layer.{number}", f"layer_{number}"
        for part in ("weight", "bias"):
            three = np.split(arrays[f"{of}/self_attention/linear_0/{part}"], 3)
            for name, own in zip(("query", "key", "value"), three, strict=True):
                found[f"{to}.attention.self.{name}.{part}"] = own
            found[f"{to}.attention.output.dense.{part}"] = arrays[f"{of}/self_attention/linear_1/{part}"]
            found[f"{to}.intermediate.dense.{part}"] = arrays[f"{of}/ffn/linear_0/{part}"]
            found[f"{to}.output.dense.{part}"] = arrays[f"{of}/ffn/linear_1/{part}"]
        found |= _norm(f"{to}.attention.output.LayerNorm", arrays, f"{of}/self_attention/layer_norm")
        found |= _norm(f"{to}.output.LayerNorm", arrays, f"{of}/ffn/layer_norm")
    return _tensors(found)


def _norm(to: str, arrays: Arrays, of: str) -> dict[str, npt.NDArray[np.float32]]:
    return {f"{to}.weight": arrays[f"{of}/gamma"], f"{to}.bias": arrays[f"{of}/beta"]}


def _tensors(arrays: Arrays) -> dict[str, Any]:
    import torch

    return {name: torch.tensor(array) for name, array in arrays.items()}


def _arrays(path: Path) -> dict[str, npt.NDArray[np.float32]]:
    """The arrays of an encoder by name, in 32 bits; those in 8 bits are kept with a scale for each row."""
    with path.open("rb") as file:
        (version,) = _numbers(file, "I")
        if version != _VERSION:
            raise ValueError(f"its format is {version}, not {_VERSION}")
        _text(file)
        _, count = _numbers(file, "II")
        found = dict(_array(file) for _ in range(count))
        (also,) = _numbers(file, "I")
        found |= {name: found[of] for name, of in [(_text(file), _text(file)) for _ in range(also)]}
    plain = {}
    for name, array in found.items():
        scale = found.get(f"{name}_scale")
        whole = array.astype(np.float32)
        plain[name.removeprefix("encoder/")] = whole if scale is None else whole / scale[:, None]
    return plain


def _array(file: IO[bytes]) -> tuple[str, npt.NDArray[Any]]:
    name = _text(file)
    (rank,) = _numbers(file, "B")
    shape = _numbers(file, "I" * rank)
    kind, size = _numbers(file, "=BI")
    return name, np.frombuffer(file.read(size), _TYPES[kind]).reshape(shape)


def _text(file: IO[bytes]) -> str:
    (size,) = _numbers(file, "H")
    return file.read(size).rstrip(b"\0").decode("utf-8")


def _numbers(file: IO[bytes], form: str) -> tuple[Any, ...]:
    return struct.unpack(form, file.read(struct.calcsize(form)))
