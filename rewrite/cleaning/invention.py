"""The filter of words that a weak model makes up: «ощутому», «волшебникник»."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rerank.frequency import fold
from rewrite.cleaning.context import Context, language, words
from rewrite.cleaning.kinship import sound, spelling, stems
from rewrite.cleaning.vocabulary import is_word

__all__ = ["invented_words"]

_RUSSIAN = re.compile(r"[а-яё]+", re.IGNORECASE)
_LATIN = re.compile(r"[a-z]{3,}", re.IGNORECASE)
_STRESS = str.maketrans("", "", "\u0300\u0301")
_JOINT = re.compile(r"[-'’]")
# «ЦСКА», «ВУЗов», «кВт», «МэВ».
_ACRONYM = re.compile(r"[А-ЯЁ]{2,6}[а-яё]{0,3}|[а-яё]{1,2}[А-ЯЁ][а-яё]?|[А-ЯЁ][а-яё][А-ЯЁ]")
# Before a full stop after which the sentence goes on: «соц. сети».
_ABBREVIATION = re.compile(r"\b[А-ЯЁа-яё][а-яё]{2,4}(?=\.\s*[-а-яё\d,;)])")
_SHORTEST, _SHORTEST_LINK = 3, 4
# Of a source in another Slavic language about half of the words are in no Russian dictionary; in Russian, one in five.
_FOREIGN = 1 / 3


def invented_words(text: str, context: Context) -> str:
    """Rejects a Russian word that neither the dictionary nor the source has, nor anything from which it could come."""
    if language(context.source) != "ru":
        return ""
    source = context.source.translate(_STRESS)
    there = set(map(spelling, _own(source)))
    parts = _parts(_ABBREVIATION.sub("", text.translate(_STRESS)))
    new = [part for part in parts if spelling(part) not in there and not is_word(part)]
    invented = next(_unrelated(new, source), "") if new else ""
    return f"invented words: {invented}" if invented else ""


def _own(source: str) -> set[str]:
    """The Russian words of `source`; those with a hyphen by their parts, and as they are written without it."""
    joined = (_JOINT.sub("", word) for word in words(source))
    return {fold(word) for word in (*_RUSSIAN.findall(source), *filter(_RUSSIAN.fullmatch, joined))}


def _parts(text: str) -> Iterator[str]:
    """The Russian words of `text` to look up; of one with a hyphen that is no word as a whole, its parts."""
    for word in words(text):
        parts = _JOINT.split(word)
        if any(map(str.isdigit, word)) or (len(parts) > 1 and is_word(word)):
            continue
        for place, part in enumerate(parts, start=1):
            # «англо-», «северо-»
            link = place < len(parts) and part[-1] in "ое" and len(part) >= _SHORTEST_LINK
            if len(part) >= _SHORTEST and not link and _RUSSIAN.fullmatch(part) and not _ACRONYM.fullmatch(part):
                yield part


def _unrelated(new: Sequence[str], source: str) -> Iterator[str]:
    """Those of the unknown words `new` that have no kin among the rare words and foreign names of the source.

    A common word of the source is no excuse: all of its forms are in the dictionary. None where the source has so many
    unknown words that it must be in another language.
    """
    own = _own(source)
    rare = {word for word in own if len(word) >= _SHORTEST and not is_word(word)}
    if len(rare) > _FOREIGN * len(own):
        return
    kin = set().union(*map(stems, rare))
    sounds = {sound(word) for word in _LATIN.findall(source)} - {""}
    for word in new:
        own_stems = stems(word)
        if own_stems.isdisjoint(kin) and sounds.isdisjoint(map(sound, own_stems)):
            yield word
