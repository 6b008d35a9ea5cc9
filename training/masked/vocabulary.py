"""A vocabulary of word pieces without case. A word has the same pieces alone as in a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rerank.masked.packed import TOKENIZER

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNKNOWN, CLS, SEP, MASK = range(5)
_LETTERS = 200
# English clitics stand apart, as in treebanks and in rerank.masked.words; so do numbers and each mark. Case is gone
# when this is applied.
_WORD = (
    r"\p{L}+?(?=n't(?!\p{L}))|n't(?!\p{L})|can(?=not(?!\p{L}))|'(?:s|m|d|ll|re|ve)(?!\p{L})"
    r"|\p{L}+|\p{N}+|[^\s\p{L}\p{N}]"
)
_SAME = (("[“”„«»]", '"'), ("[‘’ʼ`´]", "'"), ("[–—―]", "—"), ("…", "..."), ("ё", "е"), ("\u0301", ""), ("\u00ad", ""))


def train_vocabulary(texts: Sequence[str], size: int, *, language: str) -> Any:
    """A `tokenizers.Tokenizer` of `size` pieces at most, without case, and for English without accents.

    The same texts give the same vocabulary.
    """
    from tokenizers import Tokenizer, decoders, models, processors, trainers

    learner = _prepared(Tokenizer(models.WordPiece(unk_token=SPECIAL[UNKNOWN])), language)
    letters = _letters(learner.normalizer.normalize_str(text) for text in texts)
    # The library numbers letters inside words as it meets them, in an order that is another each time, and settles ties
    # by number. As special tokens they get theirs at once; what is made of the pieces afterwards knows nothing of it.
    numbered = [*SPECIAL, *(f"##{letter}" for letter in letters)]
    trainer = trainers.WordPieceTrainer(
        vocab_size=size,
        special_tokens=numbered,
        initial_alphabet=letters,
        limit_alphabet=len(letters),
        show_progress=False,
    )
    learner.train_from_iterator(texts, trainer=trainer)
    tokenizer = _prepared(Tokenizer(models.WordPiece(vocab=learner.get_vocab(), unk_token=SPECIAL[UNKNOWN])), language)
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(SPECIAL[CLS], CLS), (SPECIAL[SEP], SEP)]
    )
    return tokenizer


def read_vocabulary(folder: Path, window: int) -> Any:
    """What `train_vocabulary` made and `folder` holds, as transformers has it, for texts of `window` tokens at most."""
    from transformers import PreTrainedTokenizerFast

    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), SPECIAL, strict=True))
    return PreTrainedTokenizerFast(tokenizer_file=str(folder / TOKENIZER), model_max_length=window, **names)


def _prepared(tokenizer: Any, language: str) -> Any:
    """`tokenizer` with what it does to a text before it looks for pieces."""
    from tokenizers import Regex, normalizers, pre_tokenizers

    # To strip accents would make е of ё, which is welcome, and и of й, which is not.
    accents = [normalizers.NFD(), normalizers.StripAccents()] if language == "en" else [normalizers.NFC()]
    tokenizer.normalizer = normalizers.Sequence(
        [*accents, normalizers.Lowercase(), *(normalizers.Replace(Regex(old), new) for old, new in _SAME)]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(_WORD), behavior="removed", invert=True)
    return tokenizer


def _letters(texts: Iterable[str]) -> list[str]:
    """The most frequent characters but spaces, by number."""
    counts = Counter[str]()
    for text in texts:
        counts.update(text)
    by_count = sorted((-count, letter) for letter, count in counts.items() if not letter.isspace())
    return sorted(letter for _, letter in by_count[:_LETTERS])
