"""Rules on negation, modality and quantity: what the source says of a predicate must stay said of it."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.facts.extract import Facts
from rerank.facts.modality import DROPPABLE, Modalities
from rerank.facts.polarity import Denials
from rerank.facts.violation import Violation

__all__ = ["changed_modality", "changed_quantity", "dropped_sense", "flipped_negation"]

_CONDITIONS = frozenset({"когда", "случае", "при", "условии", "ли", "раз"})
_PARTLY = frozenset({"частично", "отчасти"})
_CONCESSIONS = frozenset({"хотя", "хоть", "пусть", "пускай"})
_NEGATIVE = (
    "отриц", "меша", "помеша", "препятств", "воспрепят", "отказ", "запре", "избега", "избеж", "противореч", "игнор",
    "исключ", "недоста", "лиш", "отсутств", "нехват", "невозмож", "нельзя", "перест", "прекра", "сниж", "сниз", "сдерж",
    "покину", "против", "едва", "утрат", "потер", "маловероятн", "сомнительн",
)  # fmt: skip
_UNIQUE = frozenset({"самый", "первый", "последний", "главный", "единственный", "основной", "ключевой"})
_CONDITIONAL = frozenset({"conditional"})
_FINITE = frozenset({"VERB", "PRTS", "ADJS", "PRED"})
_DOUBTS = frozenset({"uncertain", "alleged"})
# Adding these says nothing new: who did something managed to do it, and had decided to.
_FREE = frozenset({"managed", "decided", "ordered", "enabled"})
_EQUIVALENT = {
    "possible": {"uncertain", "irrealis", "enabled"}, "irrealis": {"possible", "conditional"},
    "uncertain": {"possible", "alleged"}, "alleged": {"uncertain", "possible"},
    "impossible": {"barred"}, "forbidden": {"barred"}, "barred": {"impossible", "forbidden"},
    "forced": {"necessary"}, "necessary": {"forced", "ordered"}, "intended": {"decided"},
}  # fmt: skip
_STRONG = frozenset({"part", "some", "most", "minority", "half", "all"})


def flipped_negation(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Words that the source asserts and the candidate denies, or the other way round."""
    was, now = source.denials, candidate.denials
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


