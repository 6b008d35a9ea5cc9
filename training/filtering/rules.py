"""The rules that a pair must pass, in the order of their cost, each a named pure function of the pair alone.

The rule about duplicates is not here: it needs the pairs before (`training.filtering.reading`).

Of the language of a text can be told: another script, letters that the language does not have, and, where the words are
common enough to be listed in `wordfreq`, a neighbouring language of the same script. A text of a few names, or a clumsy
translation, passes.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache, partial

from rerank.errors import UnknownName
from rerank.frequency import fold
from rerank.workers import Work
from training.filtering.options import FilterOptions
from training.filtering.scores import Scoring, Texts

__all__ = ["Verdict", "filter_work", "foreign", "judge", "make_rules", "pack_texts", "shared_words", "unpack_verdicts"]

# Half: encyclopaedias name things in Latin letters within Russian sentences.
_LEAST_SCRIPT = 0.5
# A quarter of the words: a Ukrainian name in a Russian sentence is no Ukrainian sentence.
_MOST_STRANGE = 0.25
# Powers of ten by which the words must be commoner in another language, on average.
_MARGIN = 0.7
_UNLISTED = -8.0
_LEAST_WORDS = 4

_WORD_OF_LETTERS = re.compile(r"[^\W\d_]+")
_ROMAN = re.compile(r"[IVXLCDM]+")
_SCRIPTS = {"ru": re.compile(r"[\u0400-\u052f]"), "en": re.compile(r"[A-Za-z\u00c0-\u024f]")}
_STRANGE = {"ru": re.compile(r"[^\W\d_а-яёА-ЯЁA-Za-z]"), "en": re.compile(r"[^\W\d_A-Za-z\u00c0-\u024f]")}
_NAMES = {"ru": "Cyrillic", "en": "Latin"}
_RIVALS = {
    "ru": {"uk": "Ukrainian", "bg": "Bulgarian", "mk": "Macedonian"},
    "en": {"de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch"},
}
LANGUAGES = tuple(_RIVALS)
_WORD = re.compile(r"\w+")
# Above this, the order of words is not looked at: matching takes the square of the length.
_MOST_MATCHED = 500
Value = str | float


def foreign(text: str, language: str) -> str:
    """Why `text` is not in `language` (one of `LANGUAGES`), or an empty string where nothing speaks against it."""
    if language not in LANGUAGES:
        raise UnknownName(f"Unknown language {language!r}.", hint=f"Known: {', '.join(LANGUAGES)}.")
    words = [word for word in _WORD_OF_LETTERS.findall(text) if not _ROMAN.fullmatch(word)]
    letters = sum(map(len, words))
    of_script = len(_SCRIPTS[language].findall(text))
    if of_script == 0:
        return f"no {_NAMES[language]} letters"
    if of_script < _LEAST_SCRIPT * letters:
        return f"{of_script} of {letters} letters are {_NAMES[language]}"
    strange = sum(1 for word in words if _STRANGE[language].search(word))
    if strange > max(1, _MOST_STRANGE * len(words)):
        return f"{strange} of {len(words)} words have letters that the language lacks"
    return _neighbour(words, language)


def _neighbour(words: list[str], language: str) -> str:
    """The language in which the words are clearly commoner, as `it reads as …`."""
    # Each word once: a song repeats itself.
    folded = sorted({fold(word) for word in words})
    if len(folded) < _LEAST_WORDS:
        return ""
    home = _commonness(folded, language)
    values = {name: _commonness(folded, code) for code, name in _RIVALS[language].items()}
    best = max(values, key=lambda name: values[name])
    return f"it reads as {best}" if values[best] > home + _MARGIN else ""


def _commonness(words: list[str], language: str) -> float:
    """Mean log₁₀ of the words' shares in the language's corpus, 10⁻⁸ for a word that is not listed."""
    known = _list(language)
    return sum(known.get(word, _UNLISTED) for word in words) / len(words)


@lru_cache(maxsize=8)
def _list(language: str) -> Mapping[str, float]:
    from wordfreq import get_frequency_dict

    shares: dict[str, float] = {}
    for word, share in get_frequency_dict(language, "small").items():
        folded = fold(word)
        shares[folded] = max(shares.get(folded, _UNLISTED), math.log10(share))
    return shares


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
