"""Whether a text is not in the language that it should be in: Russian or English.

That can be told of another script, letters that the language does not have, and, where the words are common enough to
be listed in `wordfreq`, a neighbouring language of the same script. A text of a few names, or a clumsy translation,
passes.
"""

from __future__ import annotations

import math
import re

from rerank.errors import UnknownName
from rerank.frequency import common_words, fold

# Half: encyclopaedias name things in Latin letters within Russian sentences.
_LEAST_SCRIPT = 0.5
# A quarter of the words, or an eighth where most words are rare.
_MOST_STRANGE, _MOST_STRANGE_AMONG_RARE = 0.25, 0.125
# So many of them, in a text without a letter of `_HARDLY_ELSEWHERE`: names tell, too (*Київ — столиця України*).
_MOSTLY_STRANGE = 0.4
# Of the neighbours of Russian Belarusian alone has these, beside letters that Russian lacks.
_HARDLY_ELSEWHERE = re.compile(r"[ыэё]", re.IGNORECASE)
# So many words that are common in the language: it is, and nothing else is looked up.
_ENOUGH_COMMON, _FEW_COMMON = 0.75, 0.5
_MARGIN = 0.7
_UNLISTED = 1e-8
_LEAST_WORDS = 4

_WORD_OF_LETTERS = re.compile(r"[^\W\d_]+")
_ROMAN = re.compile(r"[IVXLCDM]+")
SCRIPTS = {"ru": re.compile(r"[\u0400-\u052f]"), "en": re.compile(r"[A-Za-z\u00c0-\u024f]")}
"""A letter of the language's script."""
_STRANGE = {"ru": re.compile(r"[^\W\d_а-яёА-ЯЁA-Za-z]"), "en": re.compile(r"[^\W\d_A-Za-z\u00c0-\u024f]")}
# *Онъ былъ въ домѣ*, with an і now and then.
_OLD_RUSSIAN = re.compile(r"ѣ|ъ\b", re.IGNORECASE)
_NAMES = {"ru": "Cyrillic", "en": "Latin"}
_RIVALS = {
    "ru": {"uk": "Ukrainian", "bg": "Bulgarian", "mk": "Macedonian"},
    "en": {"de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch"},
}
LANGUAGES = tuple(_RIVALS)


def foreign(text: str, language: str) -> str:
    """Why `text` is not in `language` (one of `LANGUAGES`), or an empty string where nothing speaks against it.

    Of four different words or more, they are in another language where they are commoner there by 0.7 powers of
    ten, on average.
    """
    if language not in LANGUAGES:
        raise UnknownName(f"Unknown language {language!r}.", hint=f"Known: {', '.join(LANGUAGES)}.")
    words = [word for word in _WORD_OF_LETTERS.findall(text) if not _ROMAN.fullmatch(word)]
    letters = sum(map(len, words))
    of_script = len(SCRIPTS[language].findall(text))
    if of_script == 0:
        return f"no {_NAMES[language]} letters"
    if of_script < _LEAST_SCRIPT * letters:
        return f"{of_script} of {letters} letters are {_NAMES[language]}"
    return neighbour(text, language)


def neighbour(text: str, language: str) -> str:
    """Why `text`, in the script of `language`, is in a neighbouring one; empty where nothing speaks for that."""
    words = [word for word in _WORD_OF_LETTERS.findall(text) if not _ROMAN.fullmatch(word)]
    strange = [] if _OLD_RUSSIAN.search(text) else [word for word in words if _STRANGE[language].search(word)]
    is_likely_home = language == "ru" and _HARDLY_ELSEWHERE.search(text) is not None
    if is_likely_home and not strange:
        return ""
    # Each word once: a song repeats itself.
    folded, known = sorted({fold(word) for word in words}), common_words(language)
    common = sum(word in known for word in folded)
    if common >= _ENOUGH_COMMON * len(folded):
        return ""
    # Names keep their letters in another language; one word may be a slip.
    telling = [word for word in strange if word[0].islower() or word is words[0] or text.isupper()]
    if len(strange) >= _MOSTLY_STRANGE * len(words) and not is_likely_home:
        telling = strange
    most = _MOST_STRANGE_AMONG_RARE if common < _FEW_COMMON * len(folded) else _MOST_STRANGE
    if len(telling) > 1 and len(strange) > most * len(words):
        return f"{len(strange)} of {len(words)} words have letters that the language lacks"
    if len(folded) < _LEAST_WORDS:
        return ""
    home = _commonness(folded, language)
    values = {name: _commonness(folded, code) for code, name in _RIVALS[language].items()}
    best = max(values, key=lambda name: values[name])
    return f"it reads as {best}" if values[best] > home + _MARGIN else ""


def _commonness(words: list[str], language: str) -> float:
    """Mean log₁₀ of the words' shares in the language's corpus, 10⁻⁸ for a word that is not listed."""
    known = common_words(language)
    return sum(math.log10(known.get(word, _UNLISTED)) for word in words) / len(words)
