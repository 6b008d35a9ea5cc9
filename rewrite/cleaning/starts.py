"""Repairs of what stands before the rewrite: a chatty preamble, a label, a list mark."""

from __future__ import annotations

import re

from rerank.frequency import fold
from rewrite.cleaning.context import BREAKS, Context, begins_like, words

__all__ = ["label", "list_mark", "preamble"]

_YES = r"(?:конечно|разумеется|безусловно|хорошо|отлично|да|sure(?: thing)?|certainly|of course|absolutely|ok(?:ay)?)"
_OPENED = rf"(?:{_YES}[!,.]\s*)?"
_MADE = (
    r"(?:упрощ[её]н(?:но|н\w+)|упрощение|перефраз\w+|переформулир\w+"
    r"|simplified|simplification|simpler|re-?written|re-?write|rephrased|reworded|paraphrased?)"
)
_MAY, _MAKE = r"(?:можно|(?:can|could|would) be)", r"(?:упростить|перефразировать|переписать|переформулировать)"
_WORK = rf"(?:{_MADE}|вариант|верси|предложени|текст|ответ|version|sentence|text|answer|option)"
_SAID = r"[^:.!?\n]"
_OVER = rf"[^\S{BREAKS}]*[:{BREAKS}]\s*"
_PREAMBLES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_OPENED}(?:вот|ниже|here(?:['’]s| is| are)|below is)\b{_SAID}{{0,60}}{_WORK}{_SAID}{{0,60}}:\s*(?=\S)",
        rf"{_OPENED}(?:(?:the|a|более)\s)?{_MADE}(?:[^\S{BREAKS}]+\w+){{0,3}}{_OVER}(?=\S)",
        rf"(?:исходн\w+|original)\b[^{BREAKS}]*[{BREAKS}]\s*(?=\W*(?:the\s|a\s|более\s)?{_MADE})",
        rf"{_SAID}{{0,60}}{_MAY}\s(?:{_MAKE}|{_MADE}){_SAID}{{0,40}}:\s*(?=\S)",
        rf"{_YES}!\s+(?=\S)",
    )
)
_FIRST_LINE = re.compile(rf"[^{BREAKS}]{{1,100}}:[^\S{BREAKS}]*[{BREAKS}]\s*(?=\S)")
_STEM = re.compile(r"упро[щс]|перефраз|переформул|simpl|re-?wr|rephras|reword|paraphras", re.IGNORECASE)
_PLAIN = r"(?:более\s)?(?:прост|нов|коротк|кратк|итогов)(?:ой|ый|ий|ое|ая)|simple|new|short|final|plain"
_NAMES = (
    r"ответ|вариант|версия|предложение|текст|результат|вывод"
    r"|answer|option|version|sentence|text|result|output|response|assistant"
)
_LABEL = re.compile(rf"(?:(?:{_PLAIN})\s)?(?:{_NAMES})(?:\s\d{{1,2}})?{_OVER}(?=\S)", re.IGNORECASE)
_LIST_MARK = re.compile(r"(?:[-–—•·*▪●○►✓+→]|[-=]>|\d{1,2}[.)]|[^\W\d_]\))\s+(?=[\"'«“„(]?[^\W_])")


def preamble(text: str, context: Context) -> str:
    """Removes what a chat model says before the rewrite, such as “Here is a simpler version:”."""
    start = text.lstrip()
    for pattern in _PREAMBLES:
        match = pattern.match(start)
        if match is not None and not _owed_to(context.source, match.group()):
            return start[match.end() :]
    line = _FIRST_LINE.match(start)
    return text if line is None or _stems(line.group()) & _stems(context.source) else start[line.end() :]


def label(text: str, context: Context) -> str:
    """Removes a label such as `Ответ:` or `Answer:` from the start."""
    start = text.lstrip()
    match = _LABEL.match(start)
    return text if match is None or begins_like(context.source, match.group()) else start[match.end() :]


def list_mark(text: str, context: Context) -> str:
    """Removes a bullet or number from the start, unless the source begins with one."""
    match = _LIST_MARK.match(text)
    return text if match is None or _LIST_MARK.match(context.source.lstrip()) else text[match.end() :]


def _owed_to(source: str, start: str) -> bool:
    """Whether `start` comes from the source, which begins so or speaks of simplifying too."""
    stem = _STEM.search(start)
    return begins_like(source, start) or (stem is not None and stem.group().lower() in source.lower())


def _stems(text: str) -> set[str]:
    """The beginnings of the longer words: a line that shares none with the source is not about what it is about."""
    return {fold(word)[:5] for word in words(text) if len(word) >= 5}
