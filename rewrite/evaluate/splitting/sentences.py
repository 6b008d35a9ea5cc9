"""How many sentences an output has."""

from __future__ import annotations

import re

from rerank.analysis import Analysis
from rewrite.evaluate.splitting.closed import FUNCTION_WORDS

__all__ = ["MARKS", "count_sentences", "marked_sentences", "without_marks"]

MARKS = re.compile(r"<::::>|<SEP>|\n")
"""What some systems put between sentences; no word of the output."""

# After these a stop ends no sentence unless a function word follows: a name or a number does.
_TITLES = frozenset(
    """
    adm brig bros capt cmdr col cpl cpt dr fr ft gen gov hon lt maj messrs mr mrs ms mt no nos pres prof rep rev sen
    sgt sr st supt approx ca cf eds et fig figs pp sq vol vols vs
    """.split()
)  # fmt: skip
_TITLE = re.compile(r"([^\W\d_]+)\s?\.$")
# A stop that stands alone is that of a sentence; I is more often a numeral than a name.
_INITIAL = re.compile(r"(?<![^\W_])[A-HJ-Z]\.$")
# Part of a number that was torn (6 . 2 million), rather than a year.
_FEW_DIGITS = re.compile(r"(?<!\d)\d{1,3}\s?\.$")
_OPEN = re.compile(r"[:;,]$")
_CONTINUES = re.compile(r"""["'”’»)\]]*\s*(?:[,;:)\]]|[^\W\d_A-Z][^\W\d_]*\b(?!\.))""")
_WORD = re.compile(r"[^\W_]")


def marked_sentences(output: str) -> int:
    """How many sentences the marks of `output` say there are, 0 where it has none."""
    return sum(bool(part.strip()) for part in MARKS.split(output)) if MARKS.search(output) else 0


def without_marks(output: str) -> str:
    """`output` as one text, its spaces evened out."""
    return " ".join(MARKS.sub(" ", output).split())


def count_sentences(analysis: Analysis) -> int:
    """Sentences of an analysed text, at least 1 where it has a word.

    Those of the parser that have a word, but none ends at an abbreviation or an initial before a name (*Col.*, *J.*),
    at a colon or inside a number, nor where a comma or a small letter follows (*'' Impact ! '' , he …*).
    """
    count = 0
    before = ""
    for sentence in analysis.sentences:
        text = sentence.text.strip()
        if not _WORD.search(text):
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
    return following is not None and following[0].lower() not in FUNCTION_WORDS
