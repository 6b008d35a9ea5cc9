"""Quantity without a number: parts, wholes, superlatives and «one of»."""

from __future__ import annotations

from collections.abc import Sequence

from rerank.facts.words import Word

__all__ = ["Quantities", "find_quantities"]

_QUANTIFIERS = {
    "часть": "part", "некоторый": "part", "некоторые": "part", "какой-то": "part", "несколько": "several",
    "ряд": "several", "множество": "many", "многие": "many", "многий": "many", "много": "many",
    "большинство": "most", "меньшинство": "minority", "весь": "all", "каждый": "all", "немногие": "minority", "немногий": "minority", "половина": "half",
}  # fmt: skip
_MOST = frozenset({"больший", "большой", "основной", "значительный", "подавляющий", "преобладающий"})
_FORMS = frozenset({"все", "всех", "всем", "всеми"})
_SMALL = frozenset({"малый", "меньший", "небольшой", "незначительный", "какой-то", "некоторый", "лишь"})
_SUPERLATIVE = frozenset({"самый", "наиболее", "наименее"})
_EXTREME = (
    "преобладающ",
    "основн",
    "главн",
    "ключев",
    "максимал",
    "минимал",
    "ведущ",
    "предпочт",
    "всего",
    "лучш",
    "крупнейш",
    "рекорд",
)
_WHOLE = ("весь", "все", "всю", "вся", "кажд", "люб", "общ", "полност", "целик", "ежегод", "ежедн", "везде")
_ONLY = frozenset({"только", "лишь", "исключительно", "один"})
_AMONG = frozenset({"среди", "числе", "числа", "ряду"})
_REACH = 4


class Quantities:
    """Quantifier classes by the noun they count, what «один из» ranges over, superlatives and words of exclusion."""

    __slots__ = ("among", "by_noun", "extreme", "only", "sole", "superlatives", "whole")

    def __init__(self) -> None:
        self.by_noun: dict[str, dict[str, str]] = {}
        self.superlatives: dict[str, str] = {}
        self.among: set[str] = set()
        self.only = False
        self.sole = ""
        self.extreme = False
        self.whole = False


def find_quantities(words: Sequence[Word]) -> Quantities:
    """Quantifiers, superlatives and partitives of a text."""
    found = Quantities()
    for i, word in enumerate(words):
        if word.kind != "word":
            continue
        kind = _class(words, i)
        if kind:
            noun = _counted(words, i)
            if noun is not None and (kind != "all" or word.lemma == "каждый" or words[noun].plural):
                for key in words[noun].keys:
                    found.by_noun.setdefault(key, {}).setdefault(kind, f"{word.text} {words[noun].text}")
        elif word.superlative or word.low in _SUPERLATIVE or word.lemma == "самый":
            if not _same_thing(words, i):
                found.superlatives.setdefault(word.stem, word.text)
        elif word.lemma == "единственный":
            found.sole = word.text
        found.whole = found.whole or word.low.startswith(_WHOLE)
        found.only = found.only or word.lemma in _ONLY
        found.extreme = found.extreme or word.low.startswith(_EXTREME)
        if word.low in _AMONG or (word.lemma == "один" and i + 1 < len(words) and words[i + 1].low == "из"):
            for other in words[i + 1 : i + 6]:
                found.among.update(other.keys)
                if other.top == "NOUN":
                    break
    return found


def _same_thing(words: Sequence[Word], i: int) -> bool:
    """«тот же самый», «на самом деле», «до самого конца»: no superlative."""
    before = words[i - 1].low if i else ""
    following = words[i + 1] if i + 1 < len(words) else None
    if words[i].lemma != "самый":
        return False
    return before in {"же", "тем", "этот", "это"} or following is None or following.top not in {"ADJF", "PRTF"}


def _class(words: Sequence[Word], i: int) -> str:
    word = words[i]
    if word.low in _FORMS:
        following = words[i + 1] if i + 1 < len(words) else None
        return "all" if following is not None and following.top in {"NOUN", "ADJF", "PRTF"} else ""
    if word.lemma == "весь":
        return ""
    kind = _QUANTIFIERS.get(word.low) or _QUANTIFIERS.get(word.lemma, "")
    return _part(words, i) if word.lemma == "часть" else kind


def _part(words: Sequence[Word], i: int) -> str:
    """«большая часть», «часть территории», but not «северная часть», «части машины», «стал частью»."""
    before = words[i - 1] if i else None
    if words[i].low not in {"часть", "части"} or (
        words[i].low == "части" and (before is None or before.kind == "mark")
    ):
        return ""
    if before is not None and before.lemma in _MOST:
        return "most"
    if before is not None and (before.low in {"это", "как"} or before.text in {"—", "–", "-"}):
        return ""
    if before is not None and before.top in {"ADJF", "PRTF"} and before.lemma not in _SMALL:
        return ""
    if words[i].low == "части" and before is not None and before.top != "ADJF":
        return ""
    return "part"


def _counted(words: Sequence[Word], i: int) -> int | None:
    for j in range(i + 1, min(i + 1 + _REACH, len(words))):
        if words[j].kind == "mark" and words[j].text not in {"«", '"'}:
            return None
        if words[j].top == "NOUN":
            return j
        if words[j].top not in {"ADJF", "PRTF", "NUMR", "ADVB"} and words[j].low != "из":
            return None
    return None
