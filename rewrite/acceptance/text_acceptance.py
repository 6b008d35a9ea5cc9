"""How likely a reader is to pass a text that a language model drew: by the model of readers' verdicts (in English), by
what the model that drew it says, and by the other draws, as learnt from judged texts (`training.verdict_lines`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from rerank.frequency import fold
from rerank.likelihood import Caution
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.acceptance.verdict import LineAcceptance, log_odds
from rewrite.specs import SCHEMES

TEXT_FEATURES = ("certainty", "logprob", "logprob_all", "least", "likeliest", "share", "consensus")
"""The log-odds that a reader passes the text, as `rewrite.acceptance.verdict` says; the text's log-probability by token
and in all, that of its least probable token, how much likelier by token the likeliest draw is; the share of the draws
that it is, and how much its words are those of the others. The log-odds are 0 where no model said a verdict, as of
Russian."""
_MODELS = Path(__file__).parent.parent / "models"
_FLOOR = 1e-6
# Generators of this package, which give their candidates a gain and a risk, not a language model's probability.
_OURS = frozenset({"templates", *(name for name, scheme in SCHEMES.items() if not scheme.draws)})
_LEAST_MEAN_LOGPROB, _LEAST_TOKEN_LOGPROB, _LEAST_LOGPROB = -6.0, -12.0, -60.0
_WORD = re.compile(r"\w+")


def is_drawn(candidate: Candidate) -> bool:
    """Whether a language model drew the candidate."""
    return candidate.generator not in _OURS and candidate.logprob is not None


def text_features(candidates: Sequence[Candidate]) -> FloatArray:
    """`TEXT_FEATURES` of the drawn candidates of one source, shape `[len(candidates), len(TEXT_FEATURES)]`."""
    pool = _Pool.of(candidates)
    rows = [_row(candidate, pool) for candidate in candidates]
    return np.array(rows, dtype=np.float64).reshape(-1, len(TEXT_FEATURES))


@dataclass(frozen=True)
class _Pool:
    """The drawn texts of a source: the words of each and how often it was drawn; `total` draws in all."""

    texts: tuple[tuple[frozenset[str], int], ...]
    total: int
    likeliest: float

    @classmethod
    def of(cls, candidates: Sequence[Candidate]) -> _Pool:
        texts = tuple((_words(c), c.count) for c in candidates)
        likeliest = max((_logprob_per_token(c) for c in candidates), default=0.0)
        return cls(texts, sum(c.count for c in candidates), likeliest)

    def consensus(self, candidate: Candidate) -> float:
        """Mean F1 of a text's words, as a set, against those of the pool's other draws; 1 where there is none."""
        others = self.total - candidate.count
        if others <= 0:
            return 1.0
        words = _words(candidate)
        alike = sum(count * 2 * len(words & other) / max(1, len(words) + len(other)) for other, count in self.texts)
        return (alike - candidate.count) / others


def _words(candidate: Candidate) -> frozenset[str]:
    return frozenset(map(fold, _WORD.findall(candidate.text)))


def _row(candidate: Candidate, pool: _Pool) -> tuple[float, ...]:
    each, tokens = _logprob_per_token(candidate), _tokens(candidate)
    return (
        log_odds(candidate.certainty),
        each,
        max(_LEAST_LOGPROB, each * tokens),
        each if candidate.least_logprob is None else max(_LEAST_TOKEN_LOGPROB, candidate.least_logprob),
        pool.likeliest - each,
        candidate.count / max(1, pool.total),
        pool.consensus(candidate),
    )


def _logprob_per_token(candidate: Candidate) -> float:
    """Natural-log probability of a token, on average, from −6 up; −6 where it is not known."""
    if candidate.logprob is None:
        return _LEAST_MEAN_LOGPROB
    return max(_LEAST_MEAN_LOGPROB, candidate.logprob / _tokens(candidate))


def _tokens(candidate: Candidate) -> int:
    """Its tokens, words where these are not known."""
    return max(1, candidate.tokens or len(candidate.text.split()))


class TextCaution(Caution):
    """As `Caution`; for a text that a language model drew, the chance that a reader passes it.

    The pool counts too: what other draws agree on is surer. `line` replaces the bundled ones, of each language, which
    learnt from draws of `gemma-ru` and `gemma-en` and serve for those of any model.
    """

    def __init__(self, line: LineAcceptance | None = None) -> None:
        self._line = cache(lambda language: line or _bundled(language))

    def signature(self) -> str:
        return f"{super().signature()}:texts:5"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        values = super().score(source, candidates, context)
        places = [i for i, candidate in enumerate(candidates) if is_drawn(candidate)]
        if places:
            features = text_features([candidates[i] for i in places])
            values[places] = self._line(context.analyzer.language).predict(features).clip(_FLOOR, 1.0)
        return values


def _bundled(language: str) -> LineAcceptance:
    return LineAcceptance.load(_MODELS / f"texts_{language}.json", TEXT_FEATURES)
