"""A text cut into the sentences to rewrite and everything between them, which is kept as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

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
_ONE_MARK = r"""(?:-{1,3}|[–—•·*▪●○►✓+→]|[-=]>|\#{1,6}|>{1,3}|\[[ xX]\]|
    §+\s?\d[\d.]*|\d{1,2}[.)]|\(?(?:\d{1,2}|[^\W\d_])\)
    |\d{1,3}(?:\.\d{1,3})+[.)]|\d{1,3}(?:\.\d{1,3}){2,}|[IVXLC]{2,6}[.)])\s+"""
LIST_MARK = re.compile(rf"(?:{_ONE_MARK})+(?=[\"'«“„(]?[^\W_]|$)", re.VERBOSE)
"""What a line of a list or a numbered paragraph begins with, and the space behind it."""
_DASH = re.compile(r"(?:-{1,3}|[–—])\s+(?=[\"'«“„(]?[^\W_])")
_DASH_BEFORE = re.compile(r"(?:-{1,3}|[–—])\s+$")
# What is said, and behind a dash who says it; a sentence may also begin with that: *— спросил он.*
_TELLER = re.compile(r"(?:-{1,3}|[–—])\s.*[,!?…][\"'»”]?\s+(?:-{1,3}|[–—])\s", re.DOTALL)
_TOLD = re.compile(r"(?:-{2,3}|[–—])\s+[a-zа-яё]")
_SPACE = r"[ \xa0]"
# Cells are parted by tabs, by columns of spaces, or by bars with a space on each side.
_BORDER = re.compile(
    rf"(?<!{_SPACE})(?:{_SPACE}*\t[ \xa0\t]*|{_SPACE}{{3,}}|{_SPACE}+[|│](?=\s|$){_SPACE}*|^[|│]{_SPACE}+)"
)
# In a row that has bars at both ends they need no space.
_BAR = re.compile(r"(?<![\\ \xa0\t])\s*(?<!\\)[|│]\s*")
_ROW = re.compile(r"\s*[|│].*[|│]\s*", re.DOTALL)
_STOPPED = re.compile(r"[.!?…][\"'”’»)]*$")
_CYRILLIC = re.compile(r"[а-яёА-ЯЁ]")
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
"""What keeps a sentence from being rewritten: it is passed through as it is."""
_TAG = re.compile(
    r"""</?(?:[abipu]|em|strong|span|div|su[bp]|br|hr|img|h[1-6]|[uo]l|li|table|t[dhr]|html|body|font)
    (?:\s+[a-z-]+=[^<>]*)?\s*/?>""",
    re.VERBOSE | re.IGNORECASE,
)
_LINE_BREAK = re.compile(r"(\r\n|[\n\r\x0b\x0c\x85\u2028\u2029])")
_WRAPPED = re.compile(r"^.{59,}[\w,] ?$", re.DOTALL)
_NARROW = 30
_FEW_LINES = 4
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
    """The layout of a text of several lines, each cell of which `cut` cuts by itself.

    A break, a tab or a bar between cells ends a sentence; the mark of a list or the dash of speech stands before one.
    Where a paragraph is wrapped (a long line without a mark at its end, before one that begins with a small letter) the
    break is a space instead, also when the sentences are joined again.
    """
    parts: list[Layout | str] = []
    first, *rest = _LINE_BREAK.split(text)
    line = last = first
    for broken, following in [*zip(rest[::2], rest[1::2], strict=True), ("", "")]:
        if broken in ("\n", "\r\n") and _is_wrapped(last, following):
            line, last = f"{line} {following}", following
            continue
        parts += (*_cells(line, cut), broken)
        line = last = following
    return _joined(parts)


def looks_wrapped(lines: Iterable[str]) -> bool:
    """Whether these lines of a file are paragraphs wrapped at some column, rather than a sentence or a paragraph each.

    Half of them or more break off before a small letter, where the next word had no room.
    """
    pairs = [(line, following) for line, following in pairwise(map(str.rstrip, lines)) if line and following]
    broken = [pair for pair in pairs if _is_broken_off(*pair)]
    if len(broken) < _FEW_LINES or 2 * len(broken) < len(pairs):
        return False
    # A word that is longer than a line, as an address, says nothing of the column.
    column = sorted(len(line) for line, _ in broken)[len(broken) * 19 // 20]
    roomy = sum(len(line) + 1 + len(following.split(maxsplit=1)[0]) <= column for line, following in broken)
    return 5 * roomy <= len(broken)


def _is_broken_off(line: str, following: str) -> bool:
    has_words = len(line) >= _NARROW and line.count(" ") >= 3
    return has_words and (line[-1].isalnum() or line[-1] == ",") and _goes_on(following)


def _joined(parts: Iterable[Layout | str]) -> Layout:
    """One layout of several and of what stands between them."""
    sentences: list[str] = []
    gaps = [""]
    for part in parts:
        layout = Layout((), (part,)) if isinstance(part, str) else part
        gaps[-1] += layout.gaps[0]
        sentences += layout.sentences
        gaps += layout.gaps[1:]
    return Layout(tuple(sentences), tuple(gaps))


def _cells(line: str, cut: Callable[[str], Layout]) -> Iterator[Layout | str]:
    """The sentences of each cell of a line; one that is no row is a cell."""
    place = 0
    border = _BAR if _ROW.fullmatch(line) else _BORDER
    borders = [match.span() for match in border.finditer(line)]
    for start, stop in [*((a, b) for a, b in borders if not _is_torn(line, a, b)), (len(line), len(line))]:
        cell = line[place:start]
        mark = _mark_of(cell)
        layout = cut(cell[len(mark) :]) if len(cell) > len(mark) else _NOTHING
        dash = _DASH_BEFORE.search(mark)
        if dash and layout.sentences and _TELLER.match(dash[0] + layout.sentences[0]):
            mark = mark[: dash.start()]
            layout = Layout((dash[0] + layout.sentences[0], *layout.sentences[1:]), layout.gaps)
        yield mark
        yield _speeches(layout)
        yield line[start:stop]
        place = stop


def _is_torn(line: str, start: int, stop: int) -> bool:
    """Whether a sentence goes on behind what stands there."""
    return line.endswith(",", 0, start) and line[stop : stop + 1].islower()


def is_border(gap: str) -> bool:
    """Whether what stands between two sentences parts cells of a row."""
    return "\n" not in gap and any(sign in gap for sign in ("\t", "|", "│", "   "))


def _speeches(layout: Layout) -> Layout:
    """The dash before each later sentence is none of its words, unless whose words they are stands there, too."""
    sentences, gaps = list(layout.sentences), list(layout.gaps)
    for i, sentence in enumerate(sentences):
        if i and (dash := _DASH.match(sentence)) and not is_speech(sentence):
            sentences[i] = sentence[dash.end() :]
            gaps[i] += dash[0]
    return Layout(tuple(sentences), tuple(gaps))


def begins_told(text: str) -> bool:
    """Whether the first sentence, dash and all, is said by one and told by another: *— Да, — сказал он.*"""
    return bool(_TELLER.match(next(iter(split(text).sentences), "")))


def is_speech(sentence: str) -> bool:
    """Whether a sentence is a line of a dialogue with the words of who tells it: *— Да, — сказал он.*"""
    return bool(_TELLER.match(sentence) or _TOLD.match(sentence))


def _is_wrapped(line: str, following: str) -> bool:
    return bool(_WRAPPED.search(line)) and _goes_on(following) and not _BORDER.search(line.rstrip())


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


def untouchable(sentence: str) -> str:
    """Why no task may rewrite `sentence`; empty where one may."""
    if CONTROL.search(sentence):
        return "control characters"
    if "\t" in sentence:
        return "a tab inside"
    if _TAG.search(sentence):
        return "tags of HTML"
    return "direct speech with words of its teller" if is_speech(sentence) else ""


def skip_reason(sentence: str, language: str = "ru") -> str:
    """Why `sentence` is passed through unchanged, or an empty string where it may be rewritten."""
    if reason := untouchable(sentence):
        return reason
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
