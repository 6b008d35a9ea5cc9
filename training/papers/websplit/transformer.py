"""Today's form of the paper's networks: a small transformer with one encoder or two.

With two, what the encoders give stands side by side, and each head of the decoder looks at all of it.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch
from transformers import PegasusConfig, PegasusForConditionalGeneration
from transformers.modeling_outputs import BaseModelOutput

from training.papers.websplit.examples import BEGIN, END, PAD, POSITIONS

__all__ = ["Transformer", "new_model"]


_HEAD = 64


class Transformer(torch.nn.Module):  # type: ignore[misc]
    """An encoder-decoder that copies from its first step.

    `base` is a Pegasus of transformers; the encoder of the second source begins as a copy of its own.
    """

    def __init__(self, vocabulary: int, *, sources: int, width: int, encoder: int, decoder: int) -> None:
        super().__init__()
        self.base: Any = new_model(vocabulary, width=width, encoder=encoder, decoder=decoder)
        self.second: Any = None
        if sources == 2:
            self.second = copy.deepcopy(self.base.get_encoder())
            self.second.embed_tokens = self.base.model.shared

    def _encode(self, sources: Sequence[torch.Tensor]) -> tuple[Any, torch.Tensor]:
        encoders = [self.base.get_encoder(), *([self.second] if self.second is not None else [])]
        masks = [(source != PAD).long() for source in sources]
        states = [
            encoder(input_ids=source, attention_mask=mask).last_hidden_state
            for encoder, source, mask in zip(encoders, sources, masks, strict=True)
        ]
        return BaseModelOutput(last_hidden_state=torch.cat(states, dim=1)), torch.cat(masks, dim=1)

    def forward(self, sources: Sequence[torch.Tensor], before: torch.Tensor) -> torch.Tensor:
        """Logits of the next token after each of `before` [rows, length] → [rows, length, vocabulary]."""
        states, mask = self._encode(sources)
        logits: torch.Tensor = self.base(
            encoder_outputs=states, attention_mask=mask, decoder_input_ids=before, use_cache=False
        ).logits
        return logits

    def decode(self, sources: Sequence[torch.Tensor], *, beam: int, longest: int) -> list[list[int]]:
        """The best hypothesis of a beam search for each row, without special tokens."""
        states, mask = self._encode(sources)
        rows = self.base.generate(
            encoder_outputs=states,
            attention_mask=mask,
            num_beams=beam,
            max_new_tokens=longest,
            do_sample=False,
            early_stopping=beam > 1,
        )
        return [[token for token in row if token not in (BEGIN, END, PAD)] for row in rows.tolist()]


def new_model(vocabulary: int, *, width: int, encoder: int, decoder: int) -> Any:
    """A Pegasus (norms before each layer, fixed positions) of `width`, a multiple of 64 of 320 or more.

    `encoder` ≥ 1 and `decoder` ≥ 2 are numbers of layers. Sources are taken to start with `<s>`.
    Dropout is none: the model does not see a text often enough to need it.
    """
    config = PegasusConfig(
        vocab_size=vocabulary,
        d_model=width,
        encoder_layers=encoder,
        decoder_layers=decoder,
        encoder_attention_heads=width // _HEAD,
        decoder_attention_heads=width // _HEAD,
        encoder_ffn_dim=4 * width,
        decoder_ffn_dim=4 * width,
        activation_function="relu",
        max_position_embeddings=POSITIONS,
        scale_embedding=True,
        dropout=0.0,
        attention_dropout=0.0,
        activation_dropout=0.0,
        bos_token_id=BEGIN,
        decoder_start_token_id=BEGIN,
        eos_token_id=END,
        forced_eos_token_id=None,
        pad_token_id=PAD,
    )
    model = PegasusForConditionalGeneration(config)
    _start_copying(model.model, width)
    return model


def _start_copying(body: Any, width: int) -> None:
    """Set one head of the encoder and two of the decoder so that the new model copies; training goes on from there.

    Learnt from text alone, copying takes much of the time that two processor cores have. A vector has dimensions for
    the position (where embeddings are zero, so that the fastest sines and cosines stand alone), for the token (two
    heads wide) and for the token before. The first encoder layer writes each token into the place after it; the second
    decoder layer looks for the place whose token before is the last one written, and gives out the token there.
    """
    half = width // 2
    waves = _HEAD // 2
    sines, cosines = slice(0, waves), slice(half, half + waves)
    first, second = slice(waves, waves + _HEAD), slice(waves + _HEAD, waves + 2 * _HEAD)
    before = slice(half + waves, half + waves + _HEAD)
    with torch.no_grad():
        table = body.shared.weight
        kept = torch.zeros(width)
        kept[first] = kept[second] = 1.0
        table.normal_().mul_(kept)
        # All of one length, or the norms of the layers would make the waves of some places higher than of others.
        table.mul_(0.1 * kept.sum().sqrt() / table.norm(dim=1, keepdim=True))
        table[PAD] = 0.0
        body.encoder.embed_tokens.weight = body.decoder.embed_tokens.weight = table
        look = body.encoder.layers[0].self_attn
        # Turned by one step, the waves of a place are those of the place before.
        speed = 10_000.0 ** (-2.0 * torch.arange(waves) / width)
        turn = torch.zeros(_HEAD, width)
        plain = torch.zeros(_HEAD, width)
        for k in range(waves):
            c, s = float(speed[k].cos()), float(speed[k].sin())
            turn[k, sines.start + k], turn[k, cosines.start + k] = c, -s
            turn[waves + k, sines.start + k], turn[waves + k, cosines.start + k] = s, c
            plain[k, sines.start + k] = plain[waves + k, cosines.start + k] = 1.0
        _set_head(look, 0, query=4.5 * turn, key=4.5 * plain, value=_select(first, width), out=(before, 1.0))
        give = body.decoder.layers[1].encoder_attn
        for head, part in enumerate((first, second)):
            query, key = 1.3 * _select(first, width), 1.3 * _select(before, width)
            _set_head(give, head, query=query, key=key, value=_select(part, width), out=(part, 5.0))


def _select(part: slice, width: int) -> Any:
    """The matrix that reads the dimensions `part` of a vector, (64, width)."""
    found = torch.zeros(_HEAD, width)
    found[:, part] = torch.eye(_HEAD)
    return found


def _set_head(attention: Any, head: int, *, query: Any, key: Any, value: Any, out: tuple[slice, float]) -> None:
    """What a head reads as its query, key and value, and the dimensions it writes its sum to, times a factor."""
    own = slice(head * _HEAD, (head + 1) * _HEAD)
    for layer, matrix in ((attention.q_proj, query), (attention.k_proj, key), (attention.v_proj, value)):
        layer.weight[own] = matrix
        layer.bias[own] = 0.0
    part, factor = out
    attention.out_proj.weight[:, own] = 0.0
    attention.out_proj.weight[part, own] = factor * torch.eye(_HEAD)
