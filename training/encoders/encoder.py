"""The folder of a masked language model, as a network that begins with its encoder reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rerank.errors import ModelNotFound
from rerank.masked.bundled import load
from rerank.masked.packed import TOKENIZER
from rewrite.engines.checkpoint import quietly
from rewrite.errors import BadModel
from rewrite.splitting.model import require_window
from training.disk import write_folder
from training.masked.unpacking import unpack
from training.recipe import Run

__all__ = ["open_encoder", "read_encoder", "read_tokenizer", "window_of"]

_LANGUAGES = ("en", "ru")
_BUNDLED = "bundled:"


def open_encoder(given: str, run: Run, work: Path, section: str) -> Path:
    """The folder that the key `encoder` of a recipe's `section` names; `bundled:en` is unpacked in `work`, once.

    Raises `BadModel` where no such model is bundled, where what the folder has cannot be read, or its window holds too
    few tokens for a splitter, which all but evaluators belong to.
    """
    folder = run.path(given)
    if given.startswith(_BUNDLED):
        language = given.removeprefix(_BUNDLED).strip()
        if language in _LANGUAGES and language != run.recipe.language:
            raise BadModel(
                f"{section}.encoder: {given} has not learnt the recipe's language, {run.recipe.language}.",
                hint=f"Give bundled:{run.recipe.language}, or a folder.",
            )
        folder = work / f"encoder-{language}"
        try:
            packed = load(language).folder
        except ModelNotFound as error:
            raise BadModel(f"{section}.encoder: {error.message}", hint="Give bundled:en, or a folder.") from error
        if not folder.is_dir():
            write_folder(folder, lambda draft: unpack(packed, draft))
    try:
        window = window_of(folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadModel(
            f"{folder / 'config.json'}: it is not that of a BERT: {error}.",
            hint=f"Give {section}.encoder the model of training.masked_lm, or bundled:en.",
        ) from error
    require_window(folder, window)
    return folder


def window_of(folder: Path) -> int:
    """Tokens of a row at most, special ones included. Raises what reading JSON does."""
    return int(json.loads((folder / "config.json").read_text(encoding="utf-8"))["max_position_embeddings"])


def read_tokenizer(folder: Path) -> Any:
    """The tokenizer of the model. A mark such as "[MASK]" in a text is text, as where the packed network runs."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    tokenizer.encode_special_tokens = True
    return tokenizer


def read_encoder(folder: Path, dropout: float) -> Any:
    """The model without its head, to be trained on: word pieces in, vectors out."""
    from transformers import BertModel

    # The library reports each weight of the head, which is left out on purpose.
    with quietly():
        return BertModel.from_pretrained(
            folder,
            add_pooling_layer=False,
            attn_implementation="eager",
            local_files_only=True,
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=dropout,
        )
