"""RuSimScore's components as the filter uses them: batched, each computed only for pairs that may still be kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from rerank.analysis import Analyzer
from rerank.encoders import create_encoder
from rerank.frequency import create_frequencies
from rerank.rank import signature
from rerank.rusim import component
from rerank.scorer import Context, Scorer
from rerank.similarity import SentenceEncoder, Vectors
from rerank.types import Candidate
from training.filtering.options import FilterOptions

Texts = tuple[str, str]
"""Source and target."""

CHUNK = 512
"""Pairs that are judged at once: tagging shares what texts share, and sorts by length."""

SIMILARITY: Mapping[str, float] = MappingProxyType({"laser": 0.75, "navec": 0.3})
"""Default threshold of SimS by kind of encoder: the paper's for LASER, and the value that as many pairs of RSSE dev
reach (76 %) as reach the paper's thresholds of length (77 %) and of entities (77 %)."""

# The order of the rules is that of their cost: tokens; vectors; a tagger for both texts; for the target; a parser.
_ORDER = ("length", "readability", "similarity", "entities", "lexical", "depth")
_OF_TARGET = frozenset({"readability", "lexical", "depth"})


def thresholds(options: FilterOptions) -> dict[str, float]:
    """The least value of each component, in the order in which they are applied."""
    given = options.thresholds.model_dump()
    if given["similarity"] is None:
        given["similarity"] = SIMILARITY["navec" if options.encoder == "navec" else "laser"]
    return {name: float(given[name]) for name in _ORDER}


class Scoring:
    """The six components with their thresholds.

    `used` names those that can drop a pair: not those with a threshold that every text reaches.
    """

    def __init__(self, options: FilterOptions, *, analyzer: Analyzer | None = None) -> None:
        self.thresholds = thresholds(options)
        # Room for a chunk: its texts are asked for by one component after the other.
        self._analyzer = analyzer or Analyzer(cache_size=2 * CHUNK + 2)
        self._context = Context(self._analyzer)
        # The embedded encoder shares the analyser that comes with the texts, and needs no batches.
        self._ahead = None if options.encoder == "navec" else _Ahead(create_encoder(options.encoder))
        frequencies = create_frequencies(options.frequencies)
        self._scorers: dict[str, Scorer] = {
            name: component(name, variant=options.variant, frequencies=frequencies, encoder=self._ahead)
            for name in _ORDER
        }
        self.used = tuple(name for name in _ORDER if self.thresholds[name] > _lowest(name, options.variant))

    def signature(self) -> str:
        """Versions and settings of all six: equal signatures mean equal values."""
        return signature(self._scorers.values())

    def load(self) -> None:
        """Read all models now, so that processes forked later share them."""
        pair = ("Пушкин родился в Москве в 1799 году.", "Пушкин родился в Москве.")
        for name in _ORDER:
            # The list of frequencies builds its dictionary once it was asked a dozen times.
            for i in range(16 if name == "lexical" else 1):
                self.values(name, [(pair[0], f"{pair[1]} {'слово' * i}")])

    def values(self, name: str, pairs: Sequence[Texts]) -> list[float]:
        """The component `name` of each pair, in [0, 1]."""
        scorer = self._scorers[name]
        self._analyze(name, pairs)
        if name in _OF_TARGET:
            scores = scorer.score("", [Candidate(target) for _, target in pairs], self._context)
            return [float(value) for value in scores]
        return [float(scorer.score(source, [Candidate(target)], self._context)[0]) for source, target in pairs]

    def table(self, pairs: Sequence[Texts]) -> list[dict[str, float]]:
        """All six of each pair, rounded to four places."""
        columns = [self.values(name, pairs) for name in _ORDER]
        rows = zip(*columns, strict=True) if pairs else ()
        return [{name: round(v, 4) for name, v in zip(_ORDER, row, strict=True)} for row in rows]

    def _analyze(self, name: str, pairs: Sequence[Texts]) -> None:
        texts = [text for pair in pairs for text in (pair[1:] if name in _OF_TARGET else pair)]
        self._analyzer.analyze(sorted(texts, key=len), sorted(self._scorers[name].needs))
        if name == "similarity" and self._ahead is not None:
            self._ahead.prepare(texts)


class _Ahead:
    """An encoder that is given the texts of a chunk at once, and then asked for them pair by pair."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, Vectors] = {}

    @property
    def name(self) -> str:
        return self._encoder.name

    def signature(self) -> str:
        return self._encoder.signature()

    def prepare(self, texts: Sequence[str]) -> None:
        """Encode `texts` now, those of like length together; forget the ones before."""
        distinct = sorted(dict.fromkeys(texts), key=len)
        vectors = self._encoder.encode(distinct) if distinct else ()
        self._vectors = dict(zip(distinct, vectors, strict=True))

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vectors[text] for text in texts])


def _lowest(name: str, variant: str) -> float:
    """What no text is below: a threshold up to there asks nothing, and the component need not be computed."""
    return 0.5 if name in ("depth", "readability") or (name, variant) == ("entities", "released") else 0.0
