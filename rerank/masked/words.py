"""Texts as words with their places, by the habits of each language, for masked language models."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rerank.errors import UnknownName
from rerank.foreign import neighbour
from rerank.masked.base import Word
from rerank.wordlists import WordLists

LANGUAGES = ("en", "ru", "zh", "other")
"""Languages that have rules of their own, and all others."""

_Span = tuple[int, int]
_LISTS = WordLists(Path(__file__).with_name("languages.txt"))


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text and where it stands there: `text[start:stop] == word.text`."""

    word: Word
    start: int
    stop: int


def split(text: str, language: str | None = None) -> list[Token]:
    """The words and punctuation marks of `text`, none for a blank one.

    `en`: as English treebanks have it, with clitics (`do|n't`, `John|'s`) and punctuation apart, abbreviations and
    numbers whole; `ru`: by razdel; `zh` and `other`: letters, digits and their marks in a row are a word, every Chinese
    or Japanese character and every other mark one by itself. Without `language` it is guessed. The first word counts as
    one after a space, so that a word has the same sub-words wherever in a text it stands. Raises `UnknownName` for a
    language that is not in `LANGUAGES`.
    """
    chosen = guess_language(text) if language is None else language
    if chosen not in LANGUAGES:
        raise UnknownName(f"Unknown language {chosen!r}.", hint=f"Known: {', '.join(LANGUAGES)}.")
    rules: dict[str, Callable[[str], Iterator[_Span]]] = {"en": _english, "ru": _russian}
    spans = rules.get(chosen, _any_language)(text)
    return [
        Token(Word(text[start:stop], spaced=not number or text[start - 1].isspace()), start, stop)
        for number, (start, stop) in enumerate(spans)
    ]


def split_words(text: str, language: str | None = None) -> tuple[Word, ...]:
    """The words of `split` without their places."""
    return tuple(token.word for token in split(text, language))


@lru_cache(maxsize=4_096)
def guess_language(text: str) -> str:
    """`en`, `ru`, `zh` or `other`, from the script and, where other letters stand among Latin ones, from common words.

    What is in Latin letters is taken for English, and so is *Dvořák was born in a village near Prague and …*, unless
    it has more of the common words of another language; what is mostly in the letters of Russian, or has most of its
    words that are written small in them, is taken for Russian, unless it reads as a neighbour of Russian
    (`rerank.foreign.neighbour`). A sentence of few words may mislead: name the language.
    """
    counts = Counter(filter(None, map(_script, text)))
    if counts["kana"]:
        return "other"
    # A Chinese character stands for several letters.
    if counts["han"] * 3 > counts["latin"] + counts["cyrillic"] + counts["foreign"]:
        return "zh"
    if counts["cyrillic"] > counts["latin"] + counts["foreign"] or (
        counts["cyrillic"] and _small_words_are_cyrillic(text)
    ):
        return "other" if neighbour(text, "ru") else "ru"
    if _reads_as_another(text):
        return "other"
    foreign = counts["foreign"] * 50 > counts["latin"]
    if (
        foreign
        and not _reads_as_english(text, counts["foreign"] > counts["latin"])
        and not _only_names_are_foreign(text)
    ):
        return "other"
    return "en"


def _small_words_are_cyrillic(text: str) -> bool:
    """*Браузер Google Chrome использует движок Blink и JavaScript V8.*"""
    small = [word for word in re.findall(r"[^\W\d_]+", text) if word.islower()]
    return 2 * sum(_script(word[0]) == "cyrillic" for word in small) > len(small)


_ONLY_ENGLISH, _OTHERS = _LISTS.words("only English"), _LISTS.words("others")
_PLAIN_ENGLISH, _ALSO_GERMANIC = _ONLY_ENGLISH | _LISTS.words("plain English"), _LISTS.words("also Germanic")
_ENGLISH_SHARE, _PLAIN_SHARE = 12, 6


def _reads_as_another(text: str) -> bool:
    """Whether at least two different words, written small, are common in other languages, and more than in English."""
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text)
    foreign = [word for word in words if word in _OTHERS]
    plain = sum(word.lower() in _PLAIN_ENGLISH for word in words)
    return len(set(foreign)) > 1 and len(foreign) > plain


