"""From a trained masked model to the folder that `rerank.masked.bundled` runs, and from its encoder back to a BERT.

Packed are encoder, head, tokenizer and settings. What is unpacked, to be trained on, has its weights as they are after
8 bits. A network that was taught from a bundled model can be kept as what differs from it:

    python -m training.masked.packing FOLDER [--base mlm-en]

FOLDER, as a step that teaches a network has written it, then holds no encoder and no tokenizer: about half the bytes,
and the same weights to the bit. It runs beside the `rerank/models/BASE` that it was made with, so this is for networks
that a release holds. What a folder held stays where it cannot be done.
"""

from __future__ import annotations

import argparse
import json
import shutil
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rerank.checkpoint import first_line, quietly
from rerank.errors import BadInput
from rerank.masked.packed import (
    BUNDLED,
    CONFIG,
    ENCODER,
    FORMAT,
    HEAD,
    SETTINGS,
    TOKENIZER,
    VOCABULARY,
    Settings,
    encoder_bytes,
    encoder_files,
    read_settings,
)
from rerank.masked.weights import DIFFERENCE, read_weights, write_difference
from rewrite.checksums import write_sums
from rewrite.errors import BadModel
from training.command import run_to_the_end
from training.disk import explained
from training.masked.vocabulary import CLS, MASK, PAD, SEP, UNKNOWN

_HINT = "Give the folder of a packed masked model: rerank/models/mlm-en, or one of training.masked_lm."
_PACKED = "Give a folder that a step of training wrote, and the bundled model that its recipe names as `encoder`."
Floats = npt.NDArray[np.float32]
Weights = Literal["int8", "float32"]
"""Numbers that weights are kept in."""


def pack(model: Path, folder: Path, *, name: str, language: str, weights: Weights) -> None:
    """Write the trained `model` to `folder`, its weights as `weights` says. Raises `BadModel` for what is no BERT."""
    import transformers

    try:
        with quietly():
            loaded = transformers.BertForMaskedLM.from_pretrained(str(model), local_files_only=True)
            _converter(model).convert(str(folder), quantization=weights, force=True)
        np.savez(folder / HEAD, **_head_parts(loaded, weights))
    except (AttributeError, KeyError, ValueError, RuntimeError) as error:
        raise BadModel(f"{model}: it cannot be packed: {first_line(error)}.", hint="Give a trained BERT.") from error
    shutil.copyfile(model / TOKENIZER, folder / TOKENIZER)
    (folder / VOCABULARY).unlink()  # the tokenizer has it
    settings = settings_for(loaded.config.max_position_embeddings, name=name, language=language)
    text = json.dumps({"format": FORMAT, **asdict(settings)}, ensure_ascii=False, indent=1)
    (folder / SETTINGS).write_text(f"{text}\n", encoding="utf-8")


def settings_for(window: int, *, name: str = "", language: str = "") -> Settings:
    """Those of a model with the special tokens of `training.masked.vocabulary`."""
    return Settings(name, language, window, MASK, PAD, UNKNOWN, (CLS,), (SEP,))


def _converter(model: Path) -> Any:
    from ctranslate2.converters import TransformersConverter

    class Converter(TransformersConverter):  # type: ignore[misc]
        def _load(self) -> Any:
            spec = super()._load()
            # The pooler is no part of a masked model: the library would write random numbers.
            del spec.pooler_dense
            return spec

    return Converter(str(model))


def _head_parts(model: Any, weights: Weights) -> Mapping[str, Any]:
    """The arrays of the output layer but the words' rows, which are the encoder's embeddings."""
    head = model.cls.predictions
    state = {name: part.detach().float().numpy() for name, part in head.state_dict().items()}
    dense = state["transform.dense.weight"]
    return {
        "dense": dense.astype(np.float16) if weights == "int8" else dense,
        "dense_bias": state["transform.dense.bias"],
        "norm": state["transform.LayerNorm.weight"],
        "norm_bias": state["transform.LayerNorm.bias"],
        "epsilon": np.array(head.transform.LayerNorm.eps),
        "words_bias": state["bias"],
    }


