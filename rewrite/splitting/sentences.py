"""The sentences of an English text, each to be split by itself."""

from __future__ import annotations

import re

from rewrite.compression.sentences import sentences_of
from rewrite.layout import Layout

__all__ = ["sentences_in"]

# A stop before a number ends no sentence after these: *No. 5*, *vol. 2*, *pp. 3–9*.
_COUNTED = re.compile(r"\b(?:nos?|vols?|figs?|secs?|arts?|chs?|pp?|pts?|eds?|approx|ca|c)\.$", re.IGNORECASE)
# A stop before a name ends none after these.
_TITLES = re.compile(r"\b(?:Fr|Br|Msgr|Cpl|Pvt)\.$")
_ABBREVIATED = re.compile(r"\b[A-Z][A-Za-z]?\w{0,2}\.$")
_NUMBER = re.compile(r"[\d#£$€(]*\d|[IVXLC]+\b")


def sentences_in(text: str) -> Layout:
    """The sentences of `text` and what stands between them; joining them again gives `text`."""
    found = sentences_of(text, "en")
    sentences: list[str] = []
    gaps = [found.gaps[0]]
    for sentence, gap in zip(found.sentences, found.gaps[1:], strict=True):
        if sentences and _goes_on(sentences[-1], sentence):
            sentences[-1] += gaps.pop() + sentence
        else:
            sentences.append(sentence)
        gaps.append(gap)
    return Layout(sentences=tuple(sentences), gaps=tuple(gaps))


def _goes_on(before: str, sentence: str) -> bool:
    """Whether the stop at the end of `before` is that of an abbreviation."""
    if sentence[:1] in ",;" or (before.endswith("Ph.") and sentence.startswith("D.")):
        return True
    if sentence[:1].islower() and _ABBREVIATED.search(before):
        return True
    if _TITLES.search(before):
        return sentence[:1].isupper()
    return bool(_COUNTED.search(before) and _NUMBER.match(sentence))
