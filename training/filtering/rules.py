"""The rules that a pair must pass, in the order of their cost, each a named pure function of the pair alone.

RuSimScore's components are computed in batches, each only for pairs that may still be kept. The rule about duplicates
needs the pairs before and comes last (`training.filtering.run`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from types import MappingProxyType

import numpy as np

from rerank.analysis import Analyzer
from rerank.encoders import create_encoder
from rerank.foreign import foreign
from rerank.frequency import create_frequencies, fold
from rerank.rank import signature
from rerank.rusim import component
from rerank.scorer import Context, Scorer
from rerank.similarity import SentenceEncoder, Vectors
from rerank.types import Candidate
from training.filtering.thresholds import FilterOptions

Texts = tuple[str, str]
"""Source and target."""
Value = str | float

CHUNK = 512
"""Pairs that are judged at once: tagging shares what texts share, and sorts by length."""

SIMILARITY: Mapping[str, float] = MappingProxyType({"laser": 0.75, "navec": 0.3})
"""Default threshold of SimS by kind of encoder: the paper's for LASER, and the value that as many pairs of RSSE dev
reach (76 %) as reach the paper's thresholds of length (77 %) and of entities (77 %)."""

_WORD = re.compile(r"\w+")
_SAME = str.maketrans({**dict.fromkeys("«»„“”‟", '"'), **dict.fromkeys("‘’‚", "'"), **dict.fromkeys("‐‑‒–—―−", "-")})
# The order of the rules is that of their cost: tokens; vectors; a tagger for both texts; for the target; a parser.
_ORDER = ("length", "readability", "similarity", "entities", "lexical", "depth")
_OF_TARGET = frozenset({"readability", "lexical", "depth"})
# What no text is below: a threshold up to there asks nothing, and the component need not be computed.
_LOWEST = MappingProxyType({"depth": 0.5, "readability": 0.5})


@dataclass(frozen=True)
class Rule:
    """A rule: `measure` gives for each pair what it found and whether the pair stays; `limit` is for the report."""

    name: str
    limit: str
    measure: Callable[[Sequence[Texts]], list[tuple[Value, bool]]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a pair: the rule that dropped it (empty: it is kept), and what that found."""

    rule: str
    value: Value | None = None


def normal(text: str) -> str:
    """What two equal texts share: NFC, lower case, ё as е, one form of quotes and of dashes, single spaces."""
    return " ".join(fold(unicodedata.normalize("NFC", text)).translate(_SAME).split())


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def _copied(limit: float, pair: Texts) -> tuple[Value, bool]:
    matcher = SequenceMatcher(None, _words(pair[0]), _words(pair[1]), autojunk=False)
    share = 1.0
    # The first two are upper bounds that cost less; most pairs are settled by them.
    for ratio in (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio):
        if (share := round(ratio(), 4)) < limit:
            break
    return share, share < limit


def _sized(least: int | None, most: int | None, pair: Texts) -> tuple[Value, bool]:
    counts = [len(_words(text)) for text in pair]
    good = all((least or 0) <= count and (most is None or count <= most) for count in counts)
    return f"{counts[0]} → {counts[1]} words", good


def _understood(language: str, pair: Texts) -> tuple[Value, bool]:
    for name, text in zip(("source", "target"), pair, strict=True):
        if reason := foreign(text, language):
            return f"{name}: {reason}", False
    return "", True


def make_rules(options: FilterOptions, language: str, scoring: Scoring | None) -> list[Rule]:
    """All rules in order, those that `options` switch off left out; without `scoring`, which is made for Russian,
    those that need no model."""
    checks: list[tuple[str, str, Callable[[Texts], tuple[Value, bool]]]] = []
    if options.min_words is not None or options.max_words is not None:
        limit = f"{options.min_words or 1} to {options.max_words or '∞'} words"
        checks.append(("words", limit, partial(_sized, options.min_words, options.max_words)))
    if options.language_check:
        checks.append(("language", language, partial(_understood, language)))
    if options.copy_limit is not None:
        checks.append(("copy", f"< {options.copy_limit:g}", partial(_copied, options.copy_limit)))
    rules = [Rule(name, limit, partial(_each, check)) for name, limit, check in checks]
    return [*rules, *(_score_rule(name, scoring) for name in scoring.used)] if scoring is not None else rules


def _each(check: Callable[[Texts], tuple[Value, bool]], pairs: Sequence[Texts]) -> list[tuple[Value, bool]]:
    return [check(pair) for pair in pairs]


def _score_rule(name: str, scoring: Scoring) -> Rule:
    limit = scoring.thresholds[name]

    def measure(pairs: Sequence[Texts]) -> list[tuple[Value, bool]]:
        return [(round(value, 4), value >= limit) for value in scoring.values(name, pairs)]

    return Rule(name, f"≥ {limit:g}", measure)


def judge(pairs: Sequence[Texts], rules: Sequence[Rule]) -> list[Verdict]:
    """A verdict on each pair; a rule sees only what those before it left."""
    verdicts = [Verdict("")] * len(pairs)
    alive = list(range(len(pairs)))
    for rule in rules:
        measured = rule.measure([pairs[i] for i in alive])
        for i, (value, good) in zip(alive, measured, strict=True):
            if not good:
                verdicts[i] = Verdict(rule.name, value)
        alive = [i for i, (_, good) in zip(alive, measured, strict=True) if good]
    return verdicts


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
        self.used = tuple(name for name, least in self.thresholds.items() if least > _LOWEST.get(name, 0.0))
        # Room for a chunk: its texts are asked for by one component after the other.
        self._analyzer = analyzer or Analyzer(cache_size=2 * CHUNK + 2)
        # The embedded encoder shares the analyser that comes with the texts, and needs no batches.
        self._ahead = None if options.encoder == "navec" else _Ahead(create_encoder(options.encoder))
        frequencies = create_frequencies(options.frequencies)
        self._scorers: dict[str, Scorer] = {
            name: component(name, variant=options.variant, frequencies=frequencies, encoder=self._ahead)
            for name in _ORDER
        }

    def signature(self) -> str:
        """Versions and settings of all six: equal signatures mean equal values."""
        return signature(self._scorers.values())

    def load(self) -> None:
        """Read all models now, so that processes forked later share them."""
        for name in self.used:
            self.values(name, [("Пушкин родился в Москве в 1799 году.", "Пушкин родился в Москве.")])

    def values(self, name: str, pairs: Sequence[Texts]) -> list[float]:
        """The component `name` of each pair, in [0, 1]."""
        scorer, context = self._scorers[name], Context(self._analyzer)
        texts = [text for pair in pairs for text in (pair[1:] if name in _OF_TARGET else pair)]
        self._analyzer.analyze(sorted(texts, key=len), sorted(scorer.needs))
        if name in _OF_TARGET:
            return list(map(float, scorer.score("", [Candidate(target) for target in texts], context)))
        if name == "similarity" and self._ahead is not None:
            self._ahead.prepare(texts)
        return [float(scorer.score(source, [Candidate(target)], context)[0]) for source, target in pairs]


class _Ahead:
    """An encoder that is given the texts of a chunk at once, and then asked for them pair by pair."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self.name, self.signature, self._encode = encoder.name, encoder.signature, encoder.encode
        self._vectors: dict[str, Vectors] = {}

    def prepare(self, texts: Sequence[str]) -> None:
        distinct = sorted(dict.fromkeys(texts), key=len)
        self._vectors = dict(zip(distinct, self._encode(distinct) if distinct else (), strict=True))

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vectors[text] for text in texts])
