"""The model that `training.sft` trains: its vocabulary, the format of a pair in tokens, and its first weights."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rewrite.datasets import Pair

__all__ = ["MARK", "POSITIONS", "SPECIAL", "Encoded", "encode", "new_model", "scrambled", "train_tokenizer"]

MARK = "<Simplify:>"
SPECIAL = ("<s>", "</s>", "<pad>", MARK)
POSITIONS = 256
_HEADS = 4


@dataclass(frozen=True)
class Encoded:
    """Token ids, and the index of the first one whose loss counts."""

    ids: list[int]
    start: int


def train_tokenizer(texts: Iterable[str], size: int) -> Any:
    """A byte-level BPE vocabulary of at most `size` tokens, special tokens included.

    A word is the same tokens at the start of a text as after a space, so that copying is the same everywhere; the
    space before a special token belongs to that token.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=[AddedToken(token, lstrip=True, normalized=False, special=True) for token in SPECIAL],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer=trainer)
    return tokenizer


def encode(tokenizer: Any, pairs: Sequence[Pair], *, whole: bool = False) -> list[Encoded]:
    """`<s>SOURCE <Simplify:> TARGET </s>`, the loss on the target and its end alone, or with `whole` on all tokens.

    Pairs that do not fit the model are left out.
    """
    texts = [f"<s>{pair.source} {MARK} {pair.target} </s>" for pair in pairs]
    rows = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    mark = tokenizer.token_to_id(MARK)
    return [Encoded(ids, 1 if whole else ids.index(mark) + 1) for ids in rows if len(ids) <= POSITIONS]


def scrambled(size: int, rng: random.Random) -> Encoded:
    """Random tokens to copy: nothing but looking back helps, so that rare names are copied as well."""
    ids = [rng.randrange(len(SPECIAL), size) for _ in range(rng.randint(3, 60))]
    return Encoded([0, *ids, SPECIAL.index(MARK), *ids, 1], len(ids) + 2)


def new_model(vocabulary: int, *, layers: int, width: int) -> Any:
    """A GPT-2 without dropout, which a model that never sees a text often enough does not need."""
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(
        vocab_size=vocabulary,
        n_positions=POSITIONS,
        n_embd=width,
        n_layer=layers,
        n_head=_HEADS,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=2,
        attn_implementation="eager",
    )
    model = GPT2LMHeadModel(config)
    _start_copying(model)
    return model


def _start_copying(model: Any) -> None:
    """Set two layers so that the new model already copies; training goes on from there, and nothing is kept fixed.

    A vector has a quarter for the position, a quarter for the token before, and half for the token itself. A head of
    the first layer writes each token into the place after it; two heads of the second look for the place whose token
    before is the present one, and give out the token that stands there. Found by training alone, this takes more text
    than the whole of the time allows.
    """
    import torch

    body = model.transformer
    quarter = body.wpe.weight.shape[1] // _HEADS
    place, before, token, rest = (slice(i * quarter, (i + 1) * quarter) for i in range(_HEADS))
    eye = torch.eye(quarter)
    speed = math.pi * torch.rand(quarter // 2)
    angle = torch.arange(POSITIONS)[:, None] * speed
    step = torch.block_diag(*(torch.tensor([[c, -s], [s, c]]) for c, s in zip(speed.cos(), speed.sin(), strict=True)))
    with torch.no_grad():
        body.wpe.weight.zero_()
        body.wpe.weight[:, place] = 0.2 * torch.stack([angle.cos(), angle.sin()], dim=2).flatten(1)
        body.wte.weight.normal_(std=0.1)[:, : token.start] = 0.0
        # What follows <Simplify:> is what followed <s>.
        body.wte.weight[SPECIAL.index(MARK)] = body.wte.weight[0]
        _set_head(
            body.h[0].attn, 0, query=(place, 1.5 * step), key=(place, eye), value=(token, eye), out=(before, 0.1 * eye)
        )
        for head, half in enumerate((token, rest)):
            _set_head(
                body.h[1].attn,
                head,
                query=(token, 3.0 * eye),
                key=(before, eye),
                value=(half, eye),
                out=(half, 0.4 * eye),
            )


def _set_head(attention: Any, head: int, *, out: tuple[slice, Any], **read: tuple[slice, Any]) -> None:
    """What a head reads as its query, key and value, and where it writes: a part of the vector and a matrix for it."""
    width = attention.c_proj.weight.shape[0]
    own = slice(head * width // _HEADS, (head + 1) * width // _HEADS)
    for i, (part, matrix) in enumerate(read[name] for name in ("query", "key", "value")):
        columns = attention.c_attn.weight[:, i * width : (i + 1) * width]
        columns[:, own] = 0.0
        columns[part, own] = matrix
    attention.c_proj.weight[own] = 0.0
    attention.c_proj.weight[own, out[0]] = out[1]
