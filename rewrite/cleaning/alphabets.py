"""Letters and words of a writing system that the source does not use."""

from __future__ import annotations

import re
import unicodedata

from rewrite.cleaning.context import Context, language, script

__all__ = ["another_script", "mixed_alphabets", "new_latin_words"]

_WORD = re.compile(r"[^\W\d_]+")
# Russians type Roman numerals with their own letters too: «ХХ», «ХIV».
_NUMERAL_LIKE = str.maketrans("хсмі", "xcmi")
# Raised letters and the sign of «микро» are letters to Unicode, but of no script.
_OF_NO_SCRIPT = frozenset({"MODIFIER", "MASCULINE", "FEMININE", "MICRO", "OHM", "KELVIN", "ANGSTROM"})


def another_script(text: str, context: Context) -> str:
    """Rejects letters of a writing system that the source has none of; Latin words in Russian have their own rule."""
    known = {script(letter) for letter in context.source if letter.isalpha()} | _OF_NO_SCRIPT
    if language(context.source) == "ru":
        known.add("LATIN")
    new = next((letter for letter in text if letter.isalpha() and script(letter) not in known), "")
    return f"another script: {new}" if new else ""


def new_latin_words(text: str, context: Context) -> str:
    """Rejects a Latin word or Roman numeral that a Russian source does not have, whatever its case."""
    if language(context.source) != "ru":
        return ""
    there = set(_plain_words(context.source))
    there |= {word.translate(_NUMERAL_LIKE) for word in there}
    new = next((word for word in _plain_words(text) if word not in there and _scripts(word) == {"LATIN"}), "")
    return f"new Latin words: {new}" if new else ""


def mixed_alphabets(text: str, context: Context) -> str:
    """Rejects a word with both Latin and Cyrillic letters, unless the source has that very word."""
    there = set(_plain_words(context.source))
    mixed = (word for word in _plain_words(text) if word not in there and {"LATIN", "CYRILLIC"} <= _scripts(word))
    word = next(mixed, "")
    return f"mixed alphabets: {word}" if word else ""


def _plain_words(text: str) -> list[str]:
    """Runs of letters, in lower case and without accents."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return _WORD.findall(bare.lower())


def _scripts(word: str) -> set[str]:
    return {script(letter) for letter in word}
