"""A text as the guard sees it: words, numbers and marks, where sentences begin, and clitics apart.

Words are compared folded, and without their endings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from rerank.english.forms import stem
from rerank.evaluator.pair_rows import plain
from rerank.wordlists import WordLists, denials

LISTS = WordLists(Path(__file__).with_name("en.txt"))
FUNCTION = LISTS.words("function")
_NUMBER_WORDS = frozenset(word for name in ("units", "tens", "scales") for word in LISTS.classes(name)) - {"k", "m"}
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th"})
_AMERICAN = {"labour": "labor", "harbour": "harbor", "centre": "center", "theatre": "theater", "grey": "gray"}
_SHARED = 4
"""Letters that two names have in common at least where they are forms of one."""
_ENDINGS = LISTS.words("name endings") | {""}
"""What two forms of one name may have behind what they share: *Canad-a*, *Canad-ian*."""
_MARKS = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "‑": "-", "\u00a0": " ", "⁄": "/"}
)
_CLITIC = r"'(?i:s|re|ve|ll|d|m)\b"
_LETTER = r"[^\W\d_]"
_TOKEN = re.compile(
    rf"(?P<initials>(?<!\w)(?:[A-Z]\. ?){{2,}}(?![a-z]))"
    rf"|(?P<number>(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+)(?:(?<!\d\.\d)(?<!\d\.\d\d)\.\d+(?!\.?\d))?)(?P<tail>(?:st|nd|rd|th|'?s)(?!\w))?"
    rf"|(?P<word>{_LETTER}+?(?=(?i:n't)\b)|(?i:n't)\b|{_CLITIC}|{_LETTER}\w*(?:'(?!(?i:s|re|ve|ll|d|m|t)\b){_LETTER}+)*)"
    r"|(?P<mark>\S)"
)
_SPACED = re.compile(r"(?<=\d) , (?=\d{3}(?!\d))|(?<=\d) [.:] (?=\d)")
"""Within a number that some tokenizers cut: *235 , 000*, *98 . 7*."""
LONGEST_NUMBER = 30
"""Digits of a number at most; longer ones are words."""
_DASH = "--"
_ENDS = frozenset([*'. ? ! : ; " ( [ * /'.split(), _DASH])
_SENTENCE_ENDS = frozenset(".?!")
_ABBREVIATED = LISTS.words("abbreviated")


@lru_cache(maxsize=50_000)
def fold(word: str) -> str:
    """Small letters without marks on them, and without apostrophes: *Malmö* is *malmo*."""
    low = word.lower()
    if not low.isascii():
        low = "".join(c for c in unicodedata.normalize("NFKD", low) if not unicodedata.combining(c))
        low = low.translate(_LETTERS)
    return _AMERICAN.get(low, low).replace("'", "")


# *Barely* says *little*: it is one of the equivalent.
DENYING = frozenset(map(fold, denials("en"))) - {"barely"} | LISTS.words("denying")


@lru_cache(maxsize=50_000)
def same_name(name: str, other: str) -> bool:
    """Whether two folded words are forms of one name: a beginning of four letters and an ending that names have."""
    shared = next((n for n, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))
    # *Italy* and *Italian* share four letters of five.
    return shared >= _SHARED and any(
        name[at:] in _ENDINGS and other[at:] in _ENDINGS for at in range(_SHARED, shared + 1)
    )


class Word:
    """One surface form: `kind` is `number`, `word` or `mark`, `low` is folded, `tail` the end of *18th*."""

    __slots__ = ("cap", "kind", "low", "numeric", "stem", "tail", "text", "upper")

    def __init__(self, text: str, kind: str, tail: str = "") -> None:
        self.text, self.kind, self.tail = text, kind, tail
        self.low = fold(text) if kind == "word" else text
        self.stem = stem(self.low) if kind == "word" else self.low
        self.cap = kind == "word" and text[:1].isupper()
        self.upper = self.cap and len(text) > 1 and text.isupper()
        self.numeric = kind == "number" or self.low in _NUMBER_WORDS


_word = lru_cache(maxsize=50_000)(Word)


class Text(list[Word]):
    """Words in order, of each whether a sentence, quotation or bracket begins there, and the number of its sentence."""

    def __init__(self, words: Iterable[Word]) -> None:
        super().__init__(words)
        self.first: list[bool] = []
        self.sentence: list[int] = []
        sentence = 0
        for before, word in pairwise([None, *self]):
            if before is not None and _ends(before, self, len(self.first) - 2, word):
                sentence += 1
            self.first.append(before is None or before.low in _ENDS)
            self.sentence.append(sentence)

    def low(self, at: int) -> str:
        """The folded word at a place; empty beyond the ends."""
        return self[at].low if 0 <= at < len(self) else ""


def text_of(text: str) -> Text:
    """Cut a text, also one that a treebank has cut already."""
    return Text(_words(_SPACED.sub(lambda match: match[0].strip(), plain(text).translate(_MARKS))))


def _words(text: str) -> list[Word]:
    words = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind == "initials":
            words.append(_word("".join(c for c in match[0] if c.isalpha()), "word"))
        elif match["number"] and len(match["number"]) <= LONGEST_NUMBER:
            words.append(_word(match["number"], "number", (match["tail"] or "").lower()))
        elif match[0] == "-" and not _is_glued(text, match):
            words.append(_word(_DASH, kind))
        else:
            words.append(_word(match[0], "word" if match["number"] else kind))
    return words


def _is_glued(text: str, match: re.Match[str]) -> bool:
    """Whether a hyphen stands within a word."""
    return text[match.start() - 1 : match.start()].isalnum() and text[match.end() : match.end() + 1].isalnum()


def _ends(mark: Word, words: list[Word], before: int, after: Word | None) -> bool:
    """Whether a mark ends a sentence: no point of an abbreviation or of an initial."""
    if mark.low not in _SENTENCE_ENDS or after is None:
        return False
    last = words[before].low if before >= 0 else ""
    return not (mark.low == "." and (last in _ABBREVIATED or len(last) == 1))
