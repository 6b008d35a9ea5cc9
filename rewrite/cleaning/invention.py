"""The filter of words that a weak model makes up: «ощутому», «волшебникник»."""

from __future__ import annotations

import re
from functools import lru_cache

from rerank.frequency import fold, shared_wordfreq
from rerank.morphology import Morphology
from rewrite.cleaning.context import Context, language, words

_RUSSIAN = re.compile(r"[а-яё]+", re.IGNORECASE)
_STRESS = str.maketrans("", "", "\u0300\u0301")
_JOINT = re.compile(r"[-'’]")
_SHORTEST = 4
# Words that begin alike may be of one stem.
_BEGINNING = 4
# Before a full stop after which the sentence goes on: «соц. сети».
_ABBREVIATION = re.compile(r"\b[А-ЯЁа-яё][а-яё]{2,4}(?=\.\s*[-а-яё\d,;)])")
# Of a source in another Slavic language about half of the words are in no Russian dictionary; in Russian, one in five.
_FOREIGN = 1 / 3
# Of all words that people write; rarer ones are often slips: «вгороде».
_RAREST = 1.5e-8


def invented_words(text: str, context: Context) -> bool:
    """Rejects a Russian word in small letters that neither the dictionary nor the source has, nor people write.

    Names are for the guard of facts. One that begins like an unknown word of the source may be a form of it.
    """
    if language(context.source) != "ru":
        return False
    given = set(_parts(context.source))
    said = (
        word
        for word in words(_ABBREVIATION.sub("", text.translate(_STRESS)))
        if word.islower() and not any(map(str.isdigit, word))
    )
    # Of a word with a hyphen the last part is looked up: «англо-», «северо-» are no words.
    last = (fold(_JOINT.split(word)[-1]) for word in said)
    new = [part for part in last if len(part) >= _SHORTEST and _RUSSIAN.fullmatch(part) and part not in given]
    new = [part for part in new if not is_word(part)]
    if not new:
        return False
    rare = {word for word in given if not _in_dictionary(word)}
    known = {word[:_BEGINNING] for word in rare}
    return len(rare) <= _FOREIGN * len(given) and any(part[:_BEGINNING] not in known for part in new)


def _parts(source: str) -> list[str]:
    """The Russian words of `source`, folded; those with a hyphen by their parts, and as written without it."""
    texts = (text for word in words(source.translate(_STRESS)) for text in (*_JOINT.split(word), _JOINT.sub("", word)))
    return [fold(text) for text in texts if _RUSSIAN.fullmatch(text)]


def is_word(word: str) -> bool:
    """Whether `word`, in any case, is in the dictionary or among those that people write.

    Loads the dictionary at the first call, and the list of frequencies at the first for a word that it has not.
    """
    return _in_dictionary(word) or shared_wordfreq("ru").lookup([fold(word)])[fold(word)] > _RAREST


def _in_dictionary(word: str) -> bool:
    return any(_morphology().known(form) for form in (word.lower(), fold(word)))


@lru_cache(maxsize=1)
def _morphology() -> Morphology:
    """Kept for the process, since a rule is a function and has nowhere to keep it."""
    return Morphology(cache_size=2_000)
