"""A model of ruGPT3-small's sizes with random weights, for benchmarks: what it writes means nothing, but takes as long.

Every matrix has normal weights with a standard deviation of 0.02, drawn from a fixed seed, so that each next token is
almost as probable as any other and a text hardly ever ends before its limit. The tokenizer knows the words of
`sources`, and is filled up to the size of the original with entries that no text has.
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rewrite.engines.checkpoint import quietly
from rewrite.engines.convert import convert

__all__ = ["RUGPT3_SMALL", "Shape", "make", "sources"]

_SEED = 1
_STD = 0.02
_SPECIAL = ("<pad>", "<s>", "</s>", "<unk>")
_TOKENS = 50_257
_WORDS = (
    "в городе который стоит на берегу большой реки много лет жили люди они строили дома сажали сады ловили рыбу и "
    "торговали с соседями но однажды весной вода поднялась выше обычного затопила улицы площадь рынок старый мост "
    "тогда жители решили уйти далеко туда где земля суха"
).split()


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a GPT-2, under the names of its configuration."""

    n_layer: int
    n_embd: int
    n_head: int
    n_positions: int = 2_048
    vocab_size: int = 50_264


RUGPT3_SMALL = Shape(12, 768, 12)


def sources(count: int, words: int = 40) -> list[str]:
    """`count` different texts of `words` words, each of which is one token."""
    return [" ".join(random.Random(seed).choices(_WORDS, k=words)) for seed in range(count)]


def make(shape: Shape, folder: Path) -> tuple[Path, Path]:
    """The model in a folder within `folder` as of Hugging Face, and as CTranslate2's in 8-bit numbers; made once."""
    plain, packed = folder / "float32", folder / "int8"
    if not packed.exists():
        _write(shape, plain)
        packed.mkdir()
        convert(plain, packed, quantization="int8")
    return plain, packed


def _write(shape: Shape, folder: Path) -> None:
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    with torch.random.fork_rng(devices=[]), torch.no_grad():
        config = transformers.GPT2Config(**asdict(shape), pad_token_id=0, bos_token_id=1, eos_token_id=2)
        model: Any = transformers.GPT2LMHeadModel(config)
        torch.manual_seed(_SEED)
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.normal_(0, _STD)
    known = [*_SPECIAL, *dict.fromkeys(_WORDS)]
    entries = [*known, *(f"~{number}" for number in range(_TOKENS - len(known)))]
    pad, begin, end, unknown = _SPECIAL
    tokenizer = Tokenizer(models.WordLevel({entry: n for n, entry in enumerate(entries)}, unk_token=unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    names = {"pad_token": pad, "bos_token": begin, "eos_token": end, "unk_token": unknown}
    with quietly():
        model.save_pretrained(folder)
        transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
