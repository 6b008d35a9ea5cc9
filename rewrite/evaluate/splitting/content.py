"""Content words that an output drops from its source or adds to it."""

from __future__ import annotations

import re

from rerank.analysis import Analysis, Token
from rerank.english.irregular import BASES
from rewrite.evaluate.splitting.closed import FUNCTION_WORDS

__all__ = ["ContentWords", "content_words", "missing"]

ContentWords = dict[str, frozenset[str]]
"""Each content word of a text, by its lemma, with all that it may be recognised by."""

_ALPHANUMERIC = re.compile(r"[^\W_]")
_HYPHENS = re.compile(r"[-–—/]")


def content_words(analysis: Analysis) -> ContentWords:
    """The words of an analysed English text that are no function words, each once.

    A word is recognised by its form, by its lemma, by what is left when regular endings are taken off, and by what it
    is an irregular form of: a lemma alone may be another in another sentence.
    """
    found: dict[str, set[str]] = {}
    for token in analysis.tokens:
        for form, lemma in _words(token):
            if _ALPHANUMERIC.search(form) and not {form, lemma} & FUNCTION_WORDS:
                found.setdefault(lemma, set()).update(_keys(form), _keys(lemma))
    return {lemma: frozenset(keys) for lemma, keys in found.items()}


def _words(token: Token) -> list[tuple[str, str]]:
    """Form and lemma of a token; of each part of one with hyphens, which other texts have with spaces around them."""
    parts = _HYPHENS.split(token.text)
    if len(parts) > 1:
        return [(part, part) for part in map(_bare, parts) if part]
    form = _bare(token.text)
    return [(form, _bare(getattr(token, "lemma", "")) or form)]


def _keys(word: str) -> set[str]:
    return {word, f"~{_stem(word)}", *(f"~{_stem(base)}" for base in BASES.get(word, ()))}


def _bare(word: str) -> str:
    """In small letters, without the stop that a tokeniser leaves on *v.* and on a last *a.*, unless it is all."""
    return word.lower().strip(".") or word


def missing(words: ContentWords, other: ContentWords) -> list[str]:
    """Those of `words` that no word of `other` is a form of, by their lemmas."""
    known: set[str] = set().union(*other.values())
    return [lemma for lemma, keys in words.items() if known.isdisjoint(keys)]


def _stem(word: str) -> str:
    """What the regular forms of an English verb or noun have in common: `plan` of *planned*, `studi` of *study*."""
    for ending, left in (("ies", "i"), ("ied", "i"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending) + left
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    return word[:-1] + "i" if word.endswith("y") else word.removesuffix("e")
