"""Filters of texts that are no rewrite of the source, or that show what went wrong in writing them."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from rerank.frequency import fold
from rewrite.cleaning.context import CLOSERS, Context, Filter, begins_like, language, words
from rewrite.cleaning.invention import invented_words
from rewrite.cleaning.repairs import DANGLING, LOST, SPECIAL, is_complete

_FINAL = re.compile(rf"[\s.!?…{CLOSERS}«„‘]+$")
_SPACE = re.compile(r"\s+")
_SAME = str.maketrans("«»„“”‘’'–—−", '""""""""---')


def empty(text: str, context: Context) -> bool:
    """Rejects a text without a letter."""
    return not any(map(str.isalpha, text))


def lost_characters(text: str, context: Context) -> bool:
    """Rejects a text in which the tokenizer lost a letter, so that a word is broken."""
    return LOST.search(text) is not None


def prompt_leakage(text: str, context: Context) -> bool:
    """Rejects a text with a piece of the prompt or a special token in it, more often than in the source."""
    pieces = (*SPECIAL.findall(text), *filter(_telling, context.markers))
    return any(text.count(piece) > context.source.count(piece) for piece in pieces)


def unfinished(text: str, context: Context) -> bool:
    """Rejects a text that breaks off: the model had no room, or it ends in a comma, colon, dash or open bracket."""
    if not context.finished and not is_complete(text):
        return True
    end = DANGLING.search(text)
    return end is not None and not context.source.rstrip().endswith(end.group().strip())


def copy_of_the_source(text: str, context: Context) -> bool:
    """Rejects the source itself, up to case, spacing, ё or е, the shape of quotes and dashes and the final mark."""
    return _bare(text) == _bare(context.source)


def much_longer(text: str, context: Context) -> bool:
    """Rejects a text of more than twice the words of the source and five."""
    return len(words(text)) > 2 * len(words(context.source)) + 5


def _telling(marker: str) -> bool:
    """Whether a piece of a prompt is more than punctuation that any text may have."""
    piece = marker.strip()
    return any(map(str.isalpha, piece)) or len(piece) >= 3


def _bare(text: str) -> str:
    return _SPACE.sub(" ", _FINAL.sub("", fold(text)).translate(_SAME)).strip()


_WORD = re.compile(r"[^\W\d_]+")
# Russians type Roman numerals with their own letters too: «ХХ», «ХIV».
_NUMERAL_LIKE = str.maketrans("хсмі", "xcmi")
# Raised letters and the sign of «микро» are letters to Unicode, but of no script.
_OF_NO_SCRIPT = frozenset({"MODIFIER", "MASCULINE", "FEMININE", "MICRO", "OHM", "KELVIN", "ANGSTROM"})


def another_alphabet(text: str, context: Context) -> bool:
    """Rejects a word that the source has not, whatever its case, with letters of an alphabet that the source is not in.

    A Russian source is in Cyrillic, whatever Latin words or Roman numerals it has; so is no word with letters of both.
    """
    known = {"CYRILLIC"} if language(context.source) == "ru" else _scripts(context.source)
    there = set(_plain_words(context.source))
    there |= {word.translate(_NUMERAL_LIKE) for word in there}
    new = (_scripts(word) for word in _plain_words(text) if word not in there)
    return any(scripts - known - _OF_NO_SCRIPT or {"LATIN", "CYRILLIC"} <= scripts for scripts in new)


def _plain_words(text: str) -> list[str]:
    """Runs of letters, in lower case and without accents."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return _WORD.findall(bare.lower())


def _scripts(text: str) -> set[str]:
    """The writing systems of the letters as Unicode names them: `LATIN`, `CYRILLIC`, `CJK`…"""
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha()}


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


def refusal(text: str, context: Context) -> bool:
    """Rejects a model's refusal, or its request for the text («Извините, я не могу…», “As an AI…”)."""
    start = fold(text).lstrip('«"“ ')
    matches = (pattern.match(start) for pattern in _REFUSALS)
    return any(match is not None and not begins_like(context.source, match.group()) for match in matches)


_TOKEN = r"[^\W_]+(?:[-'’][^\W_]+)*"
# Begins with no mark that stands within words, so that each text can be read in one way: else time doubles with each.
_GAP = r"[^\w.!?…'’-][^\w.!?…]*"
# A word or two with nothing but space between, or three to eight words without the end of a sentence among them: what
# stands on both sides of one, as in «…Западных тюрок. Западные тюрки…», is how a sentence is split.
_TWICE = re.compile(
    rf"(?<![\w'’-])(?:({_TOKEN}(?:\s+{_TOKEN})?)\s+\1|({_TOKEN}(?:{_GAP}{_TOKEN}){{2,7}}){_GAP}\2)(?![\w'’-])"
)
_STOP = re.compile(r"[.!?…]+\s+|[.!?…]*$")
# Words that may stand twice in a row: «еле еле», “had had”, “that that”.
_MAY_DOUBLE = frozenset(
    """очень да нет ну вот так чуть еле едва давно долго много все что то далеко тихо ха хи ой ай ого
    had that very so no bye ha long far many more really never again there""".split()
)


def repeated_words(text: str, context: Context) -> bool:
    """Rejects a word, phrase or sentence twice in a row, unless the source repeats it so."""
    return not _repeated(text) <= _repeated(context.source)


def _repeated(text: str) -> set[str]:
    folded = fold(text)
    phrases = {match[1] or match[2] for match in _TWICE.finditer(folded)}
    sentences = map(str.strip, _STOP.split(folded))
    phrases |= {sentence for sentence, following in pairwise(sentences) if sentence == following}
    return {phrase for phrase in phrases if any(map(str.isalpha, phrase)) and not set(words(phrase)) <= _MAY_DOUBLE}


FILTERS: tuple[Filter, ...] = (
    empty,
    lost_characters,
    prompt_leakage,
    refusal,
    unfinished,
    copy_of_the_source,
    another_alphabet,
    repeated_words,
    much_longer,
    # Last, since it alone reads a dictionary.
    invented_words,
)
"""In the order in which they are asked."""
