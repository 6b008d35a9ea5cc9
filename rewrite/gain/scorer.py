"""The component `gain`: candidates on one scale, by the gain that its bundled model expects of them.

Its features tell which words a candidate keeps, drops and brings, and who proposed it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path

import numpy as np

from rerank.frequency import Wordfreq, WordFrequencies, fold
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.forest import stored_arrays
from rewrite.gain.text_features import RARE, is_drawn, is_ours, logprob_per_token, zipf
from rewrite.generators.edits.model import EditModel
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

_FILE = Path(__file__).parent.parent / "models" / "gain_ru.npz"
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


@dataclass(frozen=True)
class GainModel:
    """`weights`, shape `[len(FEATURES)]`, in points of SARI that a candidate adds to its source's share."""

    weights: FloatArray

    @classmethod
    def load(cls, path: Path = _FILE) -> GainModel:
        """Read an `.npz` file; `ModelNotFound` where it is missing or made for other features."""
        return cls(stored_arrays(path, "gain model", FEATURES)["weights"].astype(np.float64))

    def save(self, path: Path) -> None:
        """Write an `.npz` file that `load` takes back."""
        np.savez_compressed(path, names=np.array(FEATURES), weights=self.weights)

    def gain(self, features: FloatArray) -> FloatArray:
        """Expected gains, shape `[n]`, of candidates with `features` `[n, len(FEATURES)]`; known up to a constant."""
        gains: FloatArray = features @ self.weights
        return gains


_FLOOR = 1e-3
# Points of gain, of a sentence, that make a candidate e times as good.
_SCALE = 20.0


class Gain:
    """exp((gᵢ − max g) / 20), where gᵢ is the gain in SARI that the bundled model expects of candidate i, in points.

    The maximum is over the pool, the source among it. Range [0.001, 1]. Learnt on RuSimpleSentEval dev, so for Russian.
    """

    name = "gain"
    range = (_FLOOR, 1.0)
    needs = frozenset({"morph", "syntax", "entities", "candidates"})

    def __init__(
        self,
        model: GainModel | None = None,
        *,
        edits: EditModel | None = None,
        frequencies: WordFrequencies | None = None,
    ) -> None:
        self._given = (model, edits)
        self._frequencies = frequencies or Wordfreq()
        self._valency: Valency | None = None

    @cached_property
    def _model(self) -> GainModel:
        return self._given[0] or GainModel.load()

    @cached_property
    def _edits(self) -> EditModel:
        return self._given[1] or EditModel.load()

    def signature(self) -> str:
        return f"gain:1:{self._frequencies.signature()}"

    def score(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        gains = self._model.gain(self.features(source, candidates, context))
        values: FloatArray = np.exp((gains - gains.max(initial=-np.inf)) / _SCALE).clip(_FLOOR, 1.0)
        return values

    def features(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        """Features of the candidates of one source, shape `[n, len(FEATURES)]`."""
        own = self._source_words(source, context)
        texts = {word for candidate in candidates for word in words_of(candidate.text)} | set(own.words)
        frequency = self._frequencies.lookup(texts)
        rows = [candidate_features(own, candidate, frequency) for candidate in candidates]
        return np.array(rows).reshape(len(candidates), len(FEATURES))

    def _source_words(self, source: str, context: Context) -> SourceWords:
        analysis = context.analyzer.analyze_one(source, ("morph", "syntax", "entities"))
        self._valency = self._valency or Valency(context.analyzer.morphology)
        words: list[str] = []
        keep: list[float] = []
        for sentence in analysis.sentences:
            tree = Tree(sentence, analysis.entities)
            shares = self._edits.keep(tree, self._valency, context.analyzer.navec)
            for token, share in zip(tree.tokens, shares.tolist(), strict=True):
                # A token may be several words here, as in кто-то.
                parts = words_of(token.text)
                words += parts
                keep += [share] * len(parts)
        return SourceWords(source, tuple(words), np.array(keep, dtype=np.float64))
