"""Phrases that lost the word they hang on, and words of order: whose words, far from what, before what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rerank.facts.limits import Phrases
from rerank.facts.words import LISTS, Facts, Word
from rerank.guard import Violation

_ADJECTIVES = frozenset({"ADJF", "PRTF"})
_SPEECH = LISTS.words("speech")
_ORDER = LISTS.classes("order")
_SINGLE = frozenset({"раньше", "ранее", "позже", "позднее"})
# Other words that may say the same of what comes first.
_SAME = {
    "before": Phrases("раньше|ранее|прежде|до|перед|накануне|предшеств*|опере*|заранее|сначала|первым|первой"),
    "after": Phrases("позже|позднее|после|спустя|вслед|затем|потом|опозд*|следу*|через|уже|лишь|только|вторым|второй"),
}
_FROM = LISTS.words("hung on от")
_NAMING = _ADJECTIVES | {"NOUN", "NPRO"}


def _noun_after(words: Sequence[Word], i: int) -> Word | None:
    """The noun that a preposition at `i` governs, with two adjectives between at most."""
    following = words[i + 1 : i + 4]
    noun = next((word for word in following if word.top not in _ADJECTIVES), None)
    return noun if noun is not None and noun.top == "NOUN" else None


def changed_phrases(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Phrases of the candidate that hang on nothing, or on what the source does not hang them on."""
    yield from _nobody(source, candidate)
    yield from _from(source, candidate)
    yield from _order(source, candidate)


def _nobody(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """«По словам, …»: nobody's words."""
    for low in candidate.of(_bare):
        pairs = pairwise(source.words)
        known = any(w.low[:6] == low[:6] and following.top not in _NAMING for w, following in pairs)
        if not known:
            yield Violation("entity", f"по {low}", f"«по {low}»: whose, the candidate does not say")


def _bare(words: Sequence[Word]) -> list[str]:
    """Words such as «словам» after «по» with nobody after them."""
    found = []
    for i in range(1, len(words) - 1):
        if words[i].low in _SPEECH and words[i - 1].low == "по":
            following = words[i + 1]
            more = words[i + 2] if i + 2 < len(words) else following
            apposed = following.text == "," and (
                more.low.endswith(("ым", "им", "ому", "ему", "ой")) or "который" in more.lemmas
            )
            if (following.text in {",", "."} and not apposed) or following.top == "VERB":
                found.append(words[i].low)
    return found


def _from(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """«на другом от Нарвы берегу» for «на противоположном от Нарвы берегу»: the new word takes no «от»."""
    given = {key: lemma for lemma, keys in source.of(_governors) for key in keys}
    for lemma, keys in candidate.of(_governors):
        hung = {given[key] for key in keys if key in given}
        if hung and lemma not in hung and hung & _FROM and lemma not in _FROM:
            yield Violation("entity", lemma, f"«{lemma}» takes no «от»")


def _governors(words: Sequence[Word]) -> list[tuple[str, frozenset[str]]]:
    """What «от X» hangs on, with the keys of X."""
    found = []
    for i in range(1, len(words) - 2):
        if words[i].low == "от" and (words[i - 1].top in _ADJECTIVES or "другой" in words[i - 1].lemmas):
            noun = _noun_after(words, i)
            if noun is not None:
                found.append((words[i - 1].lemma, noun.keys))
    return found


def _order(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """«раньше Мейера» may not become «позже Мейера», nor lose its «раньше»; «до еды» not become «после еды»."""
    was, now = source.of(_ordered), candidate.of(_ordered)
    for key, (side, low) in was.items():
        other = now.get(key)
        if other is not None and other[0] != side:
            yield Violation("date", low, f"the source says «{low}», the candidate «{other[1]}»")
            return
        if low in _SINGLE and candidate.keys[key] and not _SAME[side].starts(candidate.words):
            yield Violation("date", low, f"the source says «{low}», the candidate does not")
            return


def _order_ends(order: Word, other: Word) -> bool:
    """Whether what «раньше» stands before is over: at a verb, at «ранее внесённые», «позже известный как»."""
    genitive = other.low.endswith(("ого", "его", "ой", "ей", "ых", "их"))
    agreeing = other.top in _ADJECTIVES and (not genitive or other.top == "PRTF")
    return other.top in {"VERB", "INFN", "GRND"} or (order.low in _SINGLE and agreeing)


def _ordered(words: Sequence[Word]) -> dict[str, tuple[str, str]]:
    """Keys of the noun, name or verb after a word of order, with its side and itself."""
    found: dict[str, tuple[str, str]] = {}
    for i, word in enumerate(words):
        side = _ORDER.get(word.low)
        if side is None or (i and words[i - 1].low == "не"):
            continue
        # «раньше, чем пришёл», «до того, как пришёл».
        clause = any(w.low == "чем" or (w.low == "как" and v.text == ",") for v, w in pairwise(words[i : i + 4]))
        for other in words[i + 1 : i + 6]:
            if other.text in {".", ";"} or other.numeric or (not clause and _order_ends(word, other)):
                break
            if other.keys and (other.top == "NOUN" or (other.top == "VERB" and clause)):
                if clause or word.low not in _SINGLE or "gent" in other.cases:
                    found.update((key, (side, word.low)) for key in other.keys)
                break
    return found
