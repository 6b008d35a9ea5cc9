"""A word's opposite in its place: *lost* for *earned*, *after* for *before*. The pairs are in two lists by hand.

WordNet's antonyms are of one sense each (*light* and *dark*, *light* and *heavy*) and want Debian's files; a few
hundred pairs that are opposites in nearly any text do, as the encoder knows which words are like them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from training.negatives.forms import readings
from training.negatives.mutations import Draw, Mutated
from training.negatives.pieces import Pieces, is_russian, with_capital_of

__all__ = ["opposites_of", "put_opposites"]

_HERE = Path(__file__).parent
_VOWELS = frozenset("aeiou")
_ARTICLES = frozenset({"a", "an"})
_DOUBLED = frozenset("win begin sit forget forbid shut stop permit admit ban".split())
"""Verbs whose last letter is doubled before -ing."""
_BASE, _PAST, _PARTICIPLE, _WORD = "base", "past", "participle", "word"
_FORMS = ("third person", _PAST, _PARTICIPLE, "-ing")
_BEFORE_BASE = frozenset("to will would can could may might must shall should not n't did do does".split())
_BEFORE_PARTICIPLE = frozenset("is are was were be been being has have had".split())
_BEFORE_NOUN = frozenset("the a an this that his her its their my our your of in on by for with no some any".split())
_GENDERS = frozenset({"masc", "femn", "neut"})
_CASES = frozenset({"nomn", "gent", "datv", "accs", "ablt", "loct"})
_KEPT = frozenset(
    {"sing", "plur", "past", "pres", "futr", "1per", "2per", "3per", "COMP", "Supr", "impr", "actv", "pssv"}
    | {"ADJF", "ADJS", "PRTF", "PRTS", "GRND", "INFN", "VERB"}
    | _GENDERS
    | _CASES
)
"""What of a word's form its opposite takes over."""
_OF_VERBS = frozenset({"VERB", "INFN", "PRTF", "PRTS", "GRND"})


def put_opposites(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With the opposite of a word in its place, of two words where `share` is large; `None` where no word has one."""
    texts = ["", *(piece.text for piece in pieces.pieces)]
    found = {n: others for n, (before, text) in enumerate(pairwise(texts)) if (others := opposites_of(text, before))}
    if not found:
        return None
    chosen = rng.sample(sorted(found), 2 if len(found) > 2 and share > 0.8 else 1)
    put = list(pieces.pieces)
    for n in chosen:
        put[n] = replace(put[n], text=with_capital_of(put[n].text, rng.choice(found[n])))
        if n and put[n - 1].text.lower() in _ARTICLES:
            # An article of the wrong form would give the opposite away.
            fitting = "an" if put[n].text[0].lower() in _VOWELS else "a"
            put[n - 1] = replace(put[n - 1], text=with_capital_of(put[n - 1].text, fitting))
    return Mutated(pieces.of(put).text, 0.0)


def opposites_of(word: str, before: str = "") -> tuple[str, ...]:
    """Opposites of an English or Russian word in the form that it has, in small letters but for English names.

    `before`, the word before it, tells of English words whether they are verbs, and of these the past and participle.
    """
    if is_russian(word):
        return _russian(word.lower())
    rows = _english()
    found = rows.get(word) or rows.get(word.lower(), ())
    previous = before.lower()
    kinds = {_BASE, _WORD} if previous in _BEFORE_BASE else {_WORD, *_FORMS}
    kinds -= {_PAST} if previous in _BEFORE_PARTICIPLE else {_PARTICIPLE}
    if previous in _BEFORE_NOUN:
        kinds = {_WORD}
    return tuple(dict.fromkeys(other for kind, other in found if kind in kinds))


@lru_cache(maxsize=50_000)
def _russian(word: str) -> tuple[str, ...]:
    pairs = _russian_pairs()
    if word in pairs:
        return pairs[word]
    likeliest, *_ = all_readings = readings(word)
    kinds = {likeliest.tag.POS, *(("PRTS",) if likeliest.tag.POS == "ADJS" else ())}
    # *Надо* is hardly *над*, *прав* no *правый*: another reading counts only as the same part of speech.
    found = next((one for one in all_readings if one.normal_form in pairs and one.tag.POS in kinds - {"ADJS"}), None)
    if found is None:
        return ()
    asked = {grammeme for grammeme in found.tag.grammemes if grammeme in _KEPT}
    kind, made = _dictionary_pos(found.tag.POS), []
    for other in pairs[found.normal_form]:
        like = next((one for one in readings(other) if kind == one.tag.POS), None)
        # A noun has its own gender, which words around it agree with: elsewhere the gender is part of the form.
        own = asked - (_GENDERS if found.tag.POS == "NOUN" else frozenset())
        form = like.inflect(own) if like else None
        if form:
            made.append(form.word)
    return tuple(made)


def _dictionary_pos(pos: str) -> str:
    if pos in _OF_VERBS:
        return "INFN"
    return "ADJF" if pos in ("ADJS", "COMP") else pos


@lru_cache(maxsize=1)
def _russian_pairs() -> Mapping[str, tuple[str, ...]]:
    return _both_ways(tuple(line.split()) for line in _lines("ru"))


@lru_cache(maxsize=1)
def _english() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """By form its opposites, each with what form it is."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for line in _lines("en"):
        kind, one, other = line.split()
        named = (_BASE, *_FORMS) if kind == "verb" else (_WORD,) * 3
        for name, *forms in zip(named, _inflected(kind, one), _inflected(kind, other), strict=False):
            for word, instead in (forms, forms[::-1]):
                if word and instead:
                    found[word] = (*found.get(word, ()), (name, instead))
    return found


def _inflected(kind: str, entry: str) -> tuple[str, ...]:
    """Forms of an entry in a fixed order; of an adjective that has no degrees its only one."""
    forms = entry.split("/")
    if kind != "verb":
        return tuple(forms)
    base, past, participle = forms if len(forms) == 3 else (*forms, _past(forms[0]), "")[:3]
    return base, _third_person(base), past, participle or past, _ing(base)


def _ing(base: str) -> str:
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    silent = base.endswith("e") and not base.endswith("ee")
    return f"{base[:-1] if silent else base + base[-1] * (base in _DOUBLED)}ing"


def _past(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return f"{base[:-1]}ied"
    return base + base[-1] * (base in _DOUBLED) + "ed"


def _third_person(base: str) -> str:
    if base.endswith("y") and base[-2] not in _VOWELS:
        return f"{base[:-1]}ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "o")) else "s")


def _both_ways(pairs: Iterator[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for one, other in pairs:
        for word, instead in ((one, other), (other, one)):
            if instead not in found.get(word, ()):
                found[word] = (*found.get(word, ()), instead)
    return found


def _lines(language: str) -> list[str]:
    text = (_HERE / f"opposites_{language}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
