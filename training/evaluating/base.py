"""What an evaluator begins with: the encoder of a small masked model, or any encoder of Hugging Face."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rerank.checkpoint import load_tokenizer, resolve
from rerank.evaluator import Outputs
from rerank.evaluator.hf import SETTINGS, WEIGHTS, load_encoder, pair_rows
from rerank.evaluator.packed import OUTPUTS, WORD_SCALES
from rerank.evaluator.pairs import KINDS, PairRow, row_of
from rerank.masked.packed import TOKENIZER
from rerank.types import FloatArray
from rewrite.engines.checkpoint import quietly
from training.heads.encoder import head_of, open_encoder, pack_network, piece_reader, read_encoder
from training.heads.options import HF, EvaluatorOptions
from training.heads.step import make_once
from training.masked.packing import settings_for
from training.masked.vocabulary import PAD
from training.recipe import Run

MakeRows = Callable[[Iterable[tuple[str, str]]], Iterator[PairRow]]
"""Rows of tokens of sources with their texts."""
_RECENT = 100


@dataclass(frozen=True, slots=True)
class Base:
    """`encoder` loads it with a dropout, `rows` makes its rows of tokens, `pack` writes a trained network on it.

    `pack` takes the network, the names of its outputs, the scales of `likelihood_scales`, and the folder.
    """

    encoder: Callable[[float], Any]
    rows: MakeRows
    pad: int
    pack: Callable[[Any, tuple[str, ...], FloatArray, Path], None]


def open_base(options: EvaluatorOptions, run: Run, work: Path) -> Base:
    """The encoder that a recipe names. Raises what `open_encoder` and loading a model of Hugging Face raise."""
    if options.encoder.startswith(HF):
        return _hugging_face(options, run)
    narrow = open_encoder(options.encoder, run, work, "evaluator")
    folder = make_once(work / f"encoder-{options.window}", lambda draft: _widen(narrow, options.window, draft))
    settings = settings_for(options.window)
    # Mutations of a text follow it, with the same document.
    pieces = lru_cache(maxsize=_RECENT)(piece_reader(folder))

    def pack(network: Any, outputs: tuple[str, ...], scales: FloatArray, target: Path) -> None:
        head = head_of(network)
        if options.likelihood:
            # What likelihood counts for while it is learnt is of no use to whoever reads the model.
            head = {name: part for name, part in head.items() if name != "word_weight"}
            head[WORD_SCALES] = scales.astype(np.float32)
        pack_network(network, folder, target, name=run.recipe.name, head=head, language=run.recipe.language)
        told = Outputs.stored(outputs, sorted(options.alone), options.likelihood)
        (target / OUTPUTS).write_text(json.dumps(told) + "\n", encoding="utf-8")

    return Base(
        encoder=lambda dropout: read_encoder(folder, dropout),
        rows=lambda pairs: (row_of(source, text, pieces, settings) for source, text in pairs),
        pad=PAD,
        pack=pack,
    )


def _hugging_face(options: EvaluatorOptions, run: Run) -> Base:
    from torch import nn

    source = resolve(options.encoder.removeprefix(HF))
    tokenizer = load_tokenizer(source)

    def encoder(dropout: float) -> Any:
        found = load_encoder(source)
        for part in found.modules():
            if isinstance(part, nn.Dropout):
                part.p = dropout
        return found

    def pack(network: Any, outputs: tuple[str, ...], scales: FloatArray, target: Path) -> None:
        from safetensors.torch import save_file

        with quietly():
            network.encoder.save_pretrained(target)
            tokenizer.save_pretrained(target)
        save_file({"out.weight": network.out.weight.data, "out.bias": network.out.bias.data}, target / WEIGHTS)
        told = {
            "name": run.recipe.name,
            "language": run.recipe.language,
            "window": options.window,
            **Outputs.stored(outputs, sorted(options.alone)),
        }
        (target / SETTINGS).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")

    return Base(
        encoder=encoder,
        rows=lambda pairs: pair_rows(tokenizer, pairs, options.window),
        pad=tokenizer.pad_token_id or 0,
        pack=pack,
    )


def _widen(folder: Path, window: int, draft: Path) -> None:
    """Write the model of `folder` with places for `window` tokens and with kinds of them, as a pair of texts needs.

    The places behind its own begin as these, over and over, and all kinds as the first.
    """
    import torch
    import transformers

    config = transformers.BertConfig.from_pretrained(folder, local_files_only=True)
    config.max_position_embeddings, config.type_vocab_size = window, KINDS
    state = read_encoder(folder, 0.0).state_dict()
    for name, rows in (("position", window), ("token_type", KINDS)):
        known = state[f"embeddings.{name}_embeddings.weight"]
        state[f"embeddings.{name}_embeddings.weight"] = torch.cat([known] * -(-rows // len(known)))[:rows]
    wide: Any = transformers.BertModel(config, add_pooling_layer=False)
    # Numbers of places are no weights, and of another length.
    wide.load_state_dict({name: part for name, part in state.items() if not name.endswith("_ids")}, strict=False)
    with quietly():
        wide.save_pretrained(draft)
    (draft / TOKENIZER).write_bytes((folder / TOKENIZER).read_bytes())
