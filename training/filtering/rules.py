"""The rules that a pair must pass, in the order of their cost, each a named pure function of the pair alone.

The rule about duplicates is not here: it needs the pairs before (`training.filtering.reading`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial

from rerank.foreign import foreign
from rerank.frequency import fold
from rerank.workers import Work
from training.filtering.options import FilterOptions
from training.filtering.scores import Scoring, Texts

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
    for name in scoring.used if scoring is not None else ():
        rules.append(_score_rule(name, scoring))
    return rules


def _score_rule(name: str, scoring: Scoring | None) -> Rule:
    assert scoring is not None
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
