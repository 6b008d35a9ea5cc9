"""Rules on what a word ranges over or hangs on.

A first or greatest of its kind, words that belong to one of several things, phrases that lost the word they hang on,
and words of order: whose words, far from what, before what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rerank.facts.guard_words import LISTS, Facts, Word
from rerank.facts.quantity import is_most
from rerank.guard import Violation
from rerank.limits import Phrases

_MARKERS = frozenset({"наиболее", "наименее"})
_ADJECTIVES = frozenset({"ADJF", "PRTF"})
# Before these «первый» counts or is part of an idiom.
_IDIOMS = LISTS.words("firsts of idioms")
# Adjectives that narrow nothing: «первое известное описание».
_IDLE = frozenset({"известный", "настоящий", "новый", "большой", "крупный", "собственный", "род", "вид", "страна"})
_RANGING = frozenset({"в", "во", "на", "из", "среди", "за", "между", "по", "у"})
_NOW = frozenset({"n:момент", "n:день", "n:год", "n:время", "n:век", "n:качество"})
_ENDS = frozenset({"VERB", "CONJ", "GRND", "PRTS", "INFN", "ADJS", "PRTF"})
_BELONGING = frozenset({"с", "со", "без", "для", "от"})
_JOINTS = frozenset({",", "и", "или"})
# Nouns of doing and counting: with the verb or the bare noun in their place nothing is lost.
_IDLE_ENDS = ("ние", "тие", "ция", "ство", "ряд", "объем", "объём", "вид", "страна", "вариант", "число")
_REACH = 10
_SPEECH = LISTS.words("speech")
_ORDER = LISTS.classes("order")
_SINGLE = frozenset({"раньше", "ранее", "позже", "позднее"})
# Other words that may say the same of what comes first.
_SAME = {
    "before": Phrases("раньше|ранее|прежде|до|перед|накануне|предшеств*|опере*|заранее|сначала|первым|первой"),
    "after": Phrases("позже|позднее|после|спустя|вслед|затем|потом|опозд*|следу*|через|уже|лишь|только|вторым|второй"),
}
_NAMING = _ADJECTIVES | {"NOUN", "NPRO"}

# Keys of the words of one phrase.
_Phrase = list[frozenset[str]]


@dataclass(slots=True)
class _Best:
    """A first or greatest: its grade, its noun, and the phrases that say among what: adjectives, genitives, «в …»."""

    grade: str
    text: str
    head: frozenset[str] = frozenset()
    phrases: list[_Phrase] = field(default_factory=list)
    #: Whether a clause follows that may say so too.
    has_clause: bool = False


def changed_scope(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Firsts and superlatives that lost what makes them true; list members that took over what a lost one had."""
    yield from _widened(source, candidate)
    yield from _moved(source, candidate)
    yield from _loose(source, candidate)


def _widened(source: Facts, candidate: Facts) -> Iterator[Violation]:
    now = candidate.of(_bests)
    for best in source.of(_bests):
        for other in now:
            if best.grade != other.grade or (best.head and other.head and not best.head & other.head):
                continue
            if any(not keys & source.keys.keys() for phrase in other.phrases for keys in phrase):
                continue  # said in other words
            if not other.has_clause and any(_lost(phrase, candidate) for phrase in best.phrases):
                yield Violation("quantity", best.text, f"the candidate leaves out among what it is «{best.text}»")
                return


def _lost(phrase: _Phrase, text: Facts) -> bool:
    kept = sum(bool(keys & text.keys.keys()) for keys in phrase)
    return kept < len(phrase) / 2


def _bests(words: Sequence[Word]) -> list[_Best]:
    bests = (_best(words, i) for i in range(len(words) - 1))
    return [best for best in bests if best is not None]


def _best(words: Sequence[Word], i: int) -> _Best | None:
    word = words[i]
    marked = word.lemma in _MARKERS or is_most(word)
    if not (marked or word.superlative or word.lemma == "первый"):
        return None
    graded = i + 1 if marked else i
    # Of several firsts it is not said that nothing else is one.
    if words[graded].top not in _ADJECTIVES or words[graded].low.endswith(("ых", "их", "ые", "ие")):
        return None
    best = _Best(words[graded].stem, f"{word.text} {words[i + 1].text}")
    _gather(best, words, graded + 1)
    named = any(word.lemma in _IDIOMS for word in words[graded + 1 : graded + 2])
    return None if named else best


def _gather(best: _Best, words: Sequence[Word], start: int) -> None:
    """Find the noun of `best`, and the phrases around it, up to a mark or a verb."""
    placed: _Phrase | None = None
    first = best.grade == "перв"
    for j in range(start, min(start + _REACH, len(words))):
        word = words[j]
        if word.top in _ENDS or word.kind == "mark":
            best.has_clause = any("который" in other.lemmas for other in words[j : j + 3]) or word.top == "PRTF"
            break
        if word.top == "PREP":
            if word.low not in _RANGING:
                break
            placed = []
            best.phrases.append(placed)
        elif word.pronoun:
            continue
        elif placed is not None and word.keys:
            placed.append(word.keys)
            if word.top == "NOUN" and not best.head:
                placed = None
        elif word.top == "NOUN" and not best.head:
            best.head = word.keys
        elif _narrows(word) and (word.top == "NOUN" or (first and not best.head)):
            best.phrases.append([word.keys])
    best.phrases = [phrase for phrase in best.phrases if phrase and not phrase[0] & _NOW]


