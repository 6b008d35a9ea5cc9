"""Names and numbers of an English source, and whether an output has them all, letter by letter."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from rerank.analysis import Analysis
from rewrite.evaluate.splitting.closed import FUNCTION_WORDS, NUMBER_WORDS

__all__ = ["Named", "copied", "names_and_numbers"]

# U.S. and a.m., figures with what is written together with them (1,000, 3rd), words; no hyphens and no possessive s.
_WORD = re.compile(r"[^\W\d_](?:\.[^\W\d_])+\b|\d+(?:[.,:/]\d+)*[^\W\d_]*|[^\W\d_](?:[^\W_]|['’](?!s\b)(?=[^\W\d_]))*")


@dataclass(frozen=True, slots=True)
class Named:
    """What an output must have: `numbers` as often as the source, words of `names` once, as written.

    Words of `first` begin a sentence of the source, and may lose their capital.
    """

    numbers: Counter[str]
    names: frozenset[str]
    first: frozenset[str]


def names_and_numbers(source: Analysis) -> Named:
    """The names and numbers of a source.

    Numbers are words with a digit and number words, *one* only where it counts. Names are capitalised words that do
    not begin a sentence, and those that do where the analysis has them in an entity; function words are none.
    """
    words = [(match.start(), match[0]) for match in _WORD.finditer(source.text)]
    starts = [next((at for at, _ in words if at >= sentence.start), -1) for sentence in source.sentences]
    counting = {token.start for token in source.tokens if token.pos == "NUM"}
    numbers: Counter[str] = Counter()
    names, first = set(), set()
    for at, word in words:
        if _is_number(word) and (word.lower() != "one" or at in counting):
            numbers[word.lower()] += 1
        elif word[0].isupper() and not _is_function_word(word):
            if at not in starts:
                names.add(word)
            elif any(entity.start <= at < entity.stop for entity in source.entities):
                first.add(word.lower())
    return Named(numbers, frozenset(names), frozenset(first))


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) or word.lower() in NUMBER_WORDS


def _is_function_word(word: str) -> bool:
    """Whether it is one with a capital, as in a title: *The*, but not *US* or the month of *May*."""
    return word != "May" and word == word.capitalize() and word.lower() in FUNCTION_WORDS


def copied(named: Named, output: str) -> bool:
    """Whether `output` has all of `named`."""
    words = _WORD.findall(output)
    lower = Counter(word.lower() for word in words)
    return (
        all(lower[number] >= count for number, count in named.numbers.items())
        and named.names <= set(words)
        and named.first <= lower.keys()
    )
