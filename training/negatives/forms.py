"""Mutations of grammar: endings that do not agree, words exchanged, and a sentence that ends though it could not."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache
from typing import Any

from wordfreq import zipf_frequency

from training.negatives.pieces import Draw, Mutated, Piece, Pieces, is_russian, with_capital_of
from training.records import WORDS

_MOST = 3
"""Words that are put into another form, at most: more of them are as easily seen as three."""
_HALF = 0.5
_CONSONANTS = frozenset("bcdfghjklmnpqrstvwxz")
_STEMS_EN = (
    *(("ies", ("y", "ie")), ("ied", ("y",)), ("ily", ("y",)), ("iest", ("y",)), ("ing", ("", "e")), ("est", ("", "e"))),
    *(("ed", ("", "e")), ("es", ("", "e")), ("ly", ("",)), ("s", ("",))),
)
"""Endings, the longest of those that a word may have first, and what its stem has in their place."""
_WRITTEN = 3.3
"""Zipf frequency (log₁₀ of how often in 10⁹ words) of a form that is a word; slips of the pen are below."""
_FUNCTION_WORD = 6.3
"""That of a word that has no forms but those in `_FORMS_EN`, nearly always; *thats* and *saids* are written, too."""
_INFLECTED = frozenset({"NOUN", "ADJF", "ADJS", "VERB", "INFN", "PRTF", "PRTS", "NPRO", "NUMR", "GRND"})
_FEWEST_KEPT = 3
"""Words that stay, at least."""
_END_MARKS = frozenset(".!?…")
_MARKED = 0.5
_OPEN = WORDS.words("open")
"""Words that hardly any sentence ends with: something has to follow."""
_OBLIQUE = frozenset({"gent", "datv", "accs", "loct"})
"""Cases that a Russian adjective has for the sake of its noun, and not as what is said of something."""
_FORMS_EN, _PREPOSITIONS_RU = WORDS.groups("other forms"), WORDS.groups("other prepositions")


def break_agreement(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With one to three words in another form, or another preposition; `None` where no word has any.

    The label is ½ for one word, ¼ for two, ⅛ for three: a reader stumbles over the first.
    """
    places = list(range(len(pieces)))
    rng.shuffle(places)
    changed: dict[int, str] = {}
    wanted = max(1, round(share * _MOST))
    for n in places:
        if len(changed) == wanted:
            break
        other = other_form(pieces.pieces[n].text, rng)
        if other:
            changed[n] = other
    if not changed:
        return None
    return Mutated(pieces.with_texts(changed), _HALF ** len(changed))


