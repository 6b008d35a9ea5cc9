"""Negation: which words a text denies, and the rule that source and candidate deny the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rerank.facts.guard_words import LISTS, Facts, Word
from rerank.guard import Violation
from rerank.wordlists import denials

_VERBAL = frozenset({"VERB", "INFN", "PRTF", "PRTS", "GRND", "ADJS", "PRED"})
_PREDICATES = _VERBAL | {"ADJF", "NOUN", "COMP"}
_SKIPPED = frozenset({"не", "бы", "же", "ли", "«", '"', "“", "„", "б", "то"})
_CORRELATE = frozenset({"только", "просто", "столько", "столь"})
_BOUND = frozenset({"менее", "более", "меньше", "больше", "раньше", "позже", "позднее"})
_NEVER, _DOUBT, _CANNOT = (denials("ru", kind) for kind in ("never", "doubt", "cannot"))
_LACK = frozenset({"отсутствовать", "отсутствие"})
_CEASE = frozenset({"перестать", "переставать"})
_EXISTENCE = frozenset({"быть", "существовать", "иметь", "иметься", "наблюдаться", "отмечаться", "найти"})
_FULL = _CANNOT | {"не"}
_NONE = denials("ru", "absence")
_ASIDE = frozenset({"помимо", "наряду"})
# Verbs whose denial denies the verb after them: «не смог прийти» says that he did not come.
_AUXILIARIES = LISTS.words("auxiliaries")
# Beginnings of words that may carry a denial.
_NEGATIVE = LISTS.sequence("negative")
_CUES = denials("ru") | {"кроме"}
_REACH = 5


@dataclass(slots=True)
class Denials:
    """Denied words of one text: `denied` and `asserted` count a key (see `Word.keys`), `text` the cue with its word."""

    denied: Counter[str] = field(default_factory=Counter)
    prefixed: Counter[str] = field(default_factory=Counter)
    aside: set[str] = field(default_factory=set)
    #: Token index → keys of the denied word there.
    keys_at: dict[int, frozenset[str]] = field(default_factory=dict)
    cue_at: dict[int, str] = field(default_factory=dict)
    #: Keys of things said not to be there («нет X», «не имеет X», «отсутствие X»).
    soft: set[str] = field(default_factory=set)
    text: dict[str, str] = field(default_factory=dict)
    #: Key of a denied adjective or noun → the keys of the whole phrase («без лишних слов»).
    together: dict[str, set[str]] = field(default_factory=dict)
    cues: int = 0

    def add(self, words: Sequence[Word], position: int, cue: str) -> None:
        """Note that the word at `position` is denied by `cue`."""
        word = words[position]
        if position in self.keys_at:
            if cue == "не" and self.cue_at.get(position) in _FULL and words[position - 1].low == "не":
                # «не может не прийти»: denied twice is asserted.
                self.denied.subtract(word.keys)
                self.cue_at[position] = ""
            return
        self.keys_at[position] = word.keys
        self.cue_at[position] = cue
        for key in word.keys:
            self.denied[key] += 1
            self.text.setdefault(key, f"{cue} {word.text}")


def find_denials(words: Sequence[Word]) -> Denials:
    """What `не`, `ни`, `нет`, `без`, `кроме`, `никогда`, `вряд ли` … deny, their scopes found from left to right."""
    denials = Denials()
    for i, word in enumerate(words):
        if word.negated_keys:
            denials.keys_at[i] = word.negated_keys | word.keys
            for key in word.negated_keys:
                denials.prefixed[key] += 1
                denials.text.setdefault(key, word.text)
        if word.low in _ASIDE:
            denials.aside.update(key for position in _noun_phrase(words, i + 1) for key in words[position].keys)
        if (word.low in _CUES or word.lemma in _LACK or word.lemma in _CEASE) and not _nearly(words, i):
            denials.cues += 1
            positions = list(_scope(words, i))
            phrase = {key for position in positions for key in words[position].keys}
            for position in positions:
                denials.add(words, position, word.low)
                if len(positions) > 1 and (word.low in _NONE or _lacking(words[positions[0]])):
                    denials.together.update((key, phrase - words[position].keys) for key in words[position].keys)
                if word.low in _NONE or word.lemma in _LACK or words[position].top in {"NOUN", "ADJF"}:
                    denials.soft.update(words[position].keys)
    return denials


def _lacking(word: Word) -> bool:
    return word.top == "GRND" or bool(word.lemmas & _EXISTENCE)


def _scope(words: Sequence[Word], i: int) -> Iterator[int]:
    low = words[i].low
    if low in {"не", "ни"}:
        yield from _after_particle(words, i)
    elif low in {"нет", "нету"} or words[i].lemma in _LACK:
        yield from _absent(words, i)
    elif low in _NEVER or low in _DOUBT or low in _CANNOT or words[i].lemma in _CEASE:
        j = _first(words, i + 1, _PREDICATES if words[i].lemma in _CEASE else _VERBAL)
        if j is not None:
            yield j
    elif not (low == "кроме" and i + 1 < len(words) and words[i + 1].low == "того"):
        yield from _noun_phrase(words, i + 1)


def _nearly(words: Sequence[Word], i: int) -> bool:
    """«едва ли не», «чуть ли не» say «almost»: they deny nothing."""
    around = [word.low for word in words[max(0, i - 2) : i + 3]]
    return any(around[k : k + 3] in (["едва", "ли", "не"], ["чуть", "ли", "не"]) for k in range(len(around) - 2))


def _after_particle(words: Sequence[Word], i: int) -> Iterator[int]:
    j = i + 1
    while j < len(words) and words[j].low in _SKIPPED:
        j += 1
    if j >= len(words) or (words[j].low in _BOUND and _bounds(words, i, j)):
        return
    word = words[j]
    if word.top == "PREP":
        if words[i].low == "не":
            yield from _noun_phrase(words, j + 1)
        return
    parts = _PREDICATES if word.lemmas & _EXISTENCE else _VERBAL
    k = _first(words, j + 1, parts) if word.lemmas & _AUXILIARIES else None
    yield j if k is None else k
    if word.low in _CORRELATE:
        return
    if word.lemmas & _EXISTENCE:
        ahead = list(_missing(words, j + 1))
        yield from ahead or (_absent(words, i) if k is None else ())
    elif word.top in {"ADVB", "PRCL"} or "q:весь" in word.keys:
        k = _first(words, j + 1, _VERBAL, reach=3)
        if k is not None:
            yield k
    elif word.top == "GRND":
        yield from _noun_phrase(words, j + 1)


def _missing(words: Sequence[Word], start: int) -> Iterator[int]:
    """The noun phrase in the genitive right after «не было», «не имеет»: what is said not to be there."""
    for j in range(start, min(start + _REACH, len(words))):
        word = words[j]
        if word.top == "NOUN" and "gent" in word.cases:
            yield j
            return
        if word.top not in {"ADJF", "PRTF", "ADVB", "NPRO"}:
            return
        if word.top == "ADJF":
            yield j


def _bounds(words: Sequence[Word], i: int, j: int) -> bool:
    """Whether «не более», «тем не менее» … bound a number or link clauses rather than deny."""
    return (i > 0 and words[i - 1].low == "тем") or any(word.numeric for word in words[j + 1 : j + 4])


def _first(words: Sequence[Word], start: int, parts: frozenset[str], *, reach: int = _REACH) -> int | None:
    for j in range(start, min(start + reach, len(words))):
        if words[j].kind == "mark" and words[j].text not in {"«", '"', "»"}:
            return None
        if words[j].top in parts and words[j].keys:
            return j
    return None


def _noun_phrase(words: Sequence[Word], start: int) -> Iterator[int]:
    for j in range(start, min(start + _REACH, len(words))):
        word = words[j]
        if word.kind == "mark" and word.text not in {"«", '"'}:
            return
        if word.keys and word.top in {"NOUN", "ADJF", "PRTF"}:
            yield j
        if word.top in {"NOUN", "VERB", "INFN", "CONJ"} or word.kind in {"latin"}:
            return


def _absent(words: Sequence[Word], i: int) -> Iterator[int]:
    ahead = list(_missing(words, i + 1))
    if ahead:
        yield from ahead
        return
    for j in range(i - 1, max(-1, i - 2 * _REACH), -1):
        if words[j].kind == "mark":
            return
        placed = any(words[k].top == "PREP" for k in range(max(0, j - 2), j))
        missing = words[i].low != "не" or "gent" in words[j].cases
        if words[j].top == "NOUN" and missing and not placed:
            yield j
            return


def flipped_negation(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Words that the source asserts and the candidate denies, or the other way round."""
    was, now = source.of(find_denials), candidate.of(find_denials)
    if not (was.denied or now.denied or was.prefixed or now.prefixed):
        return
    moved_from = _elsewhere(was, candidate) or _reworded(source, candidate)
    moved_to = _elsewhere(now, source) or _reworded(candidate, source)
    for key, count in (now.denied + now.prefixed).items():
        gained = count > was.denied[key] + was.prefixed[key] and source.keys[key] > was.denied[key]
        listed = now.text[key].startswith("ни ") and now.denied.keys() & was.denied.keys()
        phrase_kept = listed or now.together.get(key, set()) & was.denied.keys()
        if (
            gained
            and not moved_from
            and not phrase_kept
            and key not in was.aside
            and not (key in now.soft and was.soft - now.soft)
        ):
            yield Violation("negation", now.text[key], f"«{now.text[key]}»: the source does not deny this")
            break
    for key, count in (was.denied + was.prefixed).items():
        asserted = candidate.keys[key] - now.denied[key] > max(0, source.keys[key] - was.denied[key])
        if now.denied[key] + now.prefixed[key] < count and asserted and not moved_to:
            if was.together.get(key, set()) & now.denied.keys():
                continue
            if (key in was.soft and now.soft - was.soft) or (
                was.text[key].startswith("ни ") and now.denied.keys() & was.denied.keys()
            ):
                continue
            yield Violation("negation", was.text[key], f"the source says «{was.text[key]}», the denial is lost")
            break


def _reworded(text: Facts, other: Facts) -> bool:
    """Whether `text` has a word of refusal, lack or hindrance that `other` lacks: it may carry the denial."""
    ours = {word.low[:5] for word in text.words if word.low.startswith(_NEGATIVE)}
    return bool(ours - {word.low[:5] for word in other.words})


def _elsewhere(denials: Denials, other: Facts) -> bool:
    """Whether some denied word does not occur in the other text at all: then the denial was put in other words."""
    return any(
        not (denials.keys_at[position] & other.keys.keys()) and denials.keys_at[position]
        for position in denials.keys_at
    )
