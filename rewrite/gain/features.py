"""What tells how human editors would take a candidate: which words it keeps, drops and brings, and who proposed it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from rerank.frequency import fold
from rerank.types import Candidate, FloatArray

__all__ = [
    *("FEATURES", "RARE", "SourceWords", "candidate_features"),
    *("is_drawn", "is_ours", "logprob_per_token", "words_of", "zipf"),
]

# Generators of this package, which give their candidates a gain and a risk, not a language model's probability.
_OURS = frozenset({"edits", "edits-lm", "deletion"})
RARE = 3.0
"""Occurrences in a thousand million words, as log₁₀: below it a word is rare."""
_LEAST_LOGPROB = -6.0


def is_ours(candidate: Candidate) -> bool:
    """Whether a generator of this package made the candidate, and says itself what it is worth and what it risks."""
    return candidate.generator in _OURS


def is_drawn(candidate: Candidate) -> bool:
    """Whether a language model drew the candidate."""
    return not is_ours(candidate) and candidate.logprob is not None


def logprob_per_token(candidate: Candidate) -> float:
    """Natural-log probability of a token, on average, from −6 up; −6 where it is not known."""
    if candidate.logprob is None:
        return _LEAST_LOGPROB
    return max(_LEAST_LOGPROB, candidate.logprob / max(1, candidate.tokens or len(candidate.text.split())))


def zipf(frequency: Mapping[str, float], word: str) -> float:
    """How common a word is: log₁₀ of its occurrences in a thousand million words, from 0 up."""
    share = frequency.get(word, 0.0)
    return max(0.0, 9.0 + math.log10(share)) if share > 0 else 0.0


FEATURES = (
    *("kept", "kept_keep", "gone", "gone_keep", "length", "square", "short"),
    *("new", "new_zipf", "new_rare", "gone_zipf", "gone_rare", "sentences", "commas"),
    *("unchanged", "model", "model_new", "model_logprob", "gain"),
)
_WORD = re.compile(r"\w+")
_END = re.compile(r"[.!?…]+(?=\s|$)")
_SHORTEST = 0.35


def words_of(text: str) -> list[str]:
    """The words of a text, folded; punctuation is left out."""
    return [fold(word) for word in _WORD.findall(text)]


@dataclass(frozen=True)
class SourceWords:
    """A source: its folded `words` and the share of editors expected to keep each, shape `[n_words]`."""

    text: str
    words: tuple[str, ...]
    keep: FloatArray


def candidate_features(source: SourceWords, candidate: Candidate, frequency: Mapping[str, float]) -> FloatArray:
    """Features of one candidate, shape `[len(FEATURES)]`; sums over words are shares of the source's words.

    `frequency` holds the share of every new or dropped word among running words. `kept_keep` is the sum of the keep
    shares over kept words; `square` and `short` let the worth of cutting change with how much is left; `gain` is what
    the `edits` generator expects for each word, `model_logprob` a language model's log-probability of a token.
    """
    words = words_of(candidate.text)
    total = max(1, len(source.words))
    kept = _kept(source.words, words)
    new = [word for word in words if word not in set(source.words)]
    gone = [word for word in source.words if word not in set(words)]
    length = len(words) / total
    drawn = is_drawn(candidate)
    found = {
        "kept": kept.mean() if len(kept) else 0.0,
        "kept_keep": source.keep[kept].sum() / total,
        "gone": (~kept).mean() if len(kept) else 0.0,
        "gone_keep": source.keep[~kept].sum() / total,
        "length": length,
        "square": length * length,
        "short": max(0.0, _SHORTEST - length),
        "new": len(new) / total,
        "new_zipf": sum(zipf(frequency, word) for word in new) / total,
        "new_rare": sum(zipf(frequency, word) < RARE for word in new) / total,
        "gone_zipf": sum(zipf(frequency, word) for word in gone) / total,
        "gone_rare": sum(zipf(frequency, word) < RARE for word in gone) / total,
        "sentences": len(_END.findall(candidate.text)) - len(_END.findall(source.text)),
        "commas": (candidate.text.count(",") - source.text.count(",")) / total,
        "unchanged": float(words == list(source.words)),
        "model": float(drawn),
        "model_new": drawn * len(new) / total,
        "model_logprob": logprob_per_token(candidate) if drawn else 0.0,
        "gain": _gain(candidate) if is_ours(candidate) else 0.0,
    }
    return np.array([float(found[name]) for name in FEATURES])


def _kept(source: Sequence[str], words: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which words of the source stand in the candidate, in order, `[n_words]`."""
    kept = np.zeros(len(source), dtype=bool)
    for block in SequenceMatcher(None, source, words, autojunk=False).get_matching_blocks():
        kept[block.a : block.a + block.size] = True
    return kept


def _gain(candidate: Candidate) -> float:
    """Points a word over leaving the source alone, where both are known."""
    if candidate.logprob is None or candidate.source_logprob is None:
        return 0.0
    return (candidate.logprob - candidate.source_logprob) / max(1, candidate.tokens or 1)
