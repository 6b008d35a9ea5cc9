"""From a trained masked model to the folder that `rerank.masked.bundled` runs: encoder, head, tokenizer, settings."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from rerank.masked.packed import FORMAT, HEAD, SETTINGS, TOKENIZER, Settings
from rewrite.engines.checkpoint import first_line, quietly
from rewrite.errors import BadModel
from training.masked.options import Weights
from training.masked.vocabulary import CLS, MASK, PAD, SEP, UNKNOWN

__all__ = ["head_parts", "pack"]

_LEVELS = 127


def pack(model: Path, folder: Path, *, name: str, language: str, weights: Weights) -> None:
    """Write the trained `model` to `folder`, its weights as `weights` says. Raises `BadModel` for what is no BERT."""
    try:
        with quietly():
            loaded = _load(model)
            _converter(model).convert(str(folder), quantization=weights, force=True)
        np.savez(folder / HEAD, **head_parts(loaded, weights))
    except (AttributeError, KeyError, ValueError, RuntimeError) as error:
        raise BadModel(f"{model}: it cannot be packed: {first_line(error)}.", hint="Give a trained BERT.") from error
    shutil.copyfile(model / TOKENIZER, folder / TOKENIZER)
    settings = Settings(
        name=name,
        language=language,
        window=loaded.config.max_position_embeddings,
        mask=MASK,
        pad=PAD,
        unknown=UNKNOWN,
        prefix=(CLS,),
        suffix=(SEP,),
    )
    text = json.dumps({"format": FORMAT, **asdict(settings)}, ensure_ascii=False, indent=1)
    (folder / SETTINGS).write_text(f"{text}\n", encoding="utf-8")


def _converter(model: Path) -> Any:
    from ctranslate2.converters import TransformersConverter

    class Converter(TransformersConverter):  # type: ignore[misc]
        def _load(self) -> Any:
            spec = super()._load()
            # The pooler is no part of a masked model: the library would write random numbers.
            del spec.pooler_dense
            return spec

    return Converter(str(model))


def _load(model: Path) -> Any:
    import transformers

    return transformers.BertForMaskedLM.from_pretrained(str(model), local_files_only=True)


def head_parts(model: Any, weights: Weights) -> Mapping[str, Any]:
    """The arrays of the output layer: the words' rows in 8 bits with a scale each, or all in 32."""
    head = model.cls.predictions
    state = {name: part.detach().float().numpy() for name, part in head.state_dict().items()}
    words, dense = state["decoder.weight"], state["transform.dense.weight"]
    found = {
        "dense": dense,
        "dense_bias": state["transform.dense.bias"],
        "norm": state["transform.LayerNorm.weight"],
        "norm_bias": state["transform.LayerNorm.bias"],
        "epsilon": np.array(head.transform.LayerNorm.eps),
        "words": words,
        "words_bias": state["bias"],
    }
    if weights == "int8":
        scales = np.maximum(np.abs(words).max(axis=1), 1e-12) / _LEVELS
        found["dense"] = dense.astype(np.float16)
        found["words"] = np.round(words / scales[:, None]).astype(np.int8)
        found["scales"] = scales.astype(np.float32)
    return found
