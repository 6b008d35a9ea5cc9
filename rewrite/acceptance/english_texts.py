"""What tells whether an editor would pass an English text that a language model drew."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from rerank.frequency import fold
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.acceptance.text_features import DrawnWords, Pool, features_of_draw

ENGLISH_TEXT_FEATURES = ("certainty", "logprob", "logprob_all", "least", "likeliest", "share", "consensus")
"""The log-odds that a reader passes the text, as `rewrite.acceptance.verdict` says; the text's log-probability by token
and in all, that of its least probable token, how much likelier by token the likeliest draw is; the share of the draws
that it is, and how much its words are those of the others."""
_WORD = re.compile(r"\w+")


class EnglishTextReader:
    """Measures English texts by `ENGLISH_TEXT_FEATURES`: what was said of them as they were drawn, and the other draws.

    Of 41 features of words, parse and form beside these none made the model's judgement better.
    """

    names: tuple[str, ...] = ENGLISH_TEXT_FEATURES
    language = "en"
    needs: frozenset[str] = frozenset()

    def signature(self) -> str:
        """See `DrawnTextReader.signature`."""
        return "draws"

    def features(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        """See `DrawnTextReader.features`."""
        texts = [DrawnWords(list(map(fold, _WORD.findall(candidate.text)))) for candidate in candidates]
        pool = Pool.of(candidates, texts)
        rows = [features_of_draw(c, text, pool) for c, text in zip(candidates, texts, strict=True)]
        return np.array([[row[name] for name in self.names] for row in rows]).reshape(-1, len(self.names))
