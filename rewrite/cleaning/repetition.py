"""Words said again and again: the way in which a model that is stuck shows it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rerank.frequency import fold
from rewrite.cleaning.context import Context

__all__ = ["repeated_words"]

_LONGEST = 8
_OFTEN = 3
_STOP = re.compile(r"[.!?…]")
_WORD = re.compile(r"[^\W_]+(?:[-'’.,][^\W_]+)*")
# Words that may stand twice in a row: «еле еле», “had had”, “that that”.
_MAY_DOUBLE = frozenset(
    """очень да нет ну вот так чуть еле едва давно долго много все что то далеко тихо ха хи ой ай ого
    had that very so no bye ha long far many more really never again there""".split()
)


def repeated_words(text: str, context: Context) -> str:
    """Rejects a word or phrase twice in a row, or three words said three times, unless the source repeats them so."""
    again = sorted(_doubled(text) - _doubled(context.source)) or sorted(_stuck(text) - _stuck(context.source))
    return f"repeated words: {' '.join(again[0])}" if again else ""


def _doubled(text: str) -> set[tuple[str, ...]]:
    """What stands twice in a row: a word or two, a longer phrase of the same sentence, or a whole sentence."""
    tokens, gaps = _read(text)
    found: set[tuple[str, ...]] = set()
    for size in range(1, min(_LONGEST, len(tokens) // 2) + 1):
        for start in _places(tokens, size):
            phrase = tuple(tokens[start : start + size])
            if not set(phrase) <= _MAY_DOUBLE and not all(map(_number, phrase)) and _in_a_row(gaps, start, size):
                found.add(phrase)
    return found


def _in_a_row(gaps: Sequence[str], start: int, size: int) -> bool:
    """Whether the repetition is one to the eye: «…Западных тюрок. Западные тюрки…» is how a sentence is split."""
    between = gaps[start + size]
    if _STOP.search(between):
        return all(_STOP.search(gaps[place]) for place in (start, start + 2 * size))
    return size > 2 or all(map(str.isspace, gaps[start + 1 : start + 2 * size]))


def _places(tokens: Sequence[str], size: int) -> Iterator[int]:
    """Where `size` tokens are followed by the same ones."""
    run = 0
    for place in range(len(tokens) - size):
        run = run + 1 if tokens[place] == tokens[place + size] else 0
        if run >= size:
            yield place - size + 1


def _stuck(text: str) -> set[tuple[str, ...]]:
    tokens, _ = _read(text)
    counts = Counter(zip(tokens, tokens[1:], tokens[2:], strict=False))
    return {words for words, count in counts.items() if count >= _OFTEN and not all(map(_number, words))}


def _read(text: str) -> tuple[list[str], list[str]]:
    """The folded words of `text`, and what stands before each and after the last; the ends of a text count as stops."""
    tokens, gaps, position = [], [], 0
    for match in _WORD.finditer(text):
        tokens.append(fold(match.group()))
        gaps.append(text[position : match.start()])
        position = match.end()
    gaps.append(f"{text[position:]}.")
    gaps[0] = f".{gaps[0]}"
    return tokens, gaps


def _number(word: str) -> bool:
    return not any(map(str.isalpha, word))
