"""Quantity without a number: parts, wholes, superlatives and «one of»."""

from __future__ import annotations

from collections.abc import Sequence

from rerank.facts.words import Word

__all__ = ["Quantities", "find_quantities"]

_QUANTIFIERS = {
    "часть": "part", "некоторый": "part", "некоторые": "part", "отдельный": "part", "несколько": "several",
    "ряд": "several", "множество": "many", "многие": "many", "многий": "many", "много": "many",
    "большинство": "most", "меньшинство": "minority", "весь": "all", "каждый": "all", "любой": "all",
    "всякий": "all", "немногие": "minority", "немногий": "minority", "половина": "half", "мало": "minority",
}  # fmt: skip
_MOST = frozenset({"больший", "большой", "основной", "значительный", "подавляющий", "преобладающий"})
_FORMS = {"все": "all", "всех": "all", "всем": "all", "всеми": "all", "всю": "all", "вся": "all", "всей": "all"}
_SUPERLATIVE = frozenset({"самый", "наиболее", "наименее", "максимально"})
_UNIQUE = {"только": "only", "лишь": "only", "исключительно": "only", "единственный": "only"}
_AMONG = frozenset({"среди", "числе", "числа", "ряду"})
_REACH = 4


class Quantities:
    """Quantifier classes by the noun they count, what «один из» ranges over, superlatives and words of exclusion."""

    __slots__ = ("among", "by_noun", "first", "nouns", "only", "superlatives")

    def __init__(self) -> None:
        self.by_noun: dict[str, dict[str, str]] = {}
        self.nouns: dict[str, int] = {}
        self.superlatives: dict[str, str] = {}
        self.only: dict[str, str] = {}
        self.among: set[str] = set()
        self.first = ""


def find_quantities(words: Sequence[Word]) -> Quantities:
    """Quantifiers, superlatives and partitives of a text."""
    found = Quantities()
    for i, word in enumerate(words):
        if word.kind != "word":
            continue
        kind = _class(words, i)
        if kind:
            noun = _counted(words, i)
            if noun is not None:
                for key in words[noun].keys:
                    found.by_noun.setdefault(key, {}).setdefault(kind, f"{word.text} {words[noun].text}")
        elif word.low in _UNIQUE or word.lemma in _UNIQUE:
            found.only.setdefault("only", word.text)
        elif word.superlative or word.low in _SUPERLATIVE or word.lemma == "самый":
            found.superlatives.setdefault(word.stem, word.text)
        if word.low in _AMONG or (word.lemma == "один" and i + 1 < len(words) and words[i + 1].low == "из"):
            for other in words[i + 1 : i + 5]:
                found.among.update(other.keys)
                if other.top == "NOUN":
                    break
    return found


def _class(words: Sequence[Word], i: int) -> str:
    word = words[i]
    if word.low in _FORMS:
        following = words[i + 1] if i + 1 < len(words) else None
        return "all" if following is not None and following.top in {"NOUN", "ADJF", "PRTF"} else ""
    kind = _QUANTIFIERS.get(word.low) or _QUANTIFIERS.get(word.lemma, "")
    if word.lemma == "весь" and word.low in {"все", "всего", "всем"}:
        return ""
    if kind == "part" and word.lemma == "часть" and i and words[i - 1].lemma in _MOST:
        return "most"
    return kind


def _counted(words: Sequence[Word], i: int) -> int | None:
    for j in range(i + 1, min(i + 1 + _REACH, len(words))):
        if words[j].kind == "mark" and words[j].text not in {"«", '"'}:
            return None
        if words[j].top == "NOUN":
            return j
        if words[j].top not in {"ADJF", "PRTF", "NUMR", "ADVB"} and words[j].low != "из":
            return None
    return None
