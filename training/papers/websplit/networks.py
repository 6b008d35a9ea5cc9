"""Making, writing and reading the networks of the systems, with their vocabulary."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rewrite.errors import BadOption, ModelNotFound
from training.papers.websplit.examples import POSITIONS, SPECIAL, Example, train_tokenizer
from training.papers.websplit.options import NetworkOptions

__all__ = ["Network", "begin_with", "load_network", "make_tokenizer", "new_network", "save_network"]

_CARD = "network.json"
Choice = Callable[[Sequence[str], Sequence[str]], str]


class Network:
    """A network and its tokenizer; `decode` writes texts. `sources` is the number of encoders, 1 or 2."""

    def __init__(self, module: Any, tokenizer: Any, options: NetworkOptions, sources: int) -> None:
        self.module = module
        self.tokenizer = tokenizer
        self.options = options
        self.sources = sources

    def decode(
        self, inputs: Sequence[Sequence[str]], *, beam: int = 4, longest: int = 200, choose: Choice | None = None
    ) -> list[str]:
        """A text for each of `inputs`, which has a text for each encoder; equal inputs are decoded once.

        `choose` takes one of the beam's texts, given best first with the input; without it the first is taken.
        """
        import torch

        from training.papers.websplit.examples import padded

        distinct = sorted(dict.fromkeys(map(tuple, inputs)), key=lambda texts: sum(map(len, texts)))
        texts_of: dict[tuple[str, ...], str] = {}
        self.module.eval()
        with torch.no_grad():
            for start in range(0, len(distinct), 32):
                group = distinct[start : start + 32]
                sources = [
                    padded([row.ids for row in self.tokenizer.encode_batch(list(s))]) for s in zip(*group, strict=True)
                ]
                rows = self.module.decode(sources, beam=beam, longest=longest)
                for texts, hypotheses in zip(group, rows, strict=True):
                    written = [self.tokenizer.decode(row).strip() for row in hypotheses]
                    texts_of[texts] = written[0] if choose is None else choose(texts, written)
        return [texts_of[tuple(texts)] for texts in inputs]


def make_tokenizer(examples: Sequence[Example], size: int) -> Any:
    """A byte-level BPE of the texts that examples have on either side: no word is unknown to it."""
    return train_tokenizer((text for one in examples for text in (*one.sources, one.target)), size)


def new_network(tokenizer: Any, options: NetworkOptions, *, sources: int, seed: int) -> Network:
    """A network that has learnt nothing."""
    import torch

    torch.manual_seed(seed)
    return Network(_module(tokenizer.get_vocab_size(), options, sources), tokenizer, options, sources)


def _module(vocabulary: int, options: NetworkOptions, sources: int) -> Any:
    sizes = {"width": options.width, "encoder": options.encoder_layers, "decoder": options.decoder_layers}
    if options.kind == "lstm":
        from training.papers.websplit.lstm import Lstm

        return Lstm(vocabulary, sources=sources, dropout=options.dropout, **sizes)
    from training.papers.websplit.transformer import Transformer

    return Transformer(vocabulary, sources=sources, **sizes)


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
    """Write weights (safetensors), tokenizer and sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    network.module.save(folder)
    if network.options.kind == "transformer":
        # With what transformers looks for beside it, so that the folder is a model like any other.
        from transformers import PreTrainedTokenizerFast

        begin, end, pad, _ = SPECIAL
        PreTrainedTokenizerFast(
            tokenizer_object=network.tokenizer,
            bos_token=begin,
            eos_token=end,
            pad_token=pad,
            model_max_length=POSITIONS,
        ).save_pretrained(folder)
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
    options, sources = NetworkOptions(**card["options"]), int(card["sources"])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    module = _module(tokenizer.get_vocab_size(), options, sources)
    module.load(folder)
    return Network(module, tokenizer, options, sources)