def _reads_as_english(text: str, mostly_foreign: bool) -> bool:
    """Whether a word in twelve, and at least two different ones, are common English ones."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    english = [word for word in words if word in _ONLY_ENGLISH]
    return not mostly_foreign and len(set(english)) > 1 and len(english) * _ENGLISH_SHARE >= len(words)


def _only_names_are_foreign(text: str) -> bool:
    """Whether foreign letters stand in capitalised words alone, and a word in six, two different at least, is English.

    *Frédéric Chopin's Opus 57 is a berceuse for solo piano.*
    """
    words = re.findall(r"[^\W\d_]+", text)
    strange = [word for word in words if any(_script(letter) == "foreign" for letter in word)]
    english = [word for word in words if word in _PLAIN_ENGLISH and word not in _OTHERS]
    named = all(word[0].isupper() and word[0].isascii() for word in strange)
    only_english = set(english) - _ALSO_GERMANIC
    return named and bool(only_english) and len(set(english)) > 1 and len(english) * _PLAIN_SHARE >= len(words)


def sentence_spans(words: Sequence[Word]) -> list[_Span]:
    """First word and end of each sentence: it ends with its marks (. ! ? … 。), closing quotes and brackets included,
    unless a lower-case word follows.
    """
    spans, start, at = [], 0, 0
    while at < len(words):
        at += 1
        if not set(words[at - 1].text) <= _TERMINAL:
            continue
        while at < len(words) and (set(words[at].text) <= _TERMINAL or _closes(words[at])):
            at += 1
        if at == len(words) or not words[at].text[:1].islower():
            spans.append((start, at))
            start = at
    return [*spans, (start, len(words))] if start < len(words) else spans


def sentence_places(text: str, language: str) -> list[_Span]:
    """Where the sentences of `text` start and stop: Russian ones by razdel, others by `sentence_spans`."""
    if language == "ru":
        from rerank.analysis import sentences

        return [(start, stop) for start, stop, _ in sentences(text)]
    tokens = split(text, language)
    return [(tokens[first].start, tokens[end - 1].stop) for first, end in sentence_spans([t.word for t in tokens])]


_TERMINAL = frozenset(".!?…。！？｡؟।")
_CLOSING = frozenset(")]}»”’」』）】")


def _closes(word: Word) -> bool:
    return word.text in _CLOSING or (word.text in "\"'" and not word.spaced)


def _script(character: str) -> str:
    code = ord(character)
    if not character.isalpha():
        return ""
    if code < 0x80:
        return "latin"
    if "а" <= character.lower() <= "я" or character in "ёЁ":
        return "cyrillic"
    if 0x3040 <= code <= 0x30FF:
        return "kana"
    return "han" if _is_ideograph(code) else "foreign"


def _is_ideograph(code: int) -> bool:
    return (
        0x3400 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x3FFFF or code in (0x3005, 0x3007)
    )


_ENGLISH = re.compile(
    rf"""(?:https?://|www\.)\S*[\w/]            # an address
    | [\w.+-]+@\w[\w.-]*\w                      # a mail address
    | (?:[^\W\d_]\.){{2,}}                      # U.S., e.g.
    | (?:{"|".join(_LISTS.sequence("abbreviations"))}|[A-Z])\.(?=\s+\S)
    | ['’](?:s|re|ve|ll|d|m)\b                  # a clitic by itself: they 've
    | \d+(?:[.,:/]\d+)*\w*                      # 1,000.5, 10:30, 70s
    | \w+(?:[-'’&]\w+)*                         # long-term, don't, AT&T
    | \.{{2,}} | -{{2,}} | [!?]{{2,}} | `` | ''
    | \S""",
    re.VERBOSE,
)
_CLITIC = re.compile(r"(?P<host>\w.*?)(?P<clitic>n['’]t|['’](?:s|re|ve|ll|d|m))", re.IGNORECASE)
_CANNOT = re.compile(r"(?P<host>can)(?P<clitic>not)", re.IGNORECASE)


def _english(text: str) -> Iterator[_Span]:
    for match in _ENGLISH.finditer(text):
        start, stop = match.span()
        parts = _CLITIC.fullmatch(text, start, stop) or _CANNOT.fullmatch(text, start, stop)
        if parts is None:
            yield start, stop
        else:
            yield parts.span("host")
            yield parts.span("clitic")


def _russian(text: str) -> Iterator[_Span]:
    from rerank.analysis import tokens

    return ((start, stop) for start, stop, _ in tokens(text))


def _any_language(text: str) -> Iterator[_Span]:
    start = 0
    while start < len(text):
        stop = start + 1
        if _in_word(text[start]):
            while stop < len(text) and (_in_word(text[stop]) or _joins(text, stop)):
                stop += 1
        if not text[start].isspace():
            yield start, stop
        start = stop


def _in_word(character: str) -> bool:
    """Whether it is a letter, digit or mark of a script that has words."""
    return unicodedata.category(character)[0] in "LMN" and _script(character) not in ("han", "kana")


def _joins(text: str, at: int) -> bool:
    """Whether the mark there stands inside a word or number: l'eau, Rhein-Main, 3,14."""
    if at + 1 >= len(text) or not _in_word(text[at + 1]):
        return False
    if text[at] in ".,":
        return text[at - 1].isdecimal() and text[at + 1].isdecimal()
    return text[at] in "'’-·"
