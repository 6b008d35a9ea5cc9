"""Tiny masked language models with random weights and real tokenizers: built in a folder, offline, always the same.

The weights are drawn wide, so that what is expected at a word depends on the words around it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["FAMILIES", "WORDS", "build"]

FAMILIES = ("bert", "roberta", "xlm-roberta")

# Half of them are not in the vocabularies and fall into several sub-words.
WORDS = tuple(
    "I am walking in the cold rain and snow of a long dark night . , while unhappily umbrellas overflowing "
    "thunderstorms he was running under hot sunshine with friends ; yesterday 's weatherman forecasted drizzling "
    "nothingness everywhere rewritten paperwork candlelight".split()
)
_SPECIAL = {
    "bert": ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"],
    "roberta": ["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
    "xlm-roberta": ["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
}
_SIZES: dict[str, Any] = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "initializer_range": 0.3,
}
_WINDOW = 160


def build(family: str, folder: Path) -> Path:
    """A model of one of `FAMILIES` with a window of 160 tokens, written to `folder`."""
    import torch
    import transformers

    tokenizer = _tokenizer(family)
    sizes = {**_SIZES, "vocab_size": len(tokenizer), "pad_token_id": tokenizer.pad_token_id}
    torch.manual_seed(1)
    if family == "bert":
        model = transformers.BertForMaskedLM(transformers.BertConfig(**sizes, max_position_embeddings=_WINDOW))
    else:
        # Of its positions the first two are never used.
        config = transformers.XLMRobertaConfig if family == "xlm-roberta" else transformers.RobertaConfig
        kind = transformers.XLMRobertaForMaskedLM if family == "xlm-roberta" else transformers.RobertaForMaskedLM
        model = kind(config(**sizes, max_position_embeddings=_WINDOW + 2, type_vocab_size=1))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _wordpieces(special: list[str]) -> dict[str, int]:
    """Letters, and the words of the first half: the library's own trainer makes another vocabulary each time."""
    letters = sorted(set("".join(WORDS)))
    pieces = [*special, *letters, *(f"##{letter}" for letter in letters), *WORDS[: len(WORDS) // 2]]
    pieces += [f"[unused{number}]" for number in range(100 - len(set(pieces)))]
    return {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}


def _tokenizer(family: str) -> Any:
    import transformers
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

    special = _SPECIAL[family]
    lines = [" ".join(WORDS[: len(WORDS) // 2])] * 3 + [" ".join(sorted(set("".join(WORDS))))]
    trainer: Any
    if family == "bert":
        raw = Tokenizer(models.WordPiece(vocab=_wordpieces(special), unk_token="[UNK]"))
        raw.normalizer = normalizers.BertNormalizer(lowercase=False)
        raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        trainer = None
    elif family == "roberta":
        raw = Tokenizer(models.BPE())
        raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        raw.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=300, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
        )
    else:
        raw = Tokenizer(models.Unigram())
        raw.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
        raw.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=special, unk_token="<unk>")
    if trainer is not None:
        raw.train_from_iterator(lines, trainer)
    begin, end = ("[CLS]", "[SEP]") if family == "bert" else ("<s>", "</s>")
    raw.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}", special_tokens=[(mark, raw.token_to_id(mark)) for mark in (begin, end)]
    )
    names = dict(zip(("pad", "unk", "cls", "sep", "mask"), _SPECIAL["bert"], strict=True))
    if family != "bert":
        names = {"pad": "<pad>", "unk": "<unk>", "cls": "<s>", "sep": "</s>", "mask": "<mask>"}
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=raw, **{f"{name}_token": mark for name, mark in names.items()}
    )
