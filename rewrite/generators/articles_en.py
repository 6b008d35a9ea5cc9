"""*A* or *an*: which of the two a word asks for, and mending them where a cut has brought another word after one."""

from __future__ import annotations

import re

__all__ = ["article_before", "with_fitting_articles"]

# Words whose first sound their first letter does not tell.
_VOWEL = re.compile(r"[aeio]|u|h(?:our|onest|onor|onour|eir)")
_CONSONANT = re.compile(
    r"eu|ewe|one(?!r)|once|u(?:ni(?![nmd])|nan|s[aeu]|surp|biq|fo\b|kr|ran|rin|ter|ti|top|gand|rug)"
)
_EITHER = re.compile(r"herb|history|historic")
_EIGHT = re.compile(r"8|1[18](?:\b|,\d{3}\b)")
# Letters whose names begin with a vowel; words of capitals that begin with one of the latter may be read as words.
_NAMED_VOWEL, _NAMED_EITHER = frozenset("AEIO"), frozenset("FHLMNRSX")

_WORD = r"""[\"'“‘($€£¥]?(\w[\w'’-]*)"""
_ARTICLE = re.compile(rf"(?:\b(an?)|^(An?))(?=\s+{_WORD})")


def article_before(word: str) -> str | None:
    """`a` or `an`, as the first sound of `word` asks; `None` where it cannot be told, as of *FIFA* and *FBI*."""
    if word[:1].isdigit():
        return "an" if _EIGHT.match(word) else "a"
    if len(word) > 1 and (word.isupper() or word[1] in "-‑"):
        if word[0].upper() in _NAMED_EITHER:
            return None if word[1].isalnum() else "an"
        return "an" if word[0].upper() in _NAMED_VOWEL else "a"
    lower = word.lower()
    if not lower or not lower[0].isascii() or _EITHER.match(lower):
        return None
    return "an" if _VOWEL.match(lower) and not _CONSONANT.match(lower) else "a"


def with_fitting_articles(text: str, *, like: str) -> str:
    """`text` with *a* and *an* as the words after them ask; what stands so in `like`, its source, stays as it is."""

    def fitting(match: re.Match[str]) -> str:
        article, word = match[1] or match[2], match[3]
        wanted = article_before(word)
        written = rf"\b{article}\s+[\"'“‘($€£¥]?{re.escape(word)}(?!\w)"
        if wanted in (None, article.lower()) or re.search(written, like, re.IGNORECASE):
            return article
        return "An" if match[2] and wanted == "an" else "A" if match[2] else str(wanted)

    return _ARTICLE.sub(fitting, text)
