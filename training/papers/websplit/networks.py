"""The networks of the systems with their vocabulary: making, decoding, writing and reading them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_model, save_model

from rewrite.errors import BadOption, ModelNotFound
from training.papers.websplit.examples import POSITIONS, SPECIAL, padded
from training.papers.websplit.lstm import Lstm
from training.papers.websplit.options import NetworkOptions
from training.papers.websplit.transformer import Transformer

__all__ = ["Network", "begin_with", "load_network", "new_network", "save_network"]

_CARD, _WEIGHTS = "network.json", "network.safetensors"
_LONGEST, _AT_ONCE = 200, 32


class Network:
    """A network and its tokenizer; `sources` is the number of encoders, 1 or 2."""

    def __init__(self, tokenizer: Any, options: NetworkOptions, sources: int) -> None:
        vocabulary = tokenizer.get_vocab_size()
        sizes = {"width": options.width, "encoder": options.encoder_layers, "decoder": options.decoder_layers}
        self.module: Any
        if options.kind == "lstm":
            self.module = Lstm(vocabulary, sources=sources, dropout=options.dropout, **sizes)
        else:
            self.module = Transformer(vocabulary, sources=sources, **sizes)
        self.tokenizer = tokenizer
        self.options = options
        self.sources = sources

    def decode(self, inputs: Sequence[Sequence[str]], *, beam: int = 4, longest: int = _LONGEST) -> list[str]:
        """A text for each of `inputs`, which has a text for each encoder; equal inputs are decoded once."""
        distinct = sorted(dict.fromkeys(map(tuple, inputs)), key=lambda texts: sum(map(len, texts)))
        texts_of: dict[tuple[str, ...], str] = {}
        self.module.eval()
        with torch.no_grad():
            for start in range(0, len(distinct), _AT_ONCE):
                group = distinct[start : start + _AT_ONCE]
                rows = [self.tokenizer.encode_batch(list(side)) for side in zip(*group, strict=True)]
                sources = [padded([row.ids for row in side]) for side in rows]
                best = self.module.decode(sources, beam=beam, longest=longest)
                texts_of |= {g: self.tokenizer.decode(ids).strip() for g, ids in zip(group, best, strict=True)}
        return [texts_of[tuple(texts)] for texts in inputs]


def new_network(tokenizer: Any, options: NetworkOptions, *, sources: int, seed: int) -> Network:
    """A network that has learnt nothing."""
    torch.manual_seed(seed)
    return Network(tokenizer, options, sources)


def begin_with(network: Network, first: Network) -> None:
    """Give `network` the weights of `first`, a transformer of one encoder; both its encoders begin as that one.

    Raises `BadOption` where sizes or kinds differ.
    """
    if network.options != first.options or network.options.kind != "transformer" or first.sources != 1:
        raise BadOption("`start` names a network of another kind or size.", hint="Give both recipes the same network.")
    network.module.base.load_state_dict(first.module.base.state_dict())
    if network.module.second is not None:
        network.module.second.load_state_dict(first.module.base.get_encoder().state_dict())


def save_network(network: Network, folder: Path) -> None:
    """Write weights, tokenizer and sizes; a transformer of one source also as what transformers and converters read."""
    folder.mkdir(parents=True, exist_ok=True)
    save_model(network.module, str(folder / _WEIGHTS))
    if network.options.kind == "transformer" and network.sources == 1:
        from transformers import PreTrainedTokenizerFast

        network.module.base.save_pretrained(folder)
        begin, end, pad, _ = SPECIAL
        names = {"bos_token": begin, "eos_token": end, "pad_token": pad, "model_max_length": POSITIONS}
        PreTrainedTokenizerFast(tokenizer_object=network.tokenizer, **names).save_pretrained(folder)
    network.tokenizer.save(str(folder / "tokenizer.json"))
    card = {"sources": network.sources, "options": network.options.model_dump()}
    (folder / _CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")


def load_network(folder: Path) -> Network:
    """What `save_network` has written. Raises `ModelNotFound`."""
    if not (folder / _CARD).is_file():
        raise ModelNotFound(
            f"{str(folder)!r} holds no trained network.", hint="Run: python -m training.papers.websplit train"
        )
    from tokenizers import Tokenizer

    card = json.loads((folder / _CARD).read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    network = Network(tokenizer, NetworkOptions(**card["options"]), int(card["sources"]))
    load_model(network.module, str(folder / _WEIGHTS))
    return network
