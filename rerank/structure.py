"""How a text is built: whether kept words hang together, how many sentences there are, how long the longest is.

A candidate of a splitter has its sentences a line each; a source is one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

from rerank.analysis import Analysis
from rerank.errors import BadInput
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

_FLOOR = 1e-9
_LEAST_STRUCTURE = 0.05
# Words that a reader takes in at once; a sentence of twice as many counts e times less.
_EASY = 15
_WORD = re.compile(r"\w+(?:['’.,-]\w+)*")


class Structure:
    """1 − m/k, where k of the source's words stand in the candidate in order, and m of them have another head there.

    A cut that follows a wrong parse, or leaves half a phrase, makes the parser hang the rest on other words; so does a
    rewrite that changes who did what. A word whose head went or was replaced counts as unchanged. Range [0.05, 1]; 1
    where no word was kept.
    """

    name = "structure"
    range = (_LEAST_STRUCTURE, 1.0)
    needs = frozenset({"syntax"})

    def signature(self) -> str:
        return "structure:1"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        parsed, *others = context.analyzer.analyze([source, *(c.text for c in candidates)], ("syntax",))
        words, heads = _words(parsed)
        values = [_agreement(words, heads, *_words(other)) for other in others]
        return np.array(values, dtype=np.float64).clip(_LEAST_STRUCTURE, 1.0)


def _words(analysis: Analysis) -> tuple[list[str], list[int]]:
    """Lower-case tokens of a text and their heads in it: −1 for a root, −2 for punctuation."""
    words: list[str] = []
    heads: list[int] = []
    for sentence in analysis.sentences:
        offset = len(words)
        for token in sentence.tokens:
            words.append(token.text.lower())
            is_word = any(character.isalnum() for character in token.text)
            heads.append((token.head + offset if token.head >= 0 else -1) if is_word else -2)
    return words, heads


def _agreement(source: list[str], source_heads: list[int], words: list[str], heads: list[int]) -> float:
    blocks = SequenceMatcher(None, source, words, autojunk=False).get_matching_blocks()
    origin = {b.b + k: b.a + k for b in blocks for k in range(b.size)}
    kept = set(origin.values())
    compared = moved = 0
    for j, i in origin.items():
        if heads[j] == -2 or source_heads[i] == -2:
            continue
        compared += 1
        if heads[j] in origin:
            moved += origin[heads[j]] != source_heads[i]
        else:
            # The head here is new, or the word is a root: fine if the old head is gone too.
            moved += source_heads[i] in kept
    return 1.0 - moved / compared if compared else 1.0


class ShortSentences:
    """exp(−max(0, w − 15) / 15), w = words of the source × the longest sentence's share of the candidate's words.

    So w is how long the longest sentence would be if nothing were left out: cutting a sentence in two counts, dropping
    words does not. Range [1e-9, 1].
    """

    name = "brevity"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def signature(self) -> str:
        return f"brevity:{_EASY}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        whole, *texts = map(_sentence_words, context.analyzer.analyze([source, *(c.text for c in candidates)], ()))
        longest = np.array([sum(whole) * max(words, default=0) / max(1, sum(words)) for words in texts])
        values: FloatArray = np.exp(-np.maximum(0.0, longest - _EASY) / _EASY).clip(_FLOOR, 1.0)
        return values


def _sentence_words(text: Analysis) -> list[int]:
    """The number of words of each sentence."""
    return [sum(any(c.isalnum() for c in token.text) for token in s.tokens) for s in text.sentences]


def sentence_words(text: str) -> list[int]:
    """Words of each sentence of a text that has a sentence on each line; marks are no words."""
    return [len(_WORD.findall(line)) for line in text.split("\n") if line.strip()]


class Splits:
    """exp(−|k − target|), where k is the number of sentences. Range [1e-9, 1]; 1 for as many as were asked for.

    With `at_least`, more of them are as good.
    """

    name = "splits"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(self, target: int = 2, *, at_least: bool = False) -> None:
        if target < 1:
            raise BadInput(f"The target of the component splits is {target}.", hint="Give 1 or more.")
        self.target = target
        self.at_least = at_least

    def signature(self) -> str:
        return f"splits:{self.target}{'+' if self.at_least else ''}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        counts = np.array([len(sentence_words(candidate.text)) for candidate in candidates], dtype=np.float64)
        away = self.target - counts
        values: FloatArray = np.exp(-(np.maximum(away, 0.0) if self.at_least else np.abs(away))).clip(_FLOOR, 1.0)
        return values


class Brevity:
    """min(1, limit / longest), where `longest` is the number of words of the longest sentence. Range [1e-9, 1].

    1 where no sentence has more words than `limit`.
    """

    name = "length"
    range = (_FLOOR, 1.0)
    needs: frozenset[str] = frozenset()

    def __init__(self, limit: int = 12) -> None:
        if limit < 1:
            raise BadInput(f"The limit of the component length is {limit}.", hint="Give 1 or more.")
        self.limit = limit

    def signature(self) -> str:
        return f"length:{self.limit}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        longest = np.array([max(sentence_words(c.text), default=1) or 1 for c in candidates], dtype=np.float64)
        return np.minimum(1.0, self.limit / longest)