def unpack(packed: Path, folder: Path) -> None:
    """Write the encoder of the model in `packed` to `folder`, in the form of Hugging Face, with its tokenizer.

    Raises `ModelNotFound` where a file of `packed` is missing, `BadModel` where its encoder is none of a masked model.
    """
    import transformers

    settings = read_settings(packed, _HINT)
    try:
        weights = read_weights(encoder_bytes(packed, settings))
        arrays = {name: weights.plain(name) for name in weights.names if not name.endswith("_scale")}
        words, width = arrays["embeddings_0/weight"].shape
        numbers = [int(name.split("/")[0].removeprefix("layer_")) for name in arrays if name.startswith("layer_")]
        config = transformers.BertConfig(
            vocab_size=words,
            hidden_size=width,
            num_hidden_layers=1 + max(numbers),
            num_attention_heads=int(arrays["num_heads"]),
            intermediate_size=arrays["layer_0/ffn/linear_0/weight"].shape[0],
            max_position_embeddings=settings.window,
            type_vocab_size=arrays["embeddings_1/weight"].shape[0],
        )
        model: Any = transformers.BertModel(config, add_pooling_layer=False)
        model.load_state_dict(_state(arrays, config.num_hidden_layers))
    except (OSError, ValueError, LookupError, RuntimeError, struct.error) as error:
        reason = first_line(error)
        raise BadModel(f"{packed / ENCODER}: it is no encoder of a masked model: {reason}.", hint=_HINT) from error
    with quietly():
        model.save_pretrained(folder)
    shutil.copyfile(encoder_files(packed, settings)[1], folder / TOKENIZER)


def _state(arrays: Mapping[str, Floats], layers: int) -> dict[str, Any]:
    """Weights by the names that transformers has for them."""
    import torch

    state = {
        "embeddings.word_embeddings.weight": arrays["embeddings_0/weight"],
        "embeddings.token_type_embeddings.weight": arrays["embeddings_1/weight"],
        "embeddings.position_embeddings.weight": arrays["position_encodings/encodings"],
        **_norm("embeddings.LayerNorm", arrays, "layernorm_embedding"),
    }
    for number in range(layers):
        target, source = f"encoder.layer.{number}", f"layer_{number}"
        for part in ("weight", "bias"):
            three = np.split(arrays[f"{source}/self_attention/linear_0/{part}"], 3)
            for name, third in zip(("query", "key", "value"), three, strict=True):
                state[f"{target}.attention.self.{name}.{part}"] = third
            state[f"{target}.attention.output.dense.{part}"] = arrays[f"{source}/self_attention/linear_1/{part}"]
            state[f"{target}.intermediate.dense.{part}"] = arrays[f"{source}/ffn/linear_0/{part}"]
            state[f"{target}.output.dense.{part}"] = arrays[f"{source}/ffn/linear_1/{part}"]
        state |= _norm(f"{target}.attention.output.LayerNorm", arrays, f"{source}/self_attention/layer_norm")
        state |= _norm(f"{target}.output.LayerNorm", arrays, f"{source}/ffn/layer_norm")
    return {name: torch.tensor(array) for name, array in state.items()}


def _norm(target: str, arrays: Mapping[str, Floats], source: str) -> dict[str, Floats]:
    return {f"{target}.weight": arrays[f"{source}/gamma"], f"{target}.bias": arrays[f"{source}/beta"]}


def keep_difference(folder: Path, base: str) -> None:
    """Turn the network in `folder` into one that differs from the bundled model `base`.

    Raises `ModelNotFound` where `folder` or `base` is none, `BadInput` where they have other tokens or layers.
    """
    settings, shared = read_settings(folder, _PACKED), BUNDLED / base
    read_settings(shared, _PACKED)
    if settings.base:
        raise BadInput(f"{folder}: it is kept as a difference from {settings.base} already.", hint=_PACKED)
    for name in (CONFIG, TOKENIZER):
        if (folder / name).read_bytes() != (shared / name).read_bytes():
            raise BadInput(f"{folder / name}: it is not that of {base}.", hint=_PACKED)
    with explained(folder):
        draft = folder / f"new-{DIFFERENCE}"
        try:
            write_difference((folder / ENCODER).read_bytes(), (shared / ENCODER).read_bytes(), draft)
            draft.replace(folder / DIFFERENCE)
        except (ValueError, LookupError, struct.error) as error:
            raise BadInput(f"{folder / ENCODER}: no difference from {base}: {error}.", hint=_PACKED) from error
        finally:
            draft.unlink(missing_ok=True)
        stored = {"format": FORMAT, **asdict(replace(settings, base=base))}
        (folder / SETTINGS).write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        for name in (ENCODER, CONFIG, TOKENIZER):
            (folder / name).unlink()
        write_sums(folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.masked.packing",
        description="Keep a packed network as what differs from the bundled model it was taught from.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a packed network; it is changed in place")
    parser.add_argument("--base", metavar="NAME", help="a model in rerank/models (default: that of its language)")
    given = parser.parse_args(arguments)

    def work() -> None:
        language = read_settings(given.folder, _PACKED).language
        keep_difference(given.folder, given.base or f"mlm-{language}")
        size = sum(path.stat().st_size for path in given.folder.iterdir())
        print(f"{given.folder}: {size / 1e6:.1f} MB")

    return run_to_the_end("packing", work)


if __name__ == "__main__":
    raise SystemExit(main())
