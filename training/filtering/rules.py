"""The rules that a pair must pass, in the order of their cost, each a named pure function of the pair alone.

The rule about duplicates is not here: it needs the pairs before (`training.filtering.reading`). RuSimScore's
components are computed in batches, each only for pairs that may still be kept.
"""

from __future__ import annotations

import json
import re
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
from rerank.workers import Work
from training.filtering.thresholds import FilterOptions

_WORD = re.compile(r"\w+")
# Above this, the order of words is not looked at: matching takes the square of the length.
_MOST_MATCHED = 500
Value = str | float


@dataclass(frozen=True)
class Rule:
    """A rule: `measure` gives for each pair what it found and whether the pair stays; `limit` is for the report."""

    name: str
    limit: str
    measure: Callable[[Sequence[Texts]], list[tuple[Value, bool]]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a pair: the rule that dropped it (empty: it is kept), what that found, scores if asked for."""

    rule: str
    value: Value | None = None
    scores: dict[str, float] | None = None


def shared_words(source: str, target: str) -> float:
    """2m/(a + b) for m words in common, in order, of texts of a and b words; case, ё and punctuation do not count.

    In [0, 1]; 1 for texts without a word on either side.
    """
    left, right = _words(source), _words(target)
    if left == right:
        return 1.0
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return matcher.quick_ratio() if len(left) + len(right) > _MOST_MATCHED else matcher.ratio()


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def _copied(limit: float, pair: Texts) -> tuple[Value, bool]:
    a, b = len(_words(pair[0])), len(_words(pair[1]))
    # What the lengths alone allow; most pairs are settled by it.
    if a + b and 2 * min(a, b) / (a + b) < limit:
        return 0.0, True
    share = round(shared_words(*pair), 4)
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


def _each(check: Callable[[Texts], tuple[Value, bool]]) -> Callable[[Sequence[Texts]], list[tuple[Value, bool]]]:
    return lambda pairs: [check(pair) for pair in pairs]


def text_rules(options: FilterOptions, language: str) -> list[Rule]:
    """The rules that need no model, those that `options` switch off left out."""
    rules = []
    if options.min_words is not None or options.max_words is not None:
        limit = f"{options.min_words or 1} to {options.max_words or '∞'} words"
        rules.append(Rule("words", limit, _each(partial(_sized, options.min_words, options.max_words))))
    if options.language_check:
        rules.append(Rule("language", language, _each(partial(_understood, language))))
    if options.copy_limit is not None:
        rules.append(Rule("copy", f"< {options.copy_limit:g}", _each(partial(_copied, options.copy_limit))))
    return rules


def make_rules(options: FilterOptions, language: str, scoring: Scoring | None) -> list[Rule]:
    """All rules in order; `scoring` is `None` for a language that RuSimScore is not made for."""
    rules = text_rules(options, language)
    return [*rules, *(_score_rule(name, scoring) for name in scoring.used)] if scoring is not None else rules


def _score_rule(name: str, scoring: Scoring) -> Rule:
    limit = scoring.thresholds[name]

    def measure(pairs: Sequence[Texts]) -> list[tuple[Value, bool]]:
        return [(round(value, 4), value >= limit) for value in scoring.values(name, pairs)]

    return Rule(name, f"≥ {limit:g}", measure)


def judge(pairs: Sequence[Texts], rules: Sequence[Rule], scoring: Scoring | None) -> list[Verdict]:
    """A verdict on each pair; a rule sees only what those before it left. With `scoring`, the kept get their scores."""
    verdicts = [Verdict("")] * len(pairs)
    alive = list(range(len(pairs)))
    for rule in rules:
        measured = rule.measure([pairs[i] for i in alive])
        for i, (value, good) in zip(alive, measured, strict=True):
            if not good:
                verdicts[i] = Verdict(rule.name, value)
        alive = [i for i, (_, good) in zip(alive, measured, strict=True) if good]
    if scoring is not None:
        for i, scores in zip(alive, scoring.table([pairs[i] for i in alive]), strict=True):
            verdicts[i] = Verdict("", scores=scores)
    return verdicts


def filter_work(rules: Sequence[Rule], scoring: Scoring | None) -> Work:
    """`judge` on chunks of packed pairs, for worker processes; `scoring` where kept pairs are to carry scores."""

    def work(chunk: bytes) -> bytes:
        pairs = [(source, target) for source, target in json.loads(chunk)]
        return json.dumps([[v.rule, v.value, v.scores] for v in judge(pairs, rules, scoring)]).encode()

    return work


def pack_texts(pairs: Sequence[Texts]) -> bytes:
    """Pairs as bytes, as `filter_work` takes them."""
    return json.dumps(pairs).encode()


def unpack_verdicts(answer: bytes) -> list[Verdict]:
    """The verdicts in an answer of `filter_work`."""
    return [Verdict(*fields) for fields in json.loads(answer)]


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
