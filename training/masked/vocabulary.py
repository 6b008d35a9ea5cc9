"""A vocabulary of word pieces without case. A word has the same pieces alone as in a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["CLS", "MASK", "PAD", "SEP", "SPECIAL", "UNKNOWN", "train_vocabulary"]

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNKNOWN, CLS, SEP, MASK = range(5)
# English clitics stand apart, as in treebanks and in rerank.masked.words; so do numbers and each mark. Case is gone
# when this is applied.
_WORD = (
    r"\p{L}+?(?=n't(?!\p{L}))|n't(?!\p{L})|can(?=not(?!\p{L}))|'(?:s|m|d|ll|re|ve)(?!\p{L})"
    r"|\p{L}+|\p{N}+|[^\s\p{L}\p{N}]"
)
_SAME = (("[“”„«»]", '"'), ("[‘’ʼ`´]", "'"), ("[–—―]", "—"), ("…", "..."), ("ё", "е"), ("\u0301", ""), ("\u00ad", ""))


def train_vocabulary(texts: Iterable[str], size: int, *, language: str) -> Any:
    """A `tokenizers.Tokenizer` of `size` pieces, without case, and for English without accents, from these texts."""
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token=SPECIAL[UNKNOWN]))
    # To strip accents would make е of ё, which is welcome, and и of й, which is not.
    accents = [normalizers.NFD(), normalizers.StripAccents()] if language == "en" else [normalizers.NFC()]
    tokenizer.normalizer = normalizers.Sequence(
        [*accents, normalizers.Lowercase(), *(normalizers.Replace(Regex(old), new) for old, new in _SAME)]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(_WORD), behavior="removed", invert=True)
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.train_from_iterator(
        texts,
        trainer=trainers.WordPieceTrainer(
            vocab_size=size, special_tokens=list(SPECIAL), limit_alphabet=300, show_progress=False
        ),
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(SPECIAL[CLS], CLS), (SPECIAL[SEP], SEP)]
    )
    return tokenizer
