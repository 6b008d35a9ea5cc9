"""The vocabulary of the base, trimmed to the tokens that text in one language uses.

Of 262,144 tokens most belong to other scripts. What is kept for Russian and for English is a table in the package
(`vocabulary.npz`, made by `python -m training.vocabulary`); from it and the base's own pieces comes a tokenizer.json
that gives nearly every text the tokens of the full one. Text in other scripts is carried by tokens of single bytes.
An adapter is for one language and becomes a model of its own, so Russian does not pay for English names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rerank.errors import install_again
from rewrite.errors import BadModel

PAD, END, BEGIN, UNKNOWN = SPECIAL = ("<pad>", "<eos>", "<bos>", "<unk>")
"""The special tokens, in the order of their numbers, which trimming does not change."""
TABLE = Path(__file__).with_name("vocabulary.npz")
_SPACE = "▁"


@cache
def kept_ids(language: str) -> NDArray[np.int64]:
    """Numbers of the tokens kept for a language (ru, en) in the full vocabulary, ascending.

    The place of one among them is its number after trimming.
    """
    try:
        with np.load(TABLE, allow_pickle=False) as file:
            ids: NDArray[np.int64] = np.cumsum(file[language].astype(np.int64))
    except (OSError, ValueError, KeyError) as error:
        raise BadModel(f"{TABLE}: it cannot be read: {error}.", hint=install_again("rewrite/base")) from error
    return ids


def write_kept_ids(path: Path, ids: Mapping[str, Iterable[int]]) -> None:
    """Write the table that `kept_ids` reads: gaps between the numbers, which pack well."""
    gaps: dict[str, Any] = {
        language: np.diff(sorted(kept), prepend=0).astype(np.uint32) for language, kept in ids.items()
    }
    np.savez_compressed(path, **gaps)


def _halves(piece: str, numbers: Mapping[str, int]) -> list[tuple[str, str]]:
    """The pairs of tokens that a piece can be merged from, those with the longer first half first."""
    cuts = ((piece[:i], piece[i:]) for i in range(len(piece) - 1, 0, -1))
    return [pair for pair in cuts if pair[0] in numbers and pair[1] in numbers]


def closed(ids: Iterable[int], pieces: Sequence[str]) -> set[int]:
    """`ids` and all tokens that byte pair encoding passes through on its way to them.

    The vocabulary is in the order of merges: of two neighbours that can be merged those go first whose union has the
    lowest number.
    """
    numbers = {piece: number for number, piece in enumerate(pieces)}
    kept = set(ids)
    for number in tuple(kept):
        kept |= _passed(pieces[number], numbers)
    return kept


def _passed(piece: str, numbers: Mapping[str, int]) -> set[int]:
    """The tokens that the characters of `piece` are merged into, one merge after the other."""
    parts = list(piece)
    passed = {numbers[part] for part in parts if part in numbers}
    while len(parts) > 1:
        unions = ((numbers.get(a + b, len(numbers)), i) for i, (a, b) in enumerate(pairwise(parts)))
        number, i = min(unions)
        if number == len(numbers):
            break
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
        passed.add(number)
    return passed


def tokenizer_json(pieces: Sequence[str], ids: NDArray[np.int64] | None = None) -> str:
    """The tokenizer of the tokens `ids` of a vocabulary (default: of all), in the format of the library tokenizers."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, processors

    kept = list(pieces) if ids is None else [pieces[i] for i in ids.tolist()]
    numbers = {piece: number for number, piece in enumerate(kept)}
    single = {number for number, piece in enumerate(kept) if piece in SPECIAL or _is_byte(piece)}
    merges = [pair for number, piece in enumerate(kept) if number not in single for pair in _halves(piece, numbers)]
    tokenizer = Tokenizer(models.BPE(numbers, merges, unk_token=UNKNOWN, fuse_unk=True, byte_fallback=True))
    tokenizer.add_special_tokens([AddedToken(piece, normalized=False, special=True) for piece in SPECIAL])
    tokenizer.normalizer = normalizers.Replace(" ", _SPACE)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A", pair=f"{BEGIN} $A $B:1", special_tokens=[(BEGIN, numbers[BEGIN])]
    )
    tokenizer.decoder = decoders.Sequence([decoders.Replace(_SPACE, " "), decoders.ByteFallback(), decoders.Fuse()])
    written: str = tokenizer.to_str()
    return written


def _is_byte(piece: str) -> bool:
    return len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">")
