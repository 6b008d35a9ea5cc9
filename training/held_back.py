"""Texts that training must not see, for they measure what was trained."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_GRAM = 8
_WORD = re.compile(r"\w+")


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("ё", "е"))


def _grams(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[i : i + _GRAM]) for i in range(len(words) - _GRAM + 1))


class HeldBack:
    """Texts that training must not see. `in` tells whether a text equals one, or has eight words in a row with one.

    Case, punctuation and the dots of «ё» make no difference.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        split = [_words(text) for text in texts]
        self._whole = {tuple(words) for words in split}
        self._grams = {gram for words in split for gram in _grams(words)}

    def __contains__(self, text: str) -> bool:
        words = _words(text)
        return tuple(words) in self._whole or any(gram in self._grams for gram in _grams(words))
