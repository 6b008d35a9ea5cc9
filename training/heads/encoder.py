"""The encoder of a masked language model: opened for a network that begins with it, and packed with what was learnt."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.checkpoint import quietly
from rerank.errors import UnknownName
from rerank.masked.bundled import load
from rerank.masked.packed import HEAD, SCALE, SETTINGS, TOKENIZER
from rewrite.errors import BadModel
from rewrite.splitting.model import require_window
from training.disk import make_once
from training.masked.packing import pack, unpack
from training.masked.vocabulary import UNKNOWN
from training.recipe import Run

_LANGUAGES = ("en", "ru")
_BUNDLED = "bundled:"
_SMALL = 4_096
"""Numbers of an array that stays in 16 bits: it takes little, and of a few rows each counts for much."""
Floats = npt.NDArray[np.float32]


def open_encoder(given: str, run: Run, work: Path, section: str) -> Path:
    """The folder that the key `encoder` of a recipe's `section` names; a packed one is unpacked in `work`, once.

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
        try:
            folder = load(language).folder
        except UnknownName as error:
            raise BadModel(f"{section}.encoder: {error.message}", hint="Give bundled:en, or a folder.") from error
    if (folder / SETTINGS).is_file():
        packed = folder
        folder = make_once(work / "encoder", lambda draft: unpack(packed, draft))
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


def piece_reader(folder: Path) -> Callable[[str], Sequence[int]]:
    """What gives the word pieces of a text; the unknown one for a text without any."""
    tokenizer = read_tokenizer(folder)

    def pieces(text: str) -> Sequence[int]:
        ids: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
        return ids or (UNKNOWN,)

    return pieces


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


def head_of(network: Any) -> dict[str, Floats]:
    """The weights of a network by name, without those of its encoder."""
    state = network.state_dict()
    return {key: part.detach().float().numpy() for key, part in state.items() if not key.startswith("encoder.")}


def pack_network(
    network: Any,
    encoder: Path,
    folder: Path,
    *,
    name: str,
    head: Mapping[str, Floats] | None = None,
    language: str = "en",
) -> None:
    """Write the encoder of the trained `network` and its head to `folder` in 8 bits, tokenizer and settings.

    `encoder` is the folder of the masked language model that it began with, `head` what is packed of the network's
    other weights, by default all. Raises `BadModel`.
    """
    import transformers

    with tempfile.TemporaryDirectory() as scratch:
        # CTranslate2 reads an encoder out of a masked model's folder.
        with quietly():
            whole = transformers.BertForMaskedLM.from_pretrained(str(encoder), local_files_only=True)
            whole.bert.load_state_dict(network.encoder.state_dict(), strict=False)
            whole.config.position_embedding_type = "absolute"
            whole.save_pretrained(scratch)
        shutil.copyfile(encoder / TOKENIZER, Path(scratch) / TOKENIZER)
        pack(Path(scratch), folder, name=name, language=language, weights="int8")
    weights = head_of(network) if head is None else head
    parts: dict[str, Any] = {}
    for key, part in weights.items():
        parts |= in_eight_bits(key, part) if part.ndim > 1 and part.size > _SMALL else {key: part.astype(np.float16)}
    np.savez(folder / HEAD, **parts)


def in_eight_bits(name: str, weights: Floats) -> dict[str, npt.NDArray[Any]]:
    """An array of a head as `read_arrays` reads it: each row in steps of a 127th of its largest, with a scale."""
    scales = np.maximum(np.abs(weights).max(axis=-1, keepdims=True), np.finfo(np.float32).tiny) / 127
    return {name: np.rint(weights / scales).astype(np.int8), f"{name}{SCALE}": scales.astype(np.float32)}
