"""The language of a row, texts as the lowercased words that metrics count, and the libraries of others."""

from __future__ import annotations

import unicodedata
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from rerank.masked.words import split_words
from rerank.paraeval import word_keys as stems
from rewrite.errors import BadOption, MissingExtra

LANGUAGES = ("en", "ru")
"""Languages that have stems; texts in others are compared by their words as they are."""

# Empty by their look alone: letters, marks and a symbol to Unicode.
_FILLERS = "\u034f\u115f\u1160\u2800\u3164\uffa0"


def checked_language(language: str | None) -> str | None:
    """`language` as it is; `BadOption` for one that is neither in `LANGUAGES`, `other` nor `None` (guessed)."""
    if language is not None and language not in (*LANGUAGES, "other"):
        raise BadOption(f"No language {language!r}.", hint=f"Give {', '.join(LANGUAGES)} or other.")
    return language


def is_blank(text: str) -> bool:
    """Whether nothing of `text` is seen: spaces, control characters, soft hyphens, zero-width characters, fillers."""
    return all(
        character.isspace() or character in _FILLERS or unicodedata.category(character) in ("Cc", "Cf")
        for character in text
    )


def lower_words(text: str, language: str) -> list[str]:
    """The words of `text` in small letters, no marks: as treebanks have them for English, by razdel for Russian."""
    words = (word.text.lower() for word in split_words(text, language if language in LANGUAGES else "other"))
    return [word for word in words if any(map(str.isalnum, word))]


def library(module: str, needed: str) -> Any:
    """A module of the extra `eval`; where it is not installed, `MissingExtra` that begins with `needed`."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtra(needed, hint="Run: pip install 'rewrite-rerank[eval]'") from None


def stemmer(language: str) -> Any:
    """What cuts the endings of a language's words, with a method `stem`: Porter's for English, Snowball's for Russian.

    Both are of nltk; `MissingExtra` where that is not installed. Words of other languages stay as they are.
    """
    names = {"en": "porter", "ru": "russian"}
    return stems.stemmer(names[language]) if language in names else SimpleNamespace(stem=str)
