"""A generating language model's folder: what it tells of itself, and the model in it; see `rerank.checkpoint`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rerank.checkpoint import load_weights, read_config, require_known
from rewrite.engines.base import ModelInfo
from rewrite.engines.chat import has_template
from rewrite.errors import BadModel

_NO_GENERATOR = re.compile(r"For(MaskedLM|QuestionAnswering|MultipleChoice|NextSentencePrediction|\w*Classification)$")
# Relative positions have no end, but memory has: attention takes the square of the length, and nobody trained them on
# more than a small multiple of what their config names.
_BEYOND = 4
_USUAL = 512
# What tokenizers say who know of no limit.
_UNBOUNDED = 1_000_000


def model_info(folder: Path, name: str) -> ModelInfo:
    """What `config.json` and the tokenizer's files tell of the model in `folder`, which the user calls `name`.

    Raises `BadModel` for one that generates no text, or of a type that the installed transformers does not know:
    code that comes with a model is never run.
    """
    config = read_config(folder)
    model_type = str(config["model_type"])
    require_known(folder, model_type, own_code="auto_map" in config)
    architectures = [name for name in config.get("architectures") or [] if isinstance(name, str)]
    if architectures and all(_NO_GENERATOR.search(architecture) for architecture in architectures):
        raise BadModel(
            f"{folder}: a model of type {architectures[0]} generates no text.",
            hint="Give a causal or an encoder-decoder language model.",
        )
    return ModelInfo(
        name=name,
        kind="seq2seq" if config.get("is_encoder_decoder") else "causal",
        model_type=model_type,
        folder=folder,
        chat=has_template(folder),
    )


def load_model(folder: Path, *, seq2seq: bool, dtype: Any, allow_pickle: bool = False) -> Any:
    """The model of `folder` as `rerank.checkpoint.load_weights` gives it; raises what that does."""
    loader = "AutoModelForSeq2SeqLM" if seq2seq else "AutoModelForCausalLM"
    return load_weights(folder, loader=loader, dtype=dtype, allow_pickle=allow_pickle)


def first_setting(name: str, *settings: Any) -> Any:
    """What the first of a model's `settings` to have `name` gives; `None` where none has it."""
    return next((value for place in settings if (value := getattr(place, name, None)) is not None), None)


def token_ids(model: str, name: str, *settings: Any) -> list[int]:
    """The numbers of tokens that the first of a model's `settings` to have `name` gives, none where none has it.

    Raises `BadModel` where they are no numbers.
    """
    value = first_setting(name, *settings)
    if value is None:
        return []
    numbers = list(value) if isinstance(value, (list, tuple)) else [value]
    if not all(isinstance(number, int) for number in numbers):
        raise BadModel(
            f"{model}: in its generation_config.json or config.json {name} is {value!r}, no number of a token.",
            hint="Correct it, or download the model again.",
        )
    return numbers


def context_length(config: Any, tokenizer: Any) -> int:
    """Positions of a transformers model, in tokens.

    With relative positions (T5 and its kind) what the tokenizer names, else four times what the config does.
    """
    settings = config.get_text_config()
    positions = getattr(settings, "n_positions", None) or getattr(settings, "max_position_embeddings", None)
    if positions and not hasattr(settings, "relative_attention_num_buckets"):
        return int(positions)
    longest = getattr(tokenizer, "model_max_length", None) or 0
    return int(longest) if 0 < longest < _UNBOUNDED else _BEYOND * int(positions or _USUAL)
