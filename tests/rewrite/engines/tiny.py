"""Tiny models with random weights and real tokenizers, for tests: built in a folder, offline, always the same.

The weights are drawn wide, so that one token is clearly the most probable and rounding does not change which.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = [
    "CHAT_TEMPLATE",
    "SOURCES",
    "tiny_bart",
    "tiny_chat",
    "tiny_gpt2",
    "tiny_marian",
    "tiny_pegasus",
    "tiny_pegasus_padded",
    "tiny_t5",
    "tiny_t5_gated",
]

SOURCES = (
    "Филипп женился в седьмой раз на знатной македонянке Клеопатре.",
    "Дети нашли во дворе большую рыжую кошку, которая спала на старом диване.",
    "Дождь.",
    "В 1812 году армия Наполеона перешла Неман и двинулась к Москве.",
)
_TEXTS = (
    *SOURCES,
    "Пётр Первый основал город на берегу Невы в начале восемнадцатого века.",
    "Учёные обнаружили, что новая планета вращается вокруг далёкой звезды.",
    "Книга лежала на столе; никто её не читал, и она покрылась пылью.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю!",
    "The quick brown fox jumps over the lazy dog.",
    "It was a bright cold day in April, and the clocks were striking thirteen.",
    "Simple sentences are easier to read than long ones, are they not?",
    "<Simplify:> 0123456789 «кавычки» — тире (скобки): двоеточие",
)
_SEED = 1
_SPECIAL = ["<pad>", "<s>", "</s>", "<unk>"]
CHAT_TEMPLATE = (
    "{% for message in messages %}<s>{{ message['role'] }}: {{ message['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant:{% endif %}"
)


def tiny_gpt2(folder: Path, *, vocab_padding: int = 6, width: int = 32, strips: bool = False) -> Path:
    """A causal model of type `gpt2` with 128 positions and two heads, which share its `width`.

    Its vocabulary has `vocab_padding` entries without a token. With `strips`, special tokens take in the space beside
    them, as training and some chat models have them.
    """
    import transformers

    tokenizer = _byte_level()
    if strips:
        from tokenizers import AddedToken

        marks = [AddedToken("<Simplify:>", lstrip=True, special=True), AddedToken("<b>", rstrip=True, special=True)]
        tokenizer.add_special_tokens({"additional_special_tokens": marks})
    config = transformers.GPT2Config(**_gpt2_sizes(tokenizer, vocab_padding, width))
    return _save(folder, transformers.GPT2LMHeadModel, config, tokenizer)


def tiny_chat(folder: Path) -> Path:
    """A causal model of type `llama` with a chat template, whose tokenizer puts `<s>` before a text."""
    import transformers

    tokenizer = _byte_level(begin=True)
    tokenizer.chat_template = CHAT_TEMPLATE
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=192,
        initializer_range=0.6,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    return _save(folder, transformers.LlamaForCausalLM, config, tokenizer)


def tiny_t5(folder: Path, **changes: Any) -> Path:
    """An encoder-decoder model of type `t5`, with relative positions; `changes` go into its config."""
    import transformers

    tokenizer = _unigram()
    config = transformers.T5Config(
        vocab_size=len(tokenizer) + 5,
        d_model=32,
        d_kv=16,
        d_ff=48,
        num_layers=2,
        num_heads=2,
        initializer_factor=1.5,
        pad_token_id=0,
        eos_token_id=2,
        decoder_start_token_id=0,
        **changes,
    )
    return _save(folder, transformers.T5ForConditionalGeneration, config, tokenizer)


def tiny_t5_gated(folder: Path) -> Path:
    """The same as T5 v1.1 and mT5 have it: a head of its own, whose logits are not scaled, and gated layers."""
    return tiny_t5(folder, feed_forward_proj="gated-gelu", tie_word_embeddings=False)


def tiny_bart(folder: Path) -> Path:
    """An encoder-decoder model of type `bart` with 96 positions, whose texts must begin with `<s>`."""
    import transformers

    tokenizer = _byte_level(begin=True, end=True)
    config = transformers.BartConfig(
        vocab_size=len(tokenizer),
        forced_bos_token_id=1,
        forced_eos_token_id=2,
        **_bart_sizes(positions=96, init_std=0.4),
    )
    return _save(folder, transformers.BartForConditionalGeneration, config, tokenizer)


def tiny_marian(folder: Path) -> Path:
    """An encoder-decoder model of type `marian` with 96 positions: two SentencePiece models, one vocabulary."""
    import transformers

    folder.mkdir(parents=True, exist_ok=True)
    pieces = [_train_sentencepiece(folder / f"{side}.spm", size) for side, size in (("source", 200), ("target", 180))]
    words = [piece for piece in dict.fromkeys([*pieces[0], *pieces[1]]) if piece not in ("<s>", "</s>", "<unk>")]
    vocabulary = {word: number for number, word in enumerate(["</s>", "<unk>", *words, "<pad>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    tokenizer = transformers.MarianTokenizer(
        str(folder / "source.spm"), str(folder / "target.spm"), str(folder / "vocab.json"), model_max_length=96
    )
    pad = vocabulary["<pad>"]
    sizes = _bart_sizes(positions=96, init_std=0.5) | {
        "tie_word_embeddings": False,
        "pad_token_id": pad,
        "eos_token_id": 0,
        "bos_token_id": 0,
        "decoder_start_token_id": pad,
    }
    config = transformers.MarianConfig(vocab_size=len(vocabulary), **sizes)
    generation = {"bad_words_ids": [[pad]], "num_beams": 4, "forced_eos_token_id": 0}
    return _save(folder, transformers.MarianMTModel, config, tokenizer, **generation)


def tiny_pegasus(folder: Path) -> Path:
    """An encoder-decoder model of type `pegasus`, with 96 fixed positions.

    Texts begin with `<s>`, and so does the decoder; embeddings are scaled, and some tokens are likelier by a bias.
    """
    return _pegasus(folder, _byte_level(begin=True, end=True), scale_embedding=True, decoder_start_token_id=1)


def tiny_pegasus_padded(folder: Path) -> Path:
    """The same as the released ones have it: texts begin with nothing, the decoder with `<pad>`."""
    return _pegasus(folder, _unigram(), scale_embedding=False, decoder_start_token_id=0)


def _pegasus(folder: Path, tokenizer: Any, **changes: Any) -> Path:
    import torch
    import transformers

    sizes = _bart_sizes(positions=96, init_std=0.4) | {"activation_function": "relu", "forced_eos_token_id": None}
    config = transformers.PegasusConfig(vocab_size=len(tokenizer) + 3, **sizes | changes)
    _save(folder, transformers.PegasusForConditionalGeneration, config, tokenizer)
    model = transformers.PegasusForConditionalGeneration.from_pretrained(folder)
    model.final_logits_bias[0, 4::7] = torch.linspace(0.5, 2.0, len(model.final_logits_bias[0, 4::7]))
    model.save_pretrained(folder)
    return folder


def _gpt2_sizes(tokenizer: Any, vocab_padding: int, width: int) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer) + vocab_padding,
        "n_positions": 128,
        "n_embd": width,
        "n_layer": 2,
        "n_head": 2,
        "initializer_range": 0.5,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
    }


def _bart_sizes(*, positions: int, init_std: float) -> dict[str, Any]:
    return {
        "d_model": 32,
        "encoder_layers": 2,
        "decoder_layers": 2,
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 48,
        "decoder_ffn_dim": 48,
        "max_position_embeddings": positions,
        "init_std": init_std,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "decoder_start_token_id": 2,
    }


def _save(folder: Path, model_class: Any, config: Any, tokenizer: Any, **generation: Any) -> Path:
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(_SEED)
        model = model_class(config).eval()
    for name, value in generation.items():
        setattr(model.generation_config, name, value)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _byte_level(*, begin: bool = False, end: bool = False) -> Any:
    """A tokenizer like GPT-2's; with `begin` and `end` it puts `<s>` before a text and `</s>` after it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=420,
        special_tokens=_SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_TEXTS, trainer)
    _surround(tokenizer, begin=begin, end=end)
    return _wrapped(tokenizer)


