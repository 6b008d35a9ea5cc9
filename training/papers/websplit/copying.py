"""Tokens for the networks, and an encoder-decoder that copies from its first step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["BEGIN", "END", "PAD", "POSITIONS", "SPECIAL", "new_model", "train_tokenizer"]

# The last is in no text: without it the vocabulary would be another than the one that docs/websplit.md has figures of.
SPECIAL = ("<s>", "</s>", "<pad>", "<mask>")
BEGIN, END, PAD = range(3)
HEAD = 64
POSITIONS = 256


def train_tokenizer(texts: Iterator[str], size: int) -> Any:
    """A byte-level BPE vocabulary of `size` tokens; a word is the same tokens at the start as after a space."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.BPE())
    # Digits are not kept apart: a date of single digits has many equal neighbours, and copying looks at neighbours.
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        texts,
        trainer=trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=[
                AddedToken(token, lstrip=token == SPECIAL[-1], normalized=False, special=True) for token in SPECIAL
            ],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", BEGIN), ("</s>", END)]
    )
    return tokenizer


def new_model(vocabulary: int, *, width: int, encoder: int, decoder: int) -> Any:
    """A Pegasus (norms before each layer, fixed positions) of `width`, a multiple of 64 of 320 or more.

    `encoder` ≥ 1 and `decoder` ≥ 2 are numbers of layers. Sources are taken to start with `<s>`.
    Dropout is none: the model does not see a text often enough to need it.
    """
    from transformers import PegasusConfig, PegasusForConditionalGeneration

    config = PegasusConfig(
        vocab_size=vocabulary,
        d_model=width,
        encoder_layers=encoder,
        decoder_layers=decoder,
        encoder_attention_heads=width // HEAD,
        decoder_attention_heads=width // HEAD,
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
    import torch

    half = width // 2
    waves = HEAD // 2
    sines, cosines = slice(0, waves), slice(half, half + waves)
    first, second = slice(waves, waves + HEAD), slice(waves + HEAD, waves + 2 * HEAD)
    before = slice(half + waves, half + waves + HEAD)
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
        turn = torch.zeros(HEAD, width)
        plain = torch.zeros(HEAD, width)
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
    import torch

    found = torch.zeros(HEAD, width)
    found[:, part] = torch.eye(HEAD)
    return found


def _set_head(attention: Any, head: int, *, query: Any, key: Any, value: Any, out: tuple[slice, float]) -> None:
    """What a head reads as its query, key and value, and the dimensions it writes its sum to, times a factor."""
    import torch

    own = slice(head * HEAD, (head + 1) * HEAD)
    for layer, matrix in ((attention.q_proj, query), (attention.k_proj, key), (attention.v_proj, value)):
        layer.weight[own] = matrix
        layer.bias[own] = 0.0
    part, factor = out
    attention.out_proj.weight[:, own] = 0.0
    attention.out_proj.weight[part, own] = factor * torch.eye(HEAD)
