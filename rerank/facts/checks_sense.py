"""Rules on negation, modality and quantity: what the source says of a predicate must stay said of it."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.facts.extract import Facts
from rerank.facts.modality import DROPPABLE, Modalities
from rerank.facts.violation import Violation

__all__ = ["changed_modality", "changed_quantity", "dropped_sense", "flipped_negation"]

_CONDITIONS = frozenset({"когда", "случае", "при", "условии", "ли", "раз"})
_STRONG = frozenset({"part", "most", "minority", "half", "all"})
_TO_NOTHING = frozenset({"all", "several", "many"})


def flipped_negation(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Words that the source asserts and the candidate denies, or the other way round."""
    was, now = source.denials, candidate.denials
    for key in now.denied:
        if now.denied[key] > was.denied[key] and source.keys[key] > was.denied[key]:
            yield Violation("negation", now.text[key], f"«{now.text[key]}»: the source does not deny this")
            break
    for key in was.denied:
        asserted = candidate.keys[key] - now.denied[key]
        if now.denied[key] < was.denied[key] and asserted > max(0, source.keys[key] - was.denied[key]):
            yield Violation("negation", was.text[key], f"the source says «{was.text[key]}», the denial is lost")
            break


def changed_modality(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Predicates that gained, lost or exchanged a modal word, and doubt where the source has none."""
    was, now = source.modalities, candidate.modalities
    yield from _gained(source, was, now)
    yield from _lost(source, candidate, was, now)
    for kind in ("uncertain", "alleged"):
        if kind in now.kinds and not was.uncertain and not {"uncertain", "alleged"} & was.kinds.keys():
            yield Violation("modality", now.kinds[kind], f"«{now.kinds[kind]}» is not in the source")


def _gained(source: Facts, was: Modalities, now: Modalities) -> Iterator[Violation]:
    for kind, keys, text in now.spans:
        known = [key for key in keys if source.keys[key]]
        if not known or kind == "managed":
            continue
        if not any(kind in was.by_key.get(key, ()) for key in known) and not _equivalent(kind, known, was):
            yield Violation("modality", text, f"«{text}»: the source does not say so of this predicate")


def _lost(source: Facts, candidate: Facts, was: Modalities, now: Modalities) -> Iterator[Violation]:
    for kind, keys, text in was.spans:
        known = [key for key in keys if candidate.keys[key]]
        if not known or kind in DROPPABLE or any(kind in now.by_key.get(key, ()) for key in known):
            continue
        if _equivalent(kind, known, now) or (kind == "conditional" and candidate.lows & _CONDITIONS):
            continue
        if kind == "impossible" and any(candidate.denials.denied[key] for key in known):
            continue
        if any(source.keys[key] > 1 for key in known):
            continue
        yield Violation("modality", text, f"the source says «{text}», the candidate states it as a fact")


def _equivalent(kind: str, keys: list[str], other: Modalities) -> bool:
    same = {"possible": {"uncertain"}, "uncertain": {"possible", "alleged"}, "alleged": {"uncertain"},
            "forced": {"necessary"}, "necessary": {"forced"}}.get(kind, set())  # fmt: skip
    return any(same & other.by_key.get(key, {}).keys() for key in keys)


def changed_quantity(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Parts taken for wholes and the reverse, new superlatives, «one of» lost."""
    was, now = source.quantities, candidate.quantities
    for key, kinds in now.by_noun.items():
        before = was.by_noun.get(key, {})
        for kind, text in kinds.items():
            if kind in _STRONG and kind not in before and source.keys[key] and not _wider(kind, before):
                yield Violation("quantity", text, f"«{text}» is not what the source says")
    for key, kinds in was.by_noun.items():
        if not candidate.keys[key] or source.keys[key] > 1:
            continue
        after = now.by_noun.get(key, {})
        for kind, text in kinds.items():
            if kind in _STRONG and kind != "all" and not after:
                yield Violation("quantity", text, f"the source says «{text}», the candidate the whole")
    yield from _superlatives(source, candidate)


def _wider(kind: str, before: dict[str, str]) -> bool:
    return kind == "part" and ("several" in before or "many" in before)


def _superlatives(source: Facts, candidate: Facts) -> Iterator[Violation]:
    was, now = source.quantities, candidate.quantities
    for stem, text in now.superlatives.items():
        if not was.superlatives and stem not in was.superlatives:
            yield Violation("quantity", text, f"the superlative «{text}» is not in the source")
    for text in now.only.values():
        if not was.only:
            yield Violation("quantity", text, f"«{text}» is not in the source")
    if not was.among or now.among:
        return
    for word in candidate.words:
        unique = word.superlative or word.lemma in {"самый", "первый", "последний", "главный", "единственный"}
        if unique and word.keys & was.among:
            yield Violation("quantity", word.text, f"the source says one of the «{word.text}»")


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
        text = next(iter(source.quantities.superlatives.values()))
        yield Violation("quantity", text, f"the superlative «{text}» is dropped")
