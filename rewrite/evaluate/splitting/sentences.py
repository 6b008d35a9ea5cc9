"""How many sentences an output has."""

from __future__ import annotations

import re

from rerank.analysis import Analysis

__all__ = ["MARKS", "count_sentences", "marked_sentences", "without_marks"]

MARKS = re.compile(r"<::::>|<SEP>|\n")
"""What some systems put between sentences; no word of the output."""

# After these a stop ends no sentence: a name or a number follows.
_TITLES = frozenset(
    """
    adm brig bros capt cmdr col cpl cpt dr fr ft gen gov hon lt maj messrs mr mrs ms mt no nos pres prof rep rev sen
    sgt sr st supt approx ca cf eds et fig figs pp sq vol vols vs
    """.split()
)  # fmt: skip
_LAST_WORD = re.compile(r"([^\W\d_]+)\s?\.$")
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

    Those of the parser, but none ends at *Col.* or *No.*, or where what follows begins with a comma or a small letter
    (*'' Impact ! '' , he …*), and none is without a word.
    """
    count = 0
    before = ""
    for sentence in analysis.sentences:
        text = sentence.text.strip()
        if not _WORD.search(text):
            continue
        if not before or not _goes_on(before, text):
            count += 1
        before = text
    return count


def _goes_on(before: str, text: str) -> bool:
    last = _LAST_WORD.search(before)
    return (last is not None and last[1].lower() in _TITLES) or _CONTINUES.match(text) is not None
