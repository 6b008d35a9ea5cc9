"""Models of well-known shapes with random weights, for benchmarks: what they write means nothing, but takes as long.

    python -m benchmarks.shapes FOLDER NAME…

Every matrix has normal weights with a standard deviation of 0.02, drawn from a fixed seed, so that each next token is
almost as probable as any other and a text hardly ever ends before its limit. The tokenizer
knows the words of `sources`, and is filled up to the size of the original with entries that no text has.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rewrite.engines.cache import build_once
from rewrite.engines.checkpoint import quietly
from rewrite.engines.convert import convert

__all__ = ["SHAPES", "Shape", "int8_folder", "make", "make_int8", "sources"]

_SEED = 1
_STD = 0.02
_SPECIAL = ("<pad>", "<s>", "</s>", "<unk>")
_WORDS = (
    "в городе который стоит на берегу большой реки много лет жили люди они строили дома сажали сады ловили рыбу и "
    "торговали с соседями но однажды весной вода поднялась выше обычного затопила улицы площадь рынок старый мост "
    "тогда жители решили уйти далеко туда где земля суха"
).split()


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a model: `layers` of the decoder (and as many of an encoder), `tokens` those of its tokenizer."""

    family: str
    layers: int
    width: int
    heads: int
    vocabulary: int
    tokens: int
    positions: int
    dtype: str = "float32"


SHAPES = {
    # ruGPT3-small and ruGPT3-large
    "gpt2-small": Shape("gpt2", 12, 768, 12, 50_264, 50_257, 2_048),
    "gpt2-large": Shape("gpt2", 24, 1_536, 16, 50_264, 50_257, 2_048, dtype="bfloat16"),
    "t5-small": Shape("t5", 6, 512, 8, 32_128, 32_100, 512),
    # Marian's sizes in BART's architecture
    "bart-6+6": Shape("bart", 6, 512, 8, 32_000, 32_000, 1_024),
}


def sources(count: int, words: int = 40) -> list[str]:
    """`count` different texts of `words` words, each of which is one token."""
    return [" ".join(random.Random(seed).choices(_WORDS, k=words)) for seed in range(count)]


def make(shape: Shape, folder: Path) -> Path:
    """The Hugging Face model in `folder`, made now if it is not there; what lies there is taken as it is."""
    return build_once(folder, partial(_write, shape))


def make_int8(folder: Path) -> Path:
    """The CTranslate2 copy, in 8-bit numbers, of the model in `folder`, made now if it is not there."""
    return build_once(int8_folder(folder), lambda scratch: convert(folder, scratch, quantization="int8"))


def int8_folder(folder: Path) -> Path:
    """Where `make_int8` puts the copy."""
    return folder.with_name(f"{folder.name}-int8")


def _write(shape: Shape, folder: Path) -> None:
    import torch
    import transformers

    auto = transformers.AutoModelForCausalLM if shape.family == "gpt2" else transformers.AutoModelForSeq2SeqLM
    config = transformers.AutoConfig.for_model(shape.family, vocab_size=shape.vocabulary, **_sizes(shape))
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        model: Any = auto.from_config(config)
        torch.manual_seed(_SEED)
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.normal_(0, _STD)
    with quietly():
        model.to(getattr(torch, shape.dtype)).save_pretrained(folder)
    _tokenizer(shape, ends=shape.family != "gpt2").save_pretrained(folder)


def _sizes(shape: Shape) -> dict[str, Any]:
    """Settings of the configuration, under the names that the family has for them."""
    numbers = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    width, layers, heads = shape.width, shape.layers, shape.heads
    if shape.family == "gpt2":
        return {"n_positions": shape.positions, "n_embd": width, "n_layer": layers, "n_head": heads, **numbers}
    numbers["decoder_start_token_id"] = 0
    if shape.family == "t5":
        sizes = {"d_kv": width // heads, "d_ff": 4 * width, "num_layers": layers, "num_heads": heads}
        return {"d_model": width, **sizes, **numbers}
    sides = {
        f"{side}_{name}": value
        for side in ("encoder", "decoder")
        for name, value in (("layers", layers), ("attention_heads", heads), ("ffn_dim", 4 * width))
    }
    # The class's default is to force an end at the last step, which would be a token less.
    ends = {"forced_eos_token_id": None, "max_position_embeddings": shape.positions}
    return {"d_model": width, **sides, **ends, **numbers}


def _tokenizer(shape: Shape, *, ends: bool) -> Any:
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    known = [*_SPECIAL, *dict.fromkeys(_WORDS)]
    entries = [*known, *(f"~{number}" for number in range(shape.tokens - len(known)))]
    pad, begin, end, unknown = _SPECIAL
    vocabulary = {entry: number for number, entry in enumerate(entries)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if ends:
        tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 2)])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=pad, bos_token=begin, eos_token=end, unk_token=unknown
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="+", choices=SHAPES, metavar="NAME", help=", ".join(SHAPES))
    options = parser.parse_args(arguments)
    for name in options.names:
        make_int8(make(SHAPES[name], options.folder / name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
