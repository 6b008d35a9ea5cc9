"""A chat model that says that it will not, or cannot, do what it was asked."""

from __future__ import annotations

import re

from rerank.frequency import fold
from rewrite.cleaning.context import Context, begins_like

__all__ = ["refusal"]

_SORRY = (
    r"(?:(?:извини(?:те)?|прости(?:те)?|прошу прощения|к сожалению|увы|but|но|sorry|i['’]?m(?: very)? sorry"
    r"|i am(?: very)? sorry|i apologi[sz]e|my apologies|unfortunately)[,.!:;]*\s+)*"
)
_MODEL = (
    r"(?:языковая модель|искусственный интеллект|ии|ассистент"
    r"|(?:an? )?(?:ai(?: assistant| language model)?|(?:large )?language model))"
)
_GIVE = r"(?:пришлите|предоставьте|укажите|введите)"
_DO = (
    r"(?:помо[чг]\w*|помогать|упро[сщ]\w+|перефраз\w+|переп\w+|переформул\w+|выполн\w+|ответ\w+|обработ\w+"
    r"|предостав\w+|сдела\w+|обсужда\w+|help|assist|simplif\w+|re-?write|rephrase|split|do that|comply|answer"
    r"|provide|process|fulfil\w*)"
)
_REFUSALS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_SORRY}(?:я )?не (?:могу|смогу|в состоянии|в силах) (?:вам )?(?:с этим )?{_DO}\b",
        rf"{_SORRY}(?:i )?(?:can['’]?t|cannot|can not|am unable to|won['’]?t|am not able to) {_DO}\b",
        rf"{_SORRY}(?:я как|я|как|as|i['’]?m|i am)(?: an?)? {_MODEL}(?:[,.!]|$| я\b| i\b)",
        rf"{_SORRY}(?:пожалуйста,? )?{_GIVE}(?: мне)?(?: \w+)? (?:текст|предложение)\b",
        rf"{_SORRY}(?:please )?(?:provide|send|give) (?:me )?(?:the|a) (?:text|sentence)\b",
    )
)


def refusal(text: str, context: Context) -> str:
    """Rejects a model's refusal, or its request for the text («Извините, я не могу…», “As an AI…”)."""
    start = fold(text).lstrip('«"“ ')
    for pattern in _REFUSALS:
        match = pattern.match(start)
        if match is not None and not begins_like(context.source, match.group()):
            return "refusal"
    return ""
