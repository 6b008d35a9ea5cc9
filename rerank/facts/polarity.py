"""Negation: which words a text denies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rerank.facts.words import Word

__all__ = ["CUES", "Denials", "find_denials"]

_VERBAL = frozenset({"VERB", "INFN", "PRTF", "PRTS", "GRND", "ADJS", "PRED"})
_PREDICATES = _VERBAL | {"ADJF", "NOUN", "COMP"}
_SKIPPED = frozenset({"бы", "же", "ли", "«", '"', "“", "„", "было", "б", "то"})
_CORRELATE = frozenset({"только", "просто", "столько", "столь"})
_BOUND = frozenset({"менее", "более", "меньше", "больше", "раньше", "позже", "позднее"})
_NEVER = frozenset({"никогда", "никто", "ничто", "никакой", "нигде", "никуда", "ничуть", "нисколько", "отнюдь"})
_DOUBT = frozenset({"вряд", "едва", "навряд"})
# Verbs whose denial denies the verb after them: «не смог прийти» says that he did not come.
_AUXILIARIES = frozenset(
    "быть мочь смочь суметь удаться удаваться успеть стать хотеть захотеть начать собираться планировать должный "
    "пытаться решиться намеренный намерен должен являться становиться оказаться считаться иметь пожелать"
    .split()
)
CUES = frozenset({"не", "ни", "нет", "нету", "без", "безо", "кроме"}) | _NEVER | _DOUBT
_REACH = 5


class Denials:
    """Denied words of one text: `denied` and `asserted` count a key (see `Word.keys`), `text` the cue with its word."""

    __slots__ = ("cues", "denied", "positions", "text")

    def __init__(self) -> None:
        self.denied: Counter[str] = Counter()
        self.positions: set[int] = set()
        self.text: dict[str, str] = {}
        self.cues = 0

    def add(self, words: Sequence[Word], position: int, cue: str) -> None:
        """Note that the word at `position` is denied by `cue`."""
        if position in self.positions:
            return
        self.positions.add(position)
        word = words[position]
        for key in word.keys | word.negated_keys:
            self.denied[key] += 1
            self.text.setdefault(key, f"{cue} {word.text}")


def find_denials(words: Sequence[Word]) -> Denials:
    """Everything that `не`, `ни`, `нет`, `без`, `кроме`, `никогда`, `вряд ли` … deny, scopes found from left to right."""
    found = Denials()
    for i, word in enumerate(words):
        if word.negated_keys:
            for key in word.negated_keys:
                found.denied[key] += 1
                found.text.setdefault(key, word.text)
        if word.low in CUES:
            found.cues += 1
            for position in _scope(words, i):
                found.add(words, position, word.low)
    return found


def _scope(words: Sequence[Word], i: int) -> Iterator[int]:
    low = words[i].low
    if low in {"не", "ни"}:
        yield from _after_particle(words, i)
    elif low in {"нет", "нету"}:
        yield from _absent(words, i)
    elif low in _NEVER or low in _DOUBT:
        j = _first(words, i + 1, _VERBAL)
        if j is not None:
            yield j
    elif not (low == "кроме" and i + 1 < len(words) and words[i + 1].low == "того"):
        yield from _noun_phrase(words, i + 1)


def _after_particle(words: Sequence[Word], i: int) -> Iterator[int]:
    j = i + 1
    while j < len(words) and words[j].low in _SKIPPED:
        j += 1
    if j >= len(words) or (words[j].low in _BOUND and j + 1 < len(words) and words[j + 1].numeric):
        return
    word = words[j]
    yield j
    if word.low in _CORRELATE:
        return
    if word.lemmas & _AUXILIARIES:
        k = _first(words, j + 1, _PREDICATES if "быть" in word.lemmas else _VERBAL)
        if k is not None:
            yield k
    elif word.top in {"ADVB", "PRCL"} or "q:весь" in word.keys:
        k = _first(words, j + 1, _VERBAL, reach=3)
        if k is not None:
            yield k
    elif word.top == "GRND":
        yield from _noun_phrase(words, j + 1)


def _first(words: Sequence[Word], start: int, parts: frozenset[str], *, reach: int = _REACH) -> int | None:
    for j in range(start, min(start + reach, len(words))):
        if words[j].kind == "mark" and words[j].text not in {"«", '"', "»"}:
            return None
        if words[j].top in parts:
            return j
    return None


def _noun_phrase(words: Sequence[Word], start: int) -> Iterator[int]:
    for j in range(start, min(start + _REACH, len(words))):
        word = words[j]
        if word.kind == "mark" and word.text not in {"«", '"'}:
            return
        if word.keys and word.top in {"NOUN", "ADJF", "PRTF"}:
            yield j
        if word.top == "NOUN" or word.kind in {"latin"}:
            return


def _absent(words: Sequence[Word], i: int) -> Iterator[int]:
    ahead = list(_noun_phrase(words, i + 1))
    if ahead:
        yield from ahead
        return
    for j in range(i - 1, max(-1, i - _REACH), -1):
        if words[j].kind == "mark":
            return
        if words[j].top == "NOUN":
            yield j
            return