def _narrows(word: Word) -> bool:
    """Whether a noun or adjective says among what: not «известный», not what is done («задача создания»)."""
    named = word.top in {"NOUN", "ADJF"} and word.lemma not in _IDLE and not word.lemma.endswith(("ание", "ение"))
    return named and bool(word.keys)


def _moved(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """«больным с недостаточностью» gone, «детям с недостаточностью» new: what belonged to one has come to another."""
    was = dict(source.of(_belongings))
    for phrase, head in candidate.of(_belongings) if was else ():
        before = was.get(phrase)
        if before is None or before.keys & head.keys or before.keys & candidate.keys.keys():
            continue
        if _listed(source.words, before, head):
            yield Violation("entity", head.text, f"«{' '.join(phrase)}» belongs to «{before.text}» in the source")
            return


def _listed(words: Sequence[Word], first: Word, second: Word) -> bool:
    """Whether two nouns are members of one list: a comma or «и», and no verb, stands between them."""
    places = [i for i, word in enumerate(words) if word.keys & (first.keys | second.keys)]
    for left, right in pairwise(places):
        between = words[left + 1 : right]
        joined = any(word.text in {",", "и", "или"} for word in between)
        if joined and len(between) < _REACH and not any(word.top in _ENDS - {"CONJ"} for word in between):
            return True
    return False


def _belongings(words: Sequence[Word]) -> list[tuple[tuple[str, str], Word]]:
    """A preposition and its noun, with the noun right before."""
    belongings = []
    for i in range(1, len(words) - 1):
        if words[i].low in _BELONGING and words[i - 1].top == "NOUN":
            noun = _noun_after(words, i)
            if noun is not None:
                belongings.append(((words[i].low, noun.lemma), words[i - 1]))
    return belongings


def _noun_after(words: Sequence[Word], i: int) -> Word | None:
    """The noun that a preposition at `i` governs, with two adjectives between at most."""
    following = words[i + 1 : i + 4]
    noun = next((word for word in following if word.top not in _ADJECTIVES), None)
    return noun if noun is not None and noun.top == "NOUN" else None


def _loose(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """«детям, с недостаточностью и лицам»: a list member of which only what belonged to it is left."""
    was = {(link, noun.low): head for link, noun, head, before, _ in source.of(_hanging) if before in _JOINTS}
    for link, noun, joint, _, after in candidate.of(_hanging) if was else ():
        head = was.get((link, noun.low))
        if head is None or head.top not in {"NOUN", "ADJF"} or joint.low not in _JOINTS or after not in _JOINTS | {"."}:
            continue
        if not head.keys & candidate.keys.keys() and not head.lemma.endswith(_IDLE_ENDS):
            yield Violation("entity", noun.text, f"«{noun.text}» belongs to «{head.text}» in the source")
            return


def _hanging(words: Sequence[Word]) -> list[tuple[str, Word, Word, str, str]]:
    """Nouns after «с», «без», «для» and in the genitive: the words before up to the preposition, the noun, the word
    before these, and the neighbours of the whole."""
    nouns = []
    for j, noun in enumerate(words):
        if noun.top != "NOUN":
            continue
        i = j - 1
        while i > 0 and j - i < 4 and (words[i].top in _ADJECTIVES or words[i].numeric):
            i -= 1
        k = i - (words[i].low in _BELONGING)
        if k >= 0 and i >= 0 and (k < i or noun.cases == {"gent"}):
            link = " ".join(word.low for word in words[k + 1 : j])
            before, after = words[k - 1].low if k else ".", words[j + 1].low if j + 1 < len(words) else "."
            nouns.append((link, noun, words[k], before, after))
    return nouns


def changed_phrases(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Phrases of the candidate that hang on nothing, and words of order that the source has otherwise."""
    yield from _nobody(source, candidate)
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
    bare = []
    for i in range(1, len(words) - 1):
        if words[i].low in _SPEECH and words[i - 1].low == "по":
            following = words[i + 1]
            more = words[i + 2] if i + 2 < len(words) else following
            apposed = following.text == "," and (
                more.low.endswith(("ым", "им", "ому", "ему", "ой")) or "который" in more.lemmas
            )
            if (following.text in {",", "."} and not apposed) or following.top == "VERB":
                bare.append(words[i].low)
    return bare


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
    ordered: dict[str, tuple[str, str]] = {}
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
                    ordered.update((key, (side, word.low)) for key in other.keys)
                break
    return ordered
