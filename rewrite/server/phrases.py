"""What is said to people about a rewrite, in English and in Russian."""

from __future__ import annotations

import re
from collections.abc import Callable

from rewrite.server.schemas import Ui

_PHRASES = {
    "common": ("simpler words: {}", "слова проще: {}"),
    "shorter_words": ("shorter: {}", "короче: {}"),
    "form": ("another form of the word", "другая форма слова"),
    "other": ("in other words: {}", "другими словами: {}"),
    "marks": ("marks or capitals", "знаки или прописные буквы"),
    "delete": ("left out: {}", "выпало: {}"),
    "loss": ("left out: {}", "выпало: {}"),
    "insert": ("added: {}", "добавлено: {}"),
    "split": ("a new sentence begins here", "отсюда новое предложение"),
    "order": ("another order of words", "другой порядок слов"),
    "shorter": ("shorter", "короче"),
    "lexical": ("simpler words", "слова проще"),
    "depth": ("simpler structure", "строение проще"),
    "readability": ("easier to read", "легче читать"),
    "brevity": ("shorter sentences", "предложения короче"),
    "sentences": ("{} sentences instead of {}", "предложений {} вместо {}"),
    "source": ("the sentence stands: no candidate is better", "оставлено как было: лучшего варианта нет"),
    "none": ("the sentence stands: there is no candidate", "оставлено как было: вариантов нет"),
    "blocked": (
        "the sentence stands: every candidate is blocked ({})",
        "оставлено как было: все варианты отклонены ({})",
    ),
    "quote": ("“{}”", "«{}»"),
}
"""What was done and why, in English and in Russian."""

_ADVICE = {
    "delete": ("leave out {}", "можно убрать: {}"),
    "loss": ("this leaves out {}", "при этом выпадет: {}"),
    "insert": ("add {}", "можно добавить: {}"),
    "split": ("begin a new sentence here", "здесь можно начать новое предложение"),
}
"""The same as what may be done, where that is said otherwise."""

_SKIPPED = {
    "control characters": "управляющие символы",
    "no Cyrillic letters": "нет кириллицы",
    "no words": "нет слов",
    r"fewer than (\d+) words": r"меньше \1 слов",
    r"more than (\d+) words": r"больше \1 слов",
    r"more than (\d+) characters": r"больше \1 знаков",
    "code": "программный код",
    "an item of a list without a final stop": "пункт списка без точки в конце",
    "a quarter of its words or more are Cyrillic": "четверть слов или больше — кириллицей",
    r"--generator (\S+) is for Russian, .*": r"Генератор \1 пишет только по-русски.",
    r"--generator (\S+) is for English, .*": r"Генератор \1 пишет только по-английски.",
    r"It does not look like Russian or English\.": "Не похоже ни на русский, ни на английский.",
    r"It does not look like Russian\.": "Не похоже на русский.",
    r"It does not look like English\.": "Не похоже на английский.",
}
"""Reasons to pass a sentence over, as patterns, and in Russian."""

Say = Callable[..., str]


def phrase(ui: Ui, name: str, *filled: object) -> str:
    """What was done."""
    return _PHRASES[name][ui == "ru"].format(*filled)


def advice(ui: Ui, name: str, *filled: object) -> str:
    """What may be done."""
    return _ADVICE.get(name, _PHRASES[name])[ui == "ru"].format(*filled)


def skip_phrase(ui: Ui, reason: str) -> str:
    """Why a sentence was passed over; what comes from elsewhere, as of a model's server, stays as it is."""
    for pattern, russian in _SKIPPED.items() if ui == "ru" else ():
        if match := re.fullmatch(pattern, reason, re.DOTALL):
            return match.expand(russian)
    return reason
