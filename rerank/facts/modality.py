"""Modality: what a text says may, must, will or is only said to happen, and the rule that it stays so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rerank.facts.guard_words import LISTS, Facts, Word
from rerank.facts.polarity import find_denials
from rerank.guard import Violation

_CONTROLLERS = LISTS.classes("modal")
_PARENTHESES = LISTS.classes("parentheses")
_UNCERTAIN_STEMS = LISTS.sequence("uncertain")
_VERBS = frozenset({"VERB", "INFN", "PRTS", "PRTF", "GRND", "ADJS", "PRED"})
_COMPLEMENTS = frozenset({"PRTS", "ADJS"})
_GOVERNING = frozenset({"VERB", "INFN", "GRND", "ADJS", "PRTS", "PRTF", "PRED", "NOUN", "ADVB", "CONJ", "PRCL"})
_REACH = 8
# Without an infinitive these mean something else (стоить дорого, право голоса).
_AMBIGUOUS = frozenset({"следовать", "стоить", "право", "план", "решение", "обещать", "попытка", "указание"})
#: Losing these leaves what happened as it was: «вынужден был отступить» entails «отступил».
_DROPPABLE = frozenset({"forced", "managed", "decided", "ordered", "enabled"})
_SPEECH = frozenset({"чтобы", "что", "который", "когда", "если", "хотя", "потому", "поскольку"})
_CONDITIONS = frozenset({"когда", "случае", "при", "условии", "ли", "раз"})
_CONCESSIONS = frozenset({"хотя", "хоть", "пусть", "пускай"})
_CONDITIONAL = frozenset({"conditional"})
_FINITE = frozenset({"VERB", "PRTS", "ADJS", "PRED"})
_DOUBTS = frozenset({"uncertain", "alleged"})
# Adding these says nothing new: who did something managed to do it, and had decided to.
_FREE = frozenset({"managed", "decided", "ordered", "enabled"})
_EQUIVALENT = LISTS.groups("equivalent")


@dataclass(slots=True)
class Modalities:
    """Modal classes of one text, by the key of the predicate that each governs; `kinds` holds all classes found."""

    by_key: dict[str, dict[str, str]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    spans: list[tuple[str, frozenset[str], str]] = field(default_factory=list)
    #: All words that express doubt, whatever they govern.
    uncertain: set[str] = field(default_factory=set)
    #: Classes of markers whose predicate was not found.
    loose: set[str] = field(default_factory=set)

    def add(self, kind: str, keys: frozenset[str], text: str) -> None:
        """Note that a marker of class `kind` governs the predicate named by `keys`."""
        if not keys:
            return
        self.spans.append((kind, keys, text))
        for key in keys:
            self.by_key.setdefault(key, {}).setdefault(kind, text)


def find_modalities(words: Sequence[Word]) -> Modalities:
    """Modal words of a text with the predicates they govern, found from left to right."""
    modalities = Modalities()
    for i, word in enumerate(words):
        if word.kind != "word":
            continue
        if word.low.startswith(_UNCERTAIN_STEMS):
            modalities.uncertain.add(word.low)
        kind = _parenthesis(words, i)
        if kind:
            modalities.kinds.setdefault(kind, word.text)
            for j in _clause_predicates(words, i, kind):
                modalities.add(kind, words[j].keys, f"{word.text} … {words[j].text}")
            continue
        kind = _controller(words, i)
        if kind:
            kind = _negated(words, i, kind)
            governed = list(_infinitives(words, i))
            if kind == "possible" and any(w.low == "чтобы" for w in words[max(0, i - 3) : i]):
                continue  # «чтобы иметь возможность показать» is «чтобы показать»
            for j in governed:
                modalities.add(kind, words[j].keys, f"{word.text} … {words[j].text}")
            if not governed and word.lemma not in _AMBIGUOUS:
                modalities.loose.add(kind)
            if governed or word.top != "NOUN":
                modalities.kinds.setdefault(kind, word.text)
    return modalities


def _parenthesis(words: Sequence[Word], i: int) -> str:
    word = words[i]
    kind = _PARENTHESES.get(word.low, "")
    if word.low == "может" and i + 1 < len(words) and words[i + 1].low == "быть" and _comma(words, i + 2):
        return "uncertain"
    if word.low == "возможно" and (_degree(words, i) or not _set_off(words, i)):
        return ""
    if word.low in {"мол", "похоже", "видимо"} and not _comma(words, i + 1):
        return ""
    return kind


def _degree(words: Sequence[Word], i: int) -> bool:
    """«как можно скорее», «возможно больше», «максимально возможный» speak of degree, not of possibility."""
    following = words[i + 1] if i + 1 < len(words) else None
    return following is not None and (following.top == "COMP" or following.lemma in {"большой", "хороший"})


def _set_off(words: Sequence[Word], i: int) -> bool:
    before = words[i - 1] if i else None
    return before is None or before.kind == "mark" or before.top == "CONJ" or _comma(words, i + 1)


def _comma(words: Sequence[Word], i: int) -> bool:
    return i < len(words) and words[i].text == ","


def _controller(words: Sequence[Word], i: int) -> str:
    word = words[i]
    if word.low.startswith("неспособ"):
        return "impossible"
    if word.low == "хотя" or (i and words[i - 1].low == "как" and word.low == "можно") or _degree(words, i):
        return ""
    if word.top == "ADJF" or (word.low not in _CONTROLLERS and word.top not in _GOVERNING):
        return ""
    for lemma in (word.low, word.lemma, *sorted(word.lemmas)):
        if lemma in _CONTROLLERS:
            return _CONTROLLERS[lemma]
    return ""


def _negated(words: Sequence[Word], i: int, kind: str) -> str:
    before = [word.low for word in words[max(0, i - 2 if words[i].top == "NOUN" else i - 1) : i]]
    if "не" not in before and "нет" not in before:
        return kind
    return {"possible": "impossible", "necessary": "forbidden", "managed": "impossible"}.get(kind, kind)


def _infinitives(words: Sequence[Word], i: int) -> Iterator[int]:
    """Infinitives after the marker in its clause; else one shortly before it («сделать это нельзя»)."""
    seen = False
    for j in range(i + 1, min(i + 1 + _REACH * 2, len(words))):
        word = words[j]
        if word.text in {".", ";", "!", "?"} or word.lemma in _SPEECH or (seen and word.top == "VERB"):
            break
        if word.top != "INFN" and _controller(words, j):
            break
        if word.top == "INFN" and word.low != "есть":
            if seen and j - i > _REACH and words[j - 1].low not in {"и", "или", ","}:
                break
            seen = True
            yield j
            if "быть" in word.lemmas:
                yield from _complement(words, j + 1)
        elif not seen and j - i > _REACH:
            break
        if not seen and j - i >= {"NOUN": 2, "PRTF": 1}.get(words[i].top, len(words)):
            return
    if seen or words[i].top not in {"PRED", "ADJS", "PRTS", "ADVB"}:
        return
    for j in range(i - 1, max(-1, i - 6), -1):
        if words[j].text in {".", ";"} or words[j].top == "VERB":
            return
        if words[j].top == "INFN":
            yield j
            return


def _complement(words: Sequence[Word], start: int) -> Iterator[int]:
    """What «может быть», «должен быть» says of its subject: short form, else adjective or noun close by."""
    for parts in (_COMPLEMENTS, frozenset({"NOUN", "ADJF"})):
        for j in range(start, min(start + 4, len(words))):
            if words[j].kind == "mark":
                break
            if words[j].top in parts and words[j].keys:
                yield j
                return


def _clause_predicates(words: Sequence[Word], i: int, kind: str) -> Iterator[int]:
    if words[i].low in {"бы", "б"}:
        yield from _past_beside(words, i)
        return
    start = i + 2 if words[i].low == "может" else i + 1
    while start < len(words) and words[start].low in {",", "что"}:
        start += 1
    for j in range(start, min(start + _REACH, len(words))):
        word = words[j]
        if word.kind == "mark" and word.text in {",", ".", ";", "—", ")"}:
            break
        if word.top in _VERBS and word.keys and not (kind == "conditional" and word.lemmas & _CONTROLLERS.keys()):
            yield j
            return
    if kind == "conditional":
        return
    for j in range(i - 1, max(-1, i - 5), -1):
        if words[j].top in _VERBS and words[j].keys:
            yield j
            return
    # Nothing verbal near it: the marker belongs to the next word («вероятно, грузинского происхождения»).
    for j in range(start, min(start + 4, len(words))):
        if words[j].keys:
            yield j
            return


def _past_beside(words: Sequence[Word], i: int) -> Iterator[int]:
    order = [i - 1, i + 1, i - 2, i + 2, i + 3, i - 3, i + 4]
    for j in order:
        if (
            0 <= j < len(words)
            and words[j].past
            and words[j].top == "VERB"
            and not words[j].lemmas & {"хотеть", "мочь"}
        ):
            yield j
            return


def changed_modality(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Predicates that gained, lost or exchanged a modal word, and doubt where the source has none."""
    was, now = source.of(find_modalities), candidate.of(find_modalities)
    yield from _gained(source, candidate)
    yield from _lost(source, candidate)
    reworded = was.uncertain - now.uncertain or ("possible" in was.kinds and "possible" not in now.kinds)
    for kind in _DOUBTS & now.kinds.keys():
        if not reworded and not _DOUBTS & was.kinds.keys():
            yield Violation("modality", now.kinds[kind], f"«{now.kinds[kind]}» is not in the source")


