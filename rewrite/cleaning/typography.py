"""Repairs of spaces and capitals."""

from __future__ import annotations

import re

from rewrite.cleaning.context import CLOSERS, Context, language, words

__all__ = ["all_capitals", "first_capital", "stray_spaces", "whitespace"]

# A single no-break space between two words was set on purpose: «5 000», «г. Орёл».
_LOOSE = re.compile(r"[^\S\u00a0\u202f ]+|\s{2,}")
_STRAY = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"(?<=\S)\s+(?=[,;](?:\s|$))", ""),
        (r"(?<=\w)\s+,(?=[^\W\d_])", ", "),
        (rf"(?<=[^\s.])\s+(?=[.!?][{CLOSERS}]*(?:\s|$))", ""),
        (r"(?<=[^\s\d])\s+(?=:(?:\s|$))", ""),
        (r"(?<=[(\[«„])\s+", ""),
        (r"(?<=\S)\s+(?=[)\]»”])", ""),
        (r'(?:(?<=\s)|^)"\s+([^"]*?\S)\s+"(?=[\s,.!?;:)]|$)', r'"\1"'),
    )
)
_CLITIC = re.compile(r"(?<=[A-Za-z])\s+(?=(?:n['’]t|['’](?:s|re|ve|ll|d|m))(?![\w'’]))")
_LETTERS = re.compile(r"[^\W\d_]+")
_ALNUM = re.compile(r"[^\W_]")
# What may stand before the capital of a sentence.
_BEFORE = " \u00a0«„“”\"'‘([—–-….¿¡"


def whitespace(text: str, context: Context) -> str:
    """Turns line breaks and runs of space into one space."""
    return _LOOSE.sub(" ", text).strip()


def stray_spaces(text: str, context: Context) -> str:
    """Removes spaces before punctuation and just inside quotes and brackets, where the source has none."""
    for pattern, replacement in _STRAY:
        if pattern.search(context.source) is None:
            text = pattern.sub(replacement, text)
    if language(context.source) == "en" and _CLITIC.search(context.source) is None:
        text = _CLITIC.sub("", text)
    return text


def all_capitals(text: str, context: Context) -> str:
    """Takes a text all in capitals back to small letters; words of the source are written as there."""
    long = [word for word in words(text) if len(word) > 1]
    if len(long) < 3 or not text.isupper() or max(map(len, long)) < 5 or not _mostly_small(context.source):
        return text
    spelt = _spelling(context.source)
    return _LETTERS.sub(lambda match: _written(match.group().lower(), spelt), text)


def first_capital(text: str, context: Context) -> str:
    """Begins the text with a capital where the source does, or begins with a figure and ends as a sentence."""
    first, source = _ALNUM.search(text), _ALNUM.search(context.source)
    if first is None or source is None or not (source.group().isupper() or _figured(source.group(), context.source)):
        return text
    start = first.start()
    word = _LETTERS.match(text, start)
    capital = text[start].upper()
    if word is None or text[:start].strip(_BEFORE) or not word.group().islower() or len(capital) != 1:
        return text
    return text[:start] + capital + text[start + 1 :]


def _figured(first: str, source: str) -> bool:
    return first.isdigit() and source.rstrip()[-1:] in ".!?…"


def _mostly_small(text: str) -> bool:
    return sum(map(str.islower, text)) > sum(map(str.isupper, text))


def _spelling(source: str) -> dict[str, str]:
    """How each word of `source` is written; the first of a sentence may have its capital from there alone."""
    found: dict[str, str] = {}
    for match in _LETTERS.finditer(source):
        word = match.group()
        begins = not source[: match.start()].strip(_BEFORE) or source[: match.start()].rstrip()[-1:] in ".!?…"
        if not (begins and word.istitle()):
            found.setdefault(word.lower(), word)
    return found


def _written(word: str, spelt: dict[str, str]) -> str:
    if word in spelt:
        return spelt[word]
    named = (known for known, form in spelt.items() if form.istitle() and len(form) > 3)
    return word.title() if any(_same_name(word, known) for known in named) else word


def _same_name(word: str, name: str) -> bool:
    """Whether the two may be case forms of one name: «Филиппу», «Филиппом»."""
    return abs(len(word) - len(name)) <= 2 and word[: max(4, len(name) - 2)] == name[: max(4, len(name) - 2)]
