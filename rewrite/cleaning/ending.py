"""How a text ends: repairs of its end, and the filter of texts that have none."""

from __future__ import annotations

import re

from rerank.segmentation import sentences
from rewrite.cleaning.context import CLOSERS, Context

__all__ = ["final_mark", "unfinished", "unfinished_end"]

_MARK = re.compile(rf"([.!?…]{{1,3}})[{CLOSERS}\s]*$")
# A full stop after so short a word may belong to it («г.», «ул.», “Mr.”), so a cut there need not be an end.
_ABBREVIATION = re.compile(
    r"(?:^|[\s(«\"])(?:[^\W\d_]{1,2}|тыс|млн|млрд|руб|коп|стр|проф|акад|Mrs|Prof|Gen|etc|vol|vs)\.$", re.IGNORECASE
)
_DANGLING = re.compile(r"(?:[,:;(«„\[]|(?:^|\s)[—–-])$")


def unfinished_end(text: str, context: Context) -> str:
    """Cuts a text that the model had no room to finish back to its last complete sentence."""
    if context.finished or _complete(text):
        return text
    whole = [stop for _, stop, sentence in sentences(text) if _complete(sentence)] if text.strip() else []
    return text[: whole[-1]] if whole else text


def final_mark(text: str, context: Context) -> str:
    """Adds the mark by which the source ends where a finished text ends in none."""
    mark = _MARK.search(context.source)
    if mark is None or not context.finished or _MARK.search(text) or _DANGLING.search(text):
        return text
    return text + mark[1] if any(map(str.isalnum, text)) else text


def unfinished(text: str, context: Context) -> str:
    """Rejects a text that breaks off: the model had no room, or it ends in a comma, colon, dash or open bracket."""
    if not context.finished and not _complete(text):
        return "unfinished: the model was cut off before the end of a sentence"
    end = _DANGLING.search(text)
    if end is None or context.source.rstrip().endswith(end.group().strip()):
        return ""
    return f"unfinished: ends in {end.group().strip()}"


def _complete(text: str) -> bool:
    return _MARK.search(text) is not None and _ABBREVIATION.search(text) is None