def changed_modality(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Predicates that gained, lost or exchanged a modal word, and doubt where the source has none."""
    was, now = source.modalities, candidate.modalities
    yield from _gained(source, candidate)
    yield from _lost(source, candidate)
    reworded = was.uncertain - now.uncertain or ("possible" in was.kinds and "possible" not in now.kinds)
    for kind in _DOUBTS & now.kinds.keys():
        if not reworded and not _DOUBTS & was.kinds.keys():
            yield Violation("modality", now.kinds[kind], f"«{now.kinds[kind]}» is not in the source")


def _gained(source: Facts, candidate: Facts) -> Iterator[Violation]:
    was, now = source.modalities, candidate.modalities
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
    was, now = source.modalities, candidate.modalities
    for kind, keys, text in was.spans:
        known = [key for key in keys if candidate.keys[key] and (kind in _DOUBTS or _stated(candidate, key))]
        if not known or kind in DROPPABLE or any(source.keys[key] > max(1, candidate.keys[key]) for key in known):
            continue
        allowed = {kind, *_EQUIVALENT.get(kind, ())}
        if any(allowed & now.by_key.get(key, {}).keys() for key in known) or _moved(allowed, now, source):
            continue
        conceded = "даже" in source.lows and candidate.lows & _CONCESSIONS
        if kind in _CONDITIONAL and (conceded or not _unconditional(candidate, known)):
            continue
        if (kind in _DOUBTS and now.uncertain - was.uncertain) or (
            kind in {"impossible", "barred"} and any(candidate.denials.denied[key] for key in known)
        ):
            continue
        yield Violation("modality", text, f"the source says «{text}», the candidate does not")


def _stated(text: Facts, key: str) -> bool:
    """Whether a predicate stands as a statement: finite, or a noun or adjective with a finite «быть»."""
    found = [word for word in text.words if key in word.keys]
    if key.startswith("v:") or any(word.top == "ADJS" for word in found):
        return any(word.top != "INFN" for word in found)
    return any(word.low == "есть" or ("быть" in word.lemmas and word.top != "INFN") for word in text.words)


def _unconditional(candidate: Facts, keys: list[str]) -> bool:
    """Whether the candidate states the condition: as a finite predicate, with no conjunction of condition about."""
    if "conditional" in candidate.modalities.kinds or (candidate.lows & _CONDITIONS):
        return False
    return any(word.top in _FINITE and word.keys.intersection(keys) for word in candidate.words)


def _moved(kinds: set[str], marked: Modalities, other: Facts) -> bool:
    """Whether a marker of these classes governs something that the other text puts in other words."""
    return bool((marked.loose - other.modalities.loose) & kinds) or any(
        kind in kinds and not any(other.keys[key] for key in keys) for kind, keys, _ in marked.spans
    )


def changed_quantity(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Parts taken for wholes and the reverse, new superlatives, «one of» lost."""
    was, now = source.quantities, candidate.quantities
    for key, kinds in now.by_noun.items():
        before = was.by_noun.get(key, {})
        for kind, text in kinds.items():
            if kind == "all" and was.whole:
                continue
            if kind == "portion" and "most" in before:
                yield Violation("quantity", text, f"«{text}» was most of it in the source")
            if kind == "some" and was.some:
                continue
            if kind in {"part", "portion"} and source.lows & _PARTLY:
                continue
            if kind in _STRONG and kind not in before and source.keys[key] and not _wider(kind, before):
                yield Violation("quantity", text, f"«{text}» is not what the source says")
    for key, kinds in was.by_noun.items():
        if not candidate.keys[key] or source.keys[key] > max(1, candidate.keys[key]):
            continue
        after = now.by_noun.get(key, {})
        for kind, text in kinds.items():
            if kind in _STRONG and kind != "all" and not after and not _parts(source, candidate, kind):
                yield Violation("quantity", text, f"the source says «{text}», the candidate the whole")
    yield from _extremes(source, candidate)


def _parts(source: Facts, candidate: Facts, kind: str) -> bool:
    """Whether the candidate says «a part» in another place, or «50 %» for «half»."""
    half = kind == "half" and any(n.value in {0.5, 50} for n in candidate.numbers)
    return half or candidate.keys["n:часть"] > source.keys["n:часть"]


def _wider(kind: str, before: dict[str, str]) -> bool:
    """Whether the candidate says no more than the source: «многие» → «некоторые», «часть» ↔ «некоторые»."""
    weaker = {"part": {"some", "several", "many"}, "some": {"part", "several", "many"}, "many": {"most"}}
    return bool(weaker.get(kind, set()) & before.keys())


def _extremes(source: Facts, candidate: Facts) -> Iterator[Violation]:
    was, now = source.quantities, candidate.quantities
    spare = len(was.superlatives) + len(was.extremes - now.extremes)
    new = [text for stem, (text, _) in now.superlatives.items() if stem not in was.superlatives]
    if len(now.superlatives) > spare and new:
        yield Violation("quantity", new[0], f"the superlative «{new[0]}» is not in the source")
    if now.sole and not (was.sole or (was.only and not now.only)):
        yield Violation("quantity", now.sole, f"«{now.sole}» is not in the source")
    pairs = zip(candidate.words, [*candidate.words[1:], None], strict=False)
    unique = [
        (w.text, w.keys | (following.keys if following is not None and w.lemma in _UNIQUE else frozenset()))
        for w, following in pairs
        if w.superlative or w.lemma in _UNIQUE
    ]
    for text, keys in [*now.superlatives.values(), *unique]:
        if keys & was.among and not keys & now.among and not text.endswith(("ых", "их")):
            yield Violation("quantity", text, f"the source says one of the «{text}»")


def dropped_sense(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Strict: denials, modal words, quantifiers and superlatives that the candidate leaves out."""
    if candidate.denials.cues < source.denials.cues:
        yield Violation("negation", next(iter(source.denials.text.values()), ""), "a denial is dropped")
    for kind, text in source.modalities.kinds.items():
        if kind not in candidate.modalities.kinds:
            yield Violation("modality", text, f"«{text}» is dropped")
    kinds = {kind for found in candidate.quantities.by_noun.values() for kind in found}
    for found in source.quantities.by_noun.values():
        for kind, text in found.items():
            if kind not in kinds:
                yield Violation("quantity", text, f"«{text}» is dropped")
    if source.quantities.superlatives and not candidate.quantities.superlatives:
        text = next(iter(source.quantities.superlatives.values()))[0]
        yield Violation("quantity", text, f"the superlative «{text}» is dropped")
