"""What the probabilities of language models, and a generator's own account, say for and against candidates."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from rerank.errors import RewriteError
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray

_FLOOR = 1e-9
_LEAST_CAUTION = 1e-6
_TOKEN = re.compile(r"\w+|[^\w\s]|\n")

Grams = Counter[tuple[str, ...]]


def _per_token(source: str, candidates: Sequence[Candidate]) -> FloatArray:
    """The log-probability per token of each candidate, NaN where its generator does not say.

    Where a generator gives no token count, words are counted. The source among its candidates has what any of them says
    that leaving it alone is worth (`Candidate.source_logprob`).
    """
    means = np.full(len(candidates), np.nan)
    for place, candidate in enumerate(candidates):
        if candidate.logprob is not None:
            means[place] = candidate.logprob / max(1, candidate.tokens or len(candidate.text.split()))
        elif candidate.text == source:
            for other in candidates:
                if other.source_logprob is not None:
                    tokens = other.source_tokens or other.tokens or len(source.split())
                    means[place] = other.source_logprob / max(1, tokens)
                    break
    return means


class Likelihood:
    """exp(mᵢ − maxⱼ mⱼ), where m is log-probability per token: the ratio of geometric mean token probabilities.

    Range [1e-9, 1]; the best of the pool, to which the source belongs, has 1. A candidate without a log-probability
    gets 1 (nothing speaks against it), and so does the source where no candidate says what leaving it alone is worth.
    Generators are compared on one scale only if their tokens are alike.
    """

    name = "likelihood"
    range = (_FLOOR, 1.0)
    needs = frozenset({"candidates"})

    def signature(self) -> str:
        return "likelihood:per-token"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        means = _per_token(source, candidates)
        given = ~np.isnan(means)
        values = np.ones(len(candidates))
        if given.any():
            values[given] = np.exp(means[given] - means[given].max()).clip(_FLOOR, 1.0)
        return values


class Consensus:
    """Cᵢ = Σⱼ pⱼ s(i, j), over the largest of the pool: what is likely right where no candidate is likely by itself.

    Minimum Bayes risk (Kumar and Byrne 2004) with the gain s(i, j) = ½ F₁(aᵢ, aⱼ) + ½ F₁(dᵢ, dⱼ), where a and d are the
    words and pairs of words that a candidate adds to the source and takes from it, and pⱼ is proportional to the
    exponential of the log-probability per token, as in `likelihood`. Of two places to cut at, one with ten likely
    beginnings so wins over one with a likelier one. Range [1e-9, 1]; 1 for the best of the pool, for the source, and
    for a candidate without a log-probability.
    """

    name = "consensus"
    range = (_FLOOR, 1.0)
    needs = frozenset({"candidates"})

    def signature(self) -> str:
        return "consensus:1"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        values = np.ones(len(candidates))
        judged = [i for i, drawn in enumerate(candidates) if drawn.logprob is not None and drawn.text != source]
        if not judged:
            return values
        pool = [candidates[i] for i in judged]
        logprobs = _per_token(source, pool)
        weights = np.exp(logprobs - logprobs.max())
        gains = _gains(source, [candidate.text for candidate in pool]) @ (weights / weights.sum())
        values[judged] = (gains / max(float(gains.max()), _FLOOR)).clip(_FLOOR, 1.0)
        return values


def _gains(source: str, texts: Sequence[str]) -> FloatArray:
    """The matrix of s."""
    given = _grams(source)
    of_texts = [_grams(text) for text in texts]
    added, taken = [grams - given for grams in of_texts], [given - grams for grams in of_texts]
    return np.array(
        [
            [(_f1(added[i], added[j]) + _f1(taken[i], taken[j])) / 2 for j in range(len(texts))]
            for i in range(len(texts))
        ]
    )


def _grams(text: str) -> Grams:
    tokens = _TOKEN.findall(text)
    grams: Grams = Counter((token,) for token in tokens)
    grams.update(itertools.pairwise(tokens))
    return grams


def _f1(left: Grams, right: Grams) -> float:
    size = left.total() + right.total()
    return 2 * (left & right).total() / size if size else 1.0


class TextModel(Protocol):
    """A causal language model that can be asked how probable a text is."""

    def signature(self) -> str:
        """Its name and version: equal signatures mean equal probabilities."""
        ...

    def text_logprobs(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        """For each text the natural-log probability of the whole, and its number of tokens (end token included)."""
        ...

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """Why some of the texts cannot be asked about, such as one longer than the model's context, by index."""
        ...


class Fluency:
    """exp(log p(text) / tokens): the geometric mean of the token probabilities, which is 1 / perplexity.

    Range [1e-9, 1]. With `model`, every candidate is asked of that model, by itself, without its source. Without one,
    the generator's own account counts (`Candidate.logprob` and `tokens`), which is the probability given the source;
    a candidate without it, and the source where the generator does not say (`source_logprob`), get the pool's median,
    so that they neither gain nor lose by it; a pool without any gets 1 throughout.
    """

    name = "fluency"
    range = (_FLOOR, 1.0)

    def __init__(self, *, model: TextModel | None = None) -> None:
        self._model = model

    @property
    def needs(self) -> frozenset[str]:
        """The pool as a whole where the generator's account counts; a model tells of each text by itself."""
        return frozenset() if self._model else frozenset({"candidates"})

    def signature(self) -> str:
        return f"fluency:{self._model.signature() if self._model else 'generator'}"

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """Why some of `texts` cannot be scored, by index; `score` raises that error for a pool with one of them."""
        return self._model.unfit(texts) if self._model else {}

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        if self._model is not None:
            scored = self._model.text_logprobs([candidate.text for candidate in candidates])
            means = np.array([logprob / max(1, tokens) for logprob, tokens in scored], dtype=np.float64)
        else:
            means = _filled(_per_token(source, candidates))
        return np.exp(means).clip(_FLOOR, 1.0)


def _filled(means: FloatArray) -> FloatArray:
    known = means[~np.isnan(means)]
    return np.where(np.isnan(means), np.median(known) if len(known) else 0.0, means)


class Caution:
    """exp(−risk), where risk is what the generator says against its own candidate (`Candidate.risk`, ≥ 0).

    Range [1e-6, 1]; 1 for a candidate that risks nothing, for one whose generator does not say, and for the source.
    The `edits` generator gives −log of the chance that an editor would pass all of its edits, as learnt from judged
    ones: caution is then that chance.
    """

    name = "caution"
    range = (_LEAST_CAUTION, 1.0)
    needs: frozenset[str] = frozenset()

    def signature(self) -> str:
        return "caution:2"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        risks = np.array([candidate.risk for candidate in candidates], dtype=np.float64)
        values: FloatArray = np.exp(-risks).clip(_LEAST_CAUTION, 1.0)
        return values
