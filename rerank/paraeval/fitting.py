"""Whether paraphrases that do not say what language they are of can be of one: by letters, and by common words."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Set
from math import log10
from types import MappingProxyType

from rerank.paraeval.types import Phrase

__all__ = ["LEAST", "misfit"]

LEAST = 20
"""Different words from which a language can be told; of fewer only the letters are looked at."""

_SCRIPTS = MappingProxyType({"en": "LATIN", "ru": "CYRILLIC", "zh": "CJK"})
_LETTERS = MappingProxyType({"LATIN": "Latin", "CYRILLIC": "Cyrillic", "CJK": "Chinese"})
_STRANGE = MappingProxyType({"en": re.compile(r"[^a-z]"), "ru": re.compile(r"[^а-яё]")})
_OWN = MappingProxyType({"en": "English", "ru": "Russian"})
_NAMES = MappingProxyType(
    {
        "LATIN": {
            **{"de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch"},
            **{
                "pl": "Polish",
                "cs": "Czech",
                "sk": "Slovak",
                "sl": "Slovene",
                "sh": "Serbo-Croatian",
                "hu": "Hungarian",
            },
            **{"fi": "Finnish", "sv": "Swedish", "nb": "Norwegian", "da": "Danish", "ro": "Romanian", "tr": "Turkish"},
        },
        "CYRILLIC": {"uk": "Ukrainian", "bg": "Bulgarian", "mk": "Macedonian"},
    }
)
"""Languages that wordfreq has a list of and that a table may be taken for, by their letters."""

# Measured with tables of 20 to 50 words: those in another language are 1.5 (Bulgarian for Russian) to 2.7 (German for
# English) ahead of the asked one; terms of medicine, chemistry, music, code and rare words 1.4 behind to 0.6 ahead,
# names of Italian dishes 1.1 ahead of English.
_AHEAD = MappingProxyType({"LATIN": 1.7, "CYRILLIC": 1.0})
_KNOWN, _HARDLY, _MANY = 0.6, 0.35, 0.25
# wordfreq's small lists end at 3 on the Zipf scale.
_UNKNOWN = 2.0


def misfit(phrases: Iterable[Phrase], language: str) -> str:
    """What shows that `phrases` are not of `language`, as the end of a sentence; empty where that is not sure.

    That no word is in the letters of the language is enough. Of `LEAST` words and more it is asked how many are common
    in it and in others; words that are so in none, as terms are, speak for none. `other` is any language but English,
    Russian and Chinese.
    """
    scripts: defaultdict[str, set[str]] = defaultdict(set)
    for word in {found for phrase in phrases for part in phrase for found in re.findall(r"[^\W\d_]+", part)}:
        scripts[unicodedata.name(word[0], "").partition(" ")[0]].add(word)
    if language == "other":
        return _of_known(scripts)
    script = _SCRIPTS.get(language, "")
    if scripts and script and script not in scripts:
        return f"no word of it is in {_LETTERS[script]} letters"
    return _of_another(scripts[script], language) if language in _OWN and len(scripts[script]) >= LEAST else ""


def _of_another(words: Set[str], language: str) -> str:
    known = _share(words, language)
    # Most tables end here, at the cost of one list.
    if known >= _KNOWN:
        return ""
    strange = sum(bool(_STRANGE[language].search(word)) for word in words) / len(words)
    if known < _HARDLY and strange >= _MANY:
        return f"{strange:.0%} of its words have letters that {_OWN[language]} has not"
    script = _SCRIPTS[language]
    best = _nearest(words, script)
    if _zipf(words, best) - _zipf(words, language) < _AHEAD[script]:
        return ""
    return (
        f"{_share(words, best):.0%} of its words are common in {_NAMES[script][best]}, {known:.0%} in {_OWN[language]}"
    )


def _of_known(scripts: defaultdict[str, set[str]]) -> str:
    for language, name in _OWN.items():
        script = _SCRIPTS[language]
        words = scripts[script]
        # A table of two languages may well be of one that is not known.
        if len(words) < max(LEAST, sum(map(len, scripts.values())) / 2) or _share(words, language) < _KNOWN:
            continue
        if _zipf(words, language) - _zipf(words, _nearest(words, script)) >= 1.0:
            return f"{_share(words, language):.0%} of its words are common in {name}"
    return ""


def _nearest(words: Set[str], script: str) -> str:
    return max(_NAMES[script], key=lambda language: _zipf(words, language))


def _share(words: Set[str], language: str) -> float:
    return sum(word in _common(language) for word in words) / len(words)


def _zipf(words: Set[str], language: str) -> float:
    """How common the words are at the mean, on the Zipf scale."""
    common = _common(language)
    return sum(log10(common[word]) + 9 if word in common else _UNKNOWN for word in words) / len(words)


def _common(language: str) -> dict[str, float]:
    # The import takes longer than most commands need; wordfreq itself remembers its lists.
    from wordfreq import get_frequency_dict

    found: dict[str, float] = get_frequency_dict(language, wordlist="small")
    return found