def exchange_neighbours(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With `share` of the words, at least two, exchanged with their neighbours; `None` for fewer than three words.

    The label is the share of words that stay where they were. The first word and marks keep their places.
    """
    places = [n for n in range(1, len(pieces) - 1) if _is_word(pieces.pieces[n]) and _is_word(pieces.pieces[n + 1])]
    rng.shuffle(places)
    wanted = max(1, round(share * len(pieces) / 2))
    moved: set[int] = set()
    put = list(pieces.pieces)
    for n in places:
        if len(moved) >= 2 * wanted:
            break
        if n in moved or n + 1 in moved:
            continue
        first, second = put[n], put[n + 1]
        put[n], put[n + 1] = replace(second, before=first.before), replace(first, before=second.before)
        moved |= {n, n + 1}
    text = pieces.of(put).text
    return None if text == pieces.text else Mutated(text, 1 - len(moved) / len(pieces))


def truncate(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """Without its end, from the middle of a phrase on, about `share` of the words; `None` where no phrase can be cut.

    The label is the share of its tokens that stay. The text ends behind a word that something has to follow (*of the*),
    in Russian also behind an adjective and before its noun. Elsewhere nobody could tell what is missing. The mark that
    the text ended with stands there again half of the time: good texts without one, headlines for instance, are about
    as frequent as broken ones without, so that none is taken for broken for want of it.
    """
    words = [n for n, piece in enumerate(pieces.pieces) if piece.text[:1].isalnum()]
    places = [n for n in words[_FEWEST_KEPT - 1 : -1] if _is_open(pieces.pieces[n].text, pieces.pieces[n + 1].text)]
    if not places:
        return None
    aimed = (1 - share) * len(pieces)
    last = min(places, key=lambda n: (abs(n - aimed), n))
    marked = pieces.pieces[-1].text in _END_MARKS and rng.random() < _MARKED
    kept = [*pieces.pieces[: last + 1], *pieces.pieces[len(pieces) - marked :]]
    return Mutated(pieces.of(kept).text, len(kept) / len(pieces))


def _is_open(word: str, following: str) -> bool:
    if word in _OPEN:
        return True
    if not (is_russian(word) and is_russian(following) and word.islower()):
        return False
    tag = parse(word).tag
    return tag.POS == "ADJF" and tag.case in _OBLIQUE and parse(following.lower()).tag.POS == "NOUN"


@lru_cache(maxsize=50_000)
def parse(word: str) -> Any:
    """The likeliest reading of a Russian word, by pymorphy3."""
    return _analyzer().parse(word)[0]


def readings(word: str) -> list[Any]:
    """All readings of a Russian word, the likeliest first."""
    parses: list[Any] = _analyzer().parse(word)
    return parses


@lru_cache(maxsize=1)
def _analyzer() -> Any:
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer(lang="ru")


def other_form(word: str, rng: random.Random) -> str:
    """The word in another form, with the capital that it had; empty where it has none."""
    forms = _forms(word.lower())
    return with_capital_of(word, rng.choice(forms)) if forms else ""


def _forms(word: str) -> tuple[str, ...]:
    """Other forms of a word in small letters, sorted; none of a word that has none, or is in neither language."""
    if "а" <= word[:1] <= "ё":
        return _russian(word)
    return _english(word) if word.isascii() and word.isalpha() else ()


@lru_cache(maxsize=50_000)
def _russian(word: str) -> tuple[str, ...]:
    if word in _PREPOSITIONS_RU:
        return tuple(_PREPOSITIONS_RU[word])
    likeliest = parse(word)
    if likeliest.tag.POS not in _INFLECTED or len(word) < 3:
        return ()
    # Participles are among the forms of a verb: only those of its own kind look like a slip.
    return tuple(sorted({form.word for form in likeliest.lexeme if form.tag.POS == likeliest.tag.POS} - {word}))


@lru_cache(maxsize=50_000)
def _english(word: str) -> tuple[str, ...]:
    """Forms by their endings, of which only words that people write are left: *houses* of *house*, no *thed*."""
    if word in _FORMS_EN:
        return tuple(_FORMS_EN[word])
    if len(word) < 4 or zipf_frequency(word, "en") > _FUNCTION_WORD:
        return ()
    made = {form for stem in _stems(word) for form in (stem, *_inflected(stem))}
    return tuple(sorted(form for form in made - {word} if form.isalpha() and zipf_frequency(form, "en") > _WRITTEN))


def _stems(word: str) -> set[str]:
    """What an English word may be a form of: itself, or what is left without an ending."""
    stems = {word}
    for ending, put in _STEMS_EN:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            stems |= {stem + letters for letters in put}
            # stopped, running
            doubled = len(stem) > 3 and stem[-1] == stem[-2] and ending in ("ed", "ing", "est")
            return stems | ({stem[:-1]} if doubled else set())
    return stems


def _inflected(stem: str) -> tuple[str, ...]:
    if stem[-1] == "e":
        return (*(stem + ending for ending in ("s", "d", "r", "st", "ly")), f"{stem[:-1]}ing")
    if stem[-1] == "y" and stem[-2] in _CONSONANTS:
        return (*(stem[:-1] + ending for ending in ("ies", "ied", "ier", "iest", "ily")), f"{stem}ing")
    doubled = [f"{stem}{stem[-1]}{ending}" for ending in ("ed", "ing")] if stem[-1] in _CONSONANTS else []
    return (*(stem + ending for ending in ("s", "es", "ed", "ing", "er", "est", "ly")), *doubled)


def _is_word(piece: Piece) -> bool:
    return piece.text[:1].isalnum() and piece.text.islower()
