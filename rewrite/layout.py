"""A text cut into the sentences to rewrite and everything between them, which is kept as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from razdel import sentenize

SHORTEST = 4
LONGEST = 200
# A sentence has at most LONGEST words, so the word pattern need not walk through a line of 100 kB first.
_LONGEST_CHARACTERS = 3_000
_WORD = re.compile(r"[^\W\d_]+")
# Braces, a tag, a call that has no argument, begins with a string, ends a statement or stands before the next; an
# assignment of a call or that ends in a semicolon; operators and first words of statements. A language model would cut
# it to pieces, and so would a splitter.
_CODE = re.compile(
    r"""[{}]|</?\w+>|\w\(\)|\w\(["']|\w\([^()\s]*\);\s*$|\w\([^()]*\)[:;]\s*[\w.]+(?:\(|\s*[-+*/]?=)
    |^(?:(?:var|let|const|int)\s)?[\w.\[\]]+\s[-+*/]?=\s(?:[\w.]*\w\w\(|[^;]*;\s*$)|\w\s?(?:==|!=|\+=|&&|\|\||=>|::)\s?[\w"']
    |\bSELECT\s.*[a-z*_].*\sFROM\s|^(?:def\s\w+\(|from\s[\w.]+\simport\s|import\s[\w.]+(?:\sas\s|;|$))""",
    re.VERBOSE,
)
LIST_MARK = re.compile(r"(?:[-–—•·*▪●○►✓+→]|[-=]>|\d{1,2}[.)]|[^\W\d_]\))\s+(?=[\"'«“„(]?[^\W_]|$)")
"""What a line of a list begins with, and the space behind it."""
_STOPPED = re.compile(r"[.!?…][\"'”’»)]*$")
_CYRILLIC = re.compile(r"[а-яёА-ЯЁ]")
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
"""What keeps a sentence from being rewritten: it is passed through as it is."""
_LINE_BREAK = re.compile(r"(\r\n|[\n\r\x0b\x0c\x85\u2028\u2029])")
_WRAPPED = re.compile(r"^.{59,}[\w,] ?$", re.DOTALL)
_BREAKS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class Layout:
    """Sentences of one text, and the spacing around them: `gaps` is one longer than `sentences`."""

    sentences: tuple[str, ...]
    gaps: tuple[str, ...]

    @classmethod
    def cut(cls, text: str, places: Iterable[tuple[int, int]]) -> Layout:
        """The layout of `text` with sentences at these places; joining them again gives `text`."""
        sentences, gaps, position = [], [], 0
        for start, stop in places:
            sentences.append(text[start:stop])
            gaps.append(text[position:start])
            position = stop
        return cls(tuple(sentences), (*gaps, text[position:]))

    def join(self, sentences: tuple[str, ...]) -> str:
        """The text with other `sentences` (one per original) in the original spacing."""
        parts = [self.gaps[0]]
        for sentence, gap in zip(sentences, self.gaps[1:], strict=True):
            parts += (sentence, gap)
        return "".join(parts)


_NOTHING = Layout((), ("",))


def split(text: str) -> Layout:
    """Cut `text` into sentences with razdel; joining them again gives `text`."""
    return Layout.cut(text, [(span.start, span.stop) for span in sentenize(text)] if text.strip() else ())


def by_lines(text: str, cut: Callable[[str], Layout]) -> Layout:
    """The layout of a text of several lines, each of which `cut` cuts by itself.

    A break ends a sentence, and the mark of a list stands before one. Where a paragraph is wrapped (a long line without
    a mark at its end, before one that begins with a small letter) the break is a space instead, also when the sentences
    are joined again.
    """
    sentences: list[str] = []
    gaps = [""]
    first, *parts = _LINE_BREAK.split(text)
    line = last = first
    for broken, following in [*zip(parts[::2], parts[1::2], strict=True), ("", "")]:
        if broken in ("\n", "\r\n") and _WRAPPED.search(last) and _goes_on(following):
            line, last = f"{line} {following}", following
            continue
        mark = _mark_of(line)
        layout = cut(line[len(mark) :]) if line else _NOTHING
        gaps[-1] += mark + layout.gaps[0]
        sentences += layout.sentences
        gaps += layout.gaps[1:]
        gaps[-1] += broken
        line = last = following
    return Layout(tuple(sentences), tuple(gaps))


def _goes_on(line: str) -> bool:
    """Whether a line may go on with what the one before it says, which is not an item of a list."""
    return line[:1].islower() and not LIST_MARK.match(line)


def _mark_of(line: str) -> str:
    """The mark of a list, or the dash of speech, that a line begins with.

    An English item without a stop is left whole: it is passed over as what it is.
    """
    item = line.lstrip()
    mark = LIST_MARK.match(item)
    if not mark or mark[0] == item or not (is_stopped(item.rstrip()) or has_cyrillic(item)):
        return ""
    return line[: len(line) - len(item) + mark.end()]


def skip_reason(sentence: str, language: str = "ru") -> str:
    """Why `sentence` is passed through unchanged, or an empty string where it may be rewritten."""
    if CONTROL.search(sentence):
        return "control characters"
    if language == "ru" and not has_cyrillic(sentence):
        return "no Cyrillic letters"
    return wrong_length(sentence, SHORTEST) or (no_english_sentence(sentence) if language == "en" else "")


def wrong_length(sentence: str, fewest: int) -> str:
    """Why a sentence of fewer words than `fewest`, or more than `LONGEST`, is passed through; empty for others."""
    if len(sentence) > _LONGEST_CHARACTERS:
        return f"more than {_LONGEST_CHARACTERS} characters"
    words = len(_WORD.findall(sentence))
    if words < fewest:
        return f"fewer than {fewest} words" if words else "no words"
    return f"more than {LONGEST} words" if words > LONGEST else ""


def no_english_sentence(sentence: str) -> str:
    """Why what is said to be English is passed through: code, an item of a list without a stop, in part Russian."""
    if _CODE.search(sentence):
        return "code"
    if LIST_MARK.match(sentence) and not is_stopped(sentence):
        return "an item of a list without a final stop"
    # Names and titles in Cyrillic letters stand in English sentences too.
    words = [word for word in _WORD.findall(sentence) if not word.istitle()]
    return "a quarter of its words or more are Cyrillic" if sum(map(has_cyrillic, words)) * 4 >= len(words) > 0 else ""


def is_stopped(sentence: str) -> bool:
    """Whether a mark that ends sentences is its last, but for quotation marks and brackets."""
    return _STOPPED.search(sentence) is not None


def has_cyrillic(text: str) -> bool:
    """Whether a Russian letter is in it."""
    return _CYRILLIC.search(text) is not None


def length_fault(text: str, *, sentences: int | None, max_words: int | None) -> str:
    """What keeps `text` from having so many `sentences`, or at most `max_words` in each; empty where nothing does."""
    parts = split(text).sentences if sentences is not None or max_words is not None else ()
    if sentences is not None and len(parts) != sentences:
        return f"{len(parts)} sentence{'s' if len(parts) != 1 else ''}, not {sentences}"
    if max_words is not None and (longest := max(map(count_words, parts), default=0)) > max_words:
        return f"a sentence of {longest} words, more than {max_words}"
    return ""


def count_words(text: str) -> int:
    """Words between spaces that have a letter or a digit: *какой-нибудь* is one, so is *2020*."""
    return sum(any(character.isalnum() for character in word) for word in text.split())


def one_line(text: str) -> str:
    """`text` without surrounding space, its line breaks and control characters replaced by a space each run."""
    return _BREAKS.sub(" ", text).strip()