def _unigram() -> Any:
    """A tokenizer like T5's, which puts `</s>` after a text."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    # Trained by the library its pieces would come in another order each time.
    words = [f"▁{word}" for text in _TEXTS for word in text.split()]
    counts = Counter(
        word[i:j] for word in words for i in range(len(word)) for j in range(i + 1, min(i + 5, len(word) + 1))
    )
    letters = sorted(piece for piece in counts if len(piece) == 1)
    longer = sorted((piece for piece in counts if len(piece) > 1), key=lambda piece: (-counts[piece], piece))
    pieces = [(piece, math.log(counts[piece] / counts.total())) for piece in [*letters, *longer[:120]]]
    vocabulary = [*((token, 0.0) for token in _SPECIAL), *pieces]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=_SPECIAL.index("<unk>")))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    _surround(tokenizer, begin=False, end=True)
    return _wrapped(tokenizer)


def _surround(tokenizer: Any, *, begin: bool, end: bool) -> None:
    from tokenizers import processors

    if begin or end:
        pattern = " ".join([*(["<s>"] if begin else []), "$A", *(["</s>"] if end else [])])
        tokenizer.post_processor = processors.TemplateProcessing(
            single=pattern, special_tokens=[("<s>", 1), ("</s>", 2)]
        )


def _wrapped(tokenizer: Any) -> Any:
    import transformers

    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    )


def _train_sentencepiece(path: Path, size: int) -> Sequence[str]:
    """Train a model of `size` pieces and write it to `path`; returns its pieces."""
    import sentencepiece

    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(_TEXTS), model_writer=file, vocab_size=size, hard_vocab_limit=False, minloglevel=2
        )
    model = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return [model.id_to_piece(number) for number in range(model.get_piece_size())]
