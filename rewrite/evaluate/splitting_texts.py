"""What is asked of one split: its sentences, names and numbers, content words; and the cut in halves."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from rerank.analysis import Analysis, Token
from rerank.english.forms import BASES, stem
from rerank.wordlists import WordLists

_LISTS = WordLists(Path(__file__).with_name("splitting_texts.txt"))
_FUNCTION_WORDS = _LISTS.words("function words")
_NUMBER_WORDS = _LISTS.words("number words")

_MARKS = re.compile(r"<::::>|<SEP>|\n")
"""What some systems put between sentences; no word of the output."""

_TITLES = _LISTS.words("titles")
_TITLE = re.compile(r"([^\W\d_]+)\s?\.$")
# A stop that stands alone is that of a sentence; I is more often a numeral than a name.
_INITIAL = re.compile(r"(?<![^\W_])[A-HJ-Z]\.$")
# Part of a number that was torn (6 . 2 million), rather than a year.
_FEW_DIGITS = re.compile(r"(?<!\d)\d{1,3}\s?\.$")
_OPEN = re.compile(r"[:;,]$")
_CONTINUES = re.compile(r"""["'”’»)\]]*\s*(?:[,;:)\]]|[^\W\d_A-Z][^\W\d_]*\b(?!\.))""")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def marked_sentences(output: str) -> int:
    """How many sentences the marks of `output` say there are, 0 where it has none."""
    return sum(bool(part.strip()) for part in _MARKS.split(output)) if _MARKS.search(output) else 0


def without_marks(output: str) -> str:
    """`output` as one text, its spaces evened out."""
    return " ".join(_MARKS.sub(" ", output).split())


def count_sentences(analysis: Analysis) -> int:
    """Sentences of an analysed text, at least 1 where it has a word.

    Those of the parser that have a word, but none ends at an abbreviation or an initial before a name (*Col.*, *J.*),
    at a colon or inside a number, nor where a comma or a small letter follows (*'' Impact ! '' , he …*).
    """
    count = 0
    before = ""
    for sentence in analysis.sentences:
        text = sentence.text.strip()
        if not _LETTER_OR_DIGIT.search(text):
            continue
        if not before or not (_stays_open(before, text) or _CONTINUES.match(text)):
            count += 1
        before = text
    return count


def _stays_open(before: str, after: str) -> bool:
    """Whether the end of `before` is none, given the words after it."""
    if _OPEN.search(before):
        return True
    if _FEW_DIGITS.search(before) and after[0].isdigit():
        return True
    title = _TITLE.search(before)
    if not _INITIAL.search(before) and (title is None or title[1].lower() not in _TITLES):
        return False
    following = re.search(r"[^\W_]+", after)
    return following is not None and following[0].lower() not in _FUNCTION_WORDS


# U.S. and a.m., figures with what is written together with them (1,000, 3rd), words; no hyphens and no possessive s.
_WORD = re.compile(r"[^\W\d_](?:\.[^\W\d_])+\b|\d+(?:[.,:/]\d+)*[^\W\d_]*|[^\W\d_](?:[^\W_]|['’](?!s\b)(?=[^\W\d_]))*")


@dataclass(frozen=True, slots=True)
class Named:
    """What an output must have: `numbers` as often as the source, words of `names` once, as written.

    Words of `first` begin a sentence of the source, and may lose their capital.
    """

    numbers: Counter[str]
    names: frozenset[str]
    first: frozenset[str]


