"""Whether the words that a candidate keeps still hang together as they did in the source."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

from rerank.analysis import Analysis
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

__all__ = ["Structure"]

_FLOOR = 0.05


class Structure:
    """1 − m/k, where k of the source's words stand in the candidate in order, and m of them have another head there.

    A cut that follows a wrong parse, or leaves half a phrase, makes the parser hang the rest on other words; so does a
    rewrite that changes who did what. A word whose head went or was replaced counts as unchanged. Range [0.05, 1]; 1
    where no word was kept.
    """

    name = "structure"
    range = (_FLOOR, 1.0)
    needs = frozenset({"syntax"})

    def signature(self) -> str:
        return "structure:1"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        parsed, *others = context.analyzer.analyze([source, *(c.text for c in candidates)], ("syntax",))
        words, heads = _words(parsed)
        values = [_agreement(words, heads, *_words(other)) for other in others]
        return np.array(values, dtype=np.float64).clip(_FLOOR, 1.0)


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