def _gained(source: Facts, candidate: Facts) -> Iterator[Violation]:
    was, now = source.of(find_modalities), candidate.of(find_modalities)
    for kind, keys, text in now.spans:
        known = [key for key in keys if source.keys[key]]
        if not known or kind in _FREE or (kind in _DOUBTS and was.uncertain - now.uncertain):
            continue
        if kind == "conditional" and ("conditional" in was.kinds or source.lows & _CONDITIONS):
            continue
        allowed = {kind, *_EQUIVALENT.get(kind, ())}
        if not any(allowed & was.by_key.get(key, {}).keys() for key in known) and not _moved(allowed, was, candidate):
            yield Violation("modality", text, f"«{text}»: the source does not say so of this predicate")


def _lost(source: Facts, candidate: Facts) -> Iterator[Violation]:
    was, now = source.of(find_modalities), candidate.of(find_modalities)
    for kind, keys, text in was.spans:
        known = [key for key in keys if candidate.keys[key] and (kind in _DOUBTS or _stated(candidate, key))]
        if not known or kind in _DROPPABLE or any(source.keys[key] > max(1, candidate.keys[key]) for key in known):
            continue
        allowed = {kind, *_EQUIVALENT.get(kind, ())}
        if any(allowed & now.by_key.get(key, {}).keys() for key in known) or _moved(allowed, now, source):
            continue
        conceded = "даже" in source.lows and candidate.lows & _CONCESSIONS
        if kind in _CONDITIONAL and (conceded or not _unconditional(candidate, known)):
            continue
        if (kind in _DOUBTS and now.uncertain - was.uncertain) or (
            kind in {"impossible", "barred"} and any(candidate.of(find_denials).denied[key] for key in known)
        ):
            continue
        yield Violation("modality", text, f"the source says «{text}», the candidate does not")


def _stated(text: Facts, key: str) -> bool:
    """Whether a predicate stands as a statement: finite, or a noun or adjective with a finite «быть»."""
    matching = [word for word in text.words if key in word.keys]
    if key.startswith("v:") or any(word.top == "ADJS" for word in matching):
        return any(word.top != "INFN" for word in matching)
    return any(word.low == "есть" or ("быть" in word.lemmas and word.top != "INFN") for word in text.words)


def _unconditional(candidate: Facts, keys: list[str]) -> bool:
    """Whether the candidate states the condition: as a finite predicate, with no conjunction of condition about."""
    if "conditional" in candidate.of(find_modalities).kinds or (candidate.lows & _CONDITIONS):
        return False
    return any(word.top in _FINITE and word.keys.intersection(keys) for word in candidate.words)


def _moved(kinds: set[str], marked: Modalities, other: Facts) -> bool:
    """Whether a marker of these classes governs something that the other text puts in other words."""
    return bool((marked.loose - other.of(find_modalities).loose) & kinds) or any(
        kind in kinds and not any(other.keys[key] for key in keys) for kind, keys, _ in marked.spans
    )