def names_and_numbers(source: Analysis) -> Named:
    """The names and numbers of a source.

    Numbers are words with a digit and number words, *one* only where it counts. Names are capitalised words that do
    not begin a sentence, and those that do where the analysis has them in an entity; function words are none.
    """
    words = [(match.start(), match[0]) for match in _WORD.finditer(source.text)]
    starts = [next((at for at, _ in words if at >= sentence.start), -1) for sentence in source.sentences]
    counting = {token.start for token in source.tokens if token.pos == "NUM"}
    numbers: Counter[str] = Counter()
    names, first = set(), set()
    for at, word in words:
        if _is_number(word) and (word.lower() != "one" or at in counting):
            numbers[word.lower()] += 1
        elif word[0].isupper() and not _is_function_word(word):
            if at not in starts:
                names.add(word)
            elif any(entity.start <= at < entity.stop for entity in source.entities):
                first.add(word.lower())
    return Named(numbers, frozenset(names), frozenset(first))


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) or word.lower() in _NUMBER_WORDS


def _is_function_word(word: str) -> bool:
    """Whether it is one with a capital, as in a title: *The*, but not *US* or the month of *May*."""
    return word != "May" and word == word.capitalize() and word.lower() in _FUNCTION_WORDS


def copied(named: Named, output: str) -> bool:
    """Whether `output` has all of `named`."""
    words = _WORD.findall(output)
    lower = Counter(word.lower() for word in words)
    return (
        all(lower[number] >= count for number, count in named.numbers.items())
        and named.names <= set(words)
        and named.first <= lower.keys()
    )


ContentWords = dict[str, frozenset[str]]
"""Each content word of a text, by its lemma, with all that it may be recognised by."""

_HYPHENS = re.compile(r"[-–—/]")


def content_words(analysis: Analysis) -> ContentWords:
    """The words of an analysed English text that are no function words, each once.

    A word is recognised by its form, by its lemma, by what is left when regular endings are taken off, and by what it
    is an irregular form of: a lemma alone may be another in another sentence.
    """
    keys_of: dict[str, set[str]] = {}
    for token in analysis.tokens:
        for form, lemma in _words(token):
            if _LETTER_OR_DIGIT.search(form) and not {form, lemma} & _FUNCTION_WORDS:
                keys_of.setdefault(lemma, set()).update(_keys(form), _keys(lemma))
    return {lemma: frozenset(keys) for lemma, keys in keys_of.items()}


def _words(token: Token) -> list[tuple[str, str]]:
    """Form and lemma of a token; of each part of one with hyphens, which other texts have with spaces around them."""
    parts = _HYPHENS.split(token.text)
    if len(parts) > 1:
        return [(part, part) for part in map(_bare, parts) if part]
    form = _bare(token.text)
    return [(form, _bare(getattr(token, "lemma", "")) or form)]


def _keys(word: str) -> set[str]:
    return {word, f"~{stem(word)}", *(f"~{stem(base)}" for base in BASES.get(word, ()))}


def _bare(word: str) -> str:
    """In small letters, without the stop that a tokeniser leaves on *v.* and on a last *a.*, unless it is all."""
    return word.lower().strip(".") or word


def missing(words: ContentWords, other: ContentWords) -> list[str]:
    """Those of `words` that no word of `other` is a form of, by their lemmas."""
    known: set[str] = set().union(*other.values())
    return [lemma for lemma, keys in words.items() if known.isdisjoint(keys)]


_COMMA = re.compile(r"\s*,(?=\s)")


def halves(source: str) -> str:
    """`source` as two sentences, cut at the comma next to its middle, else after the middle word.

    The comma becomes a stop and the next letter a capital; nothing else changes. A single word stays as it is.
    """
    middle = len(source) / 2
    commas = [match.span() for match in _COMMA.finditer(source) if source[: match.start()].strip()]
    spaces = [match.span() for match in re.finditer(r"\s+", source)]
    if not commas and not spaces:
        return source
    start, end = min(commas or spaces, key=lambda span: abs((span[0] + span[1]) / 2 - middle))
    first, rest = source[:start].rstrip(), source[end:].lstrip()
    # A tokenised text has spaces before its marks.
    stop = " ." if re.search(r"\s[.?!]$", source.rstrip()) else "."
    return f"{first}{stop} {rest[:1].upper()}{rest[1:]}"
