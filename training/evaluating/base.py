"""What an evaluator begins with: the encoder of a small masked model, or any encoder of Hugging Face."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rerank.checkpoint import load_tokenizer, resolve
from rerank.evaluator.base import Outputs
from rerank.evaluator.hf import SETTINGS, WEIGHTS, load_encoder
from rerank.evaluator.packed import OUTPUTS, WORD_SCALES
from rerank.evaluator.pairs import KINDS
from rerank.types import FloatArray
from rewrite.engines.checkpoint import quietly
from training.disk import write_folder
from training.encoders.encoder import open_encoder, read_encoder
from training.encoders.packing import head_of, pack_network
from training.evaluating.options import HF, EvaluatorOptions
from training.evaluating.rows import MakeRows, hf_rows, packed_rows
from training.masked.vocabulary import PAD
from training.recipe import Run

__all__ = ["Base", "open_base"]


@dataclass(frozen=True, slots=True)
class Base:
    """`encoder` loads it with a dropout, `rows` makes its rows of tokens, `pack` writes a trained network on it.

    `pack` takes the network, the folder, the names of its outputs, and the scales of `likelihood_scales`.
    """

    encoder: Callable[[float], Any]
    rows: MakeRows
    pad: int
    pack: Callable[[Any, Path, tuple[str, ...], FloatArray], None]


def open_base(options: EvaluatorOptions, run: Run, work: Path) -> Base:
    """The encoder that a recipe names. Raises what `open_encoder` and loading a model of Hugging Face raise."""
    if options.encoder.startswith(HF):
        return _hugging_face(options, run)
    folder = _widened(open_encoder(options.encoder, run, work, "evaluator"), options.window, work)

    def pack(network: Any, target: Path, outputs: tuple[str, ...], scales: FloatArray) -> None:
        name, language = run.recipe.name, run.recipe.language
        head = head_of(network)
        if options.likelihood:
            # What likelihood counts for while it is learnt is of no use to whoever reads the model.
            head = {name: part for name, part in head.items() if name != "word_weight"}
            head[WORD_SCALES] = scales.astype(np.float32)
        pack_network(network, folder, head, target, name=name, language=language)
        told = Outputs.stored(outputs, sorted(options.alone), options.likelihood, repeats=True)
        (target / OUTPUTS).write_text(json.dumps(told) + "\n", encoding="utf-8")

    return Base(lambda dropout: read_encoder(folder, dropout), packed_rows(folder, options.window), PAD, pack)


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

    def pack(network: Any, target: Path, outputs: tuple[str, ...], scales: FloatArray) -> None:
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

    return Base(encoder, hf_rows(tokenizer, options.window), tokenizer.pad_token_id or 0, pack)


def _widened(folder: Path, window: int, work: Path) -> Path:
    """The model of `folder` with places for `window` tokens and with kinds of them, as a pair of texts needs.

    The places behind its own begin as these, over and over, and all kinds as the first.
    """
    import torch
    import transformers

    wide = work / f"encoder-{window}"

    def write(draft: Path) -> None:
        config = transformers.BertConfig.from_pretrained(folder, local_files_only=True)
        config.max_position_embeddings, config.type_vocab_size = window, KINDS
        state = read_encoder(folder, 0.0).state_dict()
        for name, rows in (("position", window), ("token_type", KINDS)):
            known = state[f"embeddings.{name}_embeddings.weight"]
            state[f"embeddings.{name}_embeddings.weight"] = torch.cat([known] * -(-rows // len(known)))[:rows]
        new: Any = transformers.BertModel(config, add_pooling_layer=False)
        # Numbers of places are no weights, and of another length.
        new.load_state_dict({name: part for name, part in state.items() if not name.endswith("_ids")}, strict=False)
        with quietly():
            new.save_pretrained(draft)
        (draft / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())

    if not wide.is_dir():
        write_folder(wide, write)
    return wide
