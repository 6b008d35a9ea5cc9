"""Openers in front of parts that they do not fit: *It Arnold Stang as a clerk .*, *However in the second half .*"""

from __future__ import annotations

import random

from rewrite.splitting.words import Words
from training.whole.cutting import right_items
from training.whole.spans import clauses, lowered, render

__all__ = ["misfit", "misfit_whole", "of_which"]

_PRONOUNS = ("It", "He", "She", "They", "This", "These", "There", "The", "We")
_COPULAS = ("It is", "It was", "He was", "He is", "She was", "They were", "They are", "This is", "This was", "There is")
_ADVERBS = (
    "However ,",
    "However",
    "Then",
    "In addition ,",
    "Instead ,",
    "Therefore ,",
    "Thus",
    "Also",
    "Later",
    "But",
    "So",
)
_WITH_ADVERB = ("He also", "It also", "She then", "He then", "They also", "He later", "It has", "He had", "They have")
_BEGIN_CLAUSES = frozenset("which who whom whose where when that because although while".split())
_PERSONAL = frozenset("he she it they we i you".split())
# What *it is* or *this was* goes well with: a noun phrase, a participle, an adjective, a phrase with a preposition.
_AFTER_PRONOUN = frozenset({"PROPN", "DET", "PRON", "ADP", "NOUN", "NUM", "SCONJ", "CCONJ"})


def misfit(words: Words, rng: random.Random) -> str | None:
    """A right part behind an opener that does not make a sentence of it."""
    numbers = right_items(words, rng)
    if numbers is None:
        return None
    first = words[numbers[0]]
    form = first.feature("VerbForm") if first.pos in ("VERB", "AUX") else ""
    fits = [*_ADVERBS] if first.pos not in ("PRON",) else []
    # *They were* may go with what was tagged as a past and is a participle.
    if (form == "Fin" and first.feature("Tense") == "Pres") or (
        first.lower in _BEGIN_CLAUSES and first.lower != "that"
    ):
        fits += _COPULAS
    if first.lower in _BEGIN_CLAUSES:
        fits += [*_PRONOUNS, *_WITH_ADVERB]
    elif form in ("Part", "Ger") and first.lower.endswith("ing"):
        fits += [*_PRONOUNS, *_WITH_ADVERB[:-3]]
    elif not form and (first.pos in _AFTER_PRONOUN or first.pos == "ADJ"):
        # *The* and *this* may go with a noun, which lacks a verb all the same: nothing of a clause is in the part.
        fits += [*_PRONOUNS, *_WITH_ADVERB[:-3]]
        if first.pos in ("ADP", "SCONJ", "CCONJ"):
            fits += ["The", "It has", "He had"]
    if form == "Fin":
        fits.append("The")
    if not fits:
        return None
    opener = rng.choice(fits)
    if opener in _ADVERBS and form == "" and rng.random() < 0.3:
        return None
    return render(words, [*opener.split(), *numbers])


def misfit_whole(words: Words, rng: random.Random) -> str | None:
    """A whole sentence behind an opener that brings a subject or a verb too many: *It was he left .*"""
    everything = list(range(words.end))
    if not clauses(words, everything) or words[0].pos in ("ADP", "SCONJ", "ADV", "VERB") or words[0].is_mark:
        return None
    opener = rng.choice((*_PRONOUNS[:6], "The", *_COPULAS, *_WITH_ADVERB))
    if opener == "The" and words[0].lower not in _PERSONAL and words[0].pos != "DET":
        return None
    return render(words, [*opener.split(), lowered(words), *everything[1:]])


def of_which(words: Words, rng: random.Random) -> str | None:
    """A clause about part of what stood before it: *Some of whom died .*, *It was all of whom left .*"""
    for n in range(4, words.end - 2):
        if words[n].lower not in ("which", "whom") or words[n - 1].lower not in (
            "of",
            "with",
            "for",
            "in",
            "from",
            "by",
        ):
            continue
        start = next((k + 1 for k in range(n - 2, max(n - 7, 0), -1) if words[k].text == ","), -1)
        if start < 0:
            continue
        front = rng.choice(((), (), *(one.split() for one in (*_COPULAS, "They", "The"))))
        return render(words, [*front, *range(start, words.end)])
    return None
