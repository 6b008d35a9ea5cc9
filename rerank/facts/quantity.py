"""Quantity without a number: parts, wholes, superlatives and «one of»."""

from __future__ import annotations

from collections.abc import Sequence

from rerank.facts.words import Word

__all__ = ["Quantities", "find_quantities"]

_QUANTIFIERS = {
    "часть": "part", "некоторый": "some", "некоторые": "some", "какой-то": "some", "несколько": "several",
    "ряд": "several", "множество": "many", "многие": "many", "многий": "many", "много": "many",
    "большинство": "most", "меньшинство": "minority", "весь": "all", "каждый": "all", "немногие": "minority",
    "немногий": "minority", "половина": "half",
}  # fmt: skip
_MOST = frozenset({"больший", "большой", "основной", "значительный", "подавляющий", "преобладающий"})
_NOMINAL = frozenset({"NOUN", "ADJF", "PRTF"})
_SOME = ("отдельн", "други", "проч", "различн", "иные", "ряд", "нескольк", "многи")
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
_WHOLE = frozenset(
    [
        "весь",
        "все",
        "каждый",
        "любой",
        "всякий",
        "общий",
        "всегда",
        "ежегодно",
        "ежедневно",
        "полностью",
        "целиком",
        "везде",
    ]
)
_ONLY = frozenset({"только", "лишь", "исключительно"})
_AMONG = frozenset({"среди", "числе", "число", "числа", "ряду"})
_REACH = 4


class Quantities:
    """Quantifier classes by the noun they count, what «один из» ranges over, superlatives and words of exclusion."""

    __slots__ = ("among", "by_noun", "extremes", "only", "sole", "some", "superlatives", "whole")

    def __init__(self) -> None:
        self.by_noun: dict[str, dict[str, str]] = {}
        self.superlatives: dict[str, tuple[str, frozenset[str]]] = {}
        self.among: set[str] = set()
        self.only = False
        self.sole = ""
        self.extremes: set[str] = set()
        self.whole = False
        self.some = False


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
        elif word.superlative or word.low in _SUPERLATIVE or _most(word):
            if not _same_thing(words, i):
                graded = _graded(words, i)
                found.superlatives.setdefault(graded.stem, (word.text, graded.keys))
        elif word.lemma == "единственный":
            found.sole = word.text
        found.some = found.some or word.low.startswith(_SOME)
        found.whole = found.whole or word.lemma in _WHOLE
        found.only = found.only or (word.lemma in _ONLY and (not i or words[i - 1].low != "не"))
        if word.low.startswith(_EXTREME):
            found.extremes.add(word.low[:5])
        if word.low in _AMONG or (word.lemma == "один" and i + 1 < len(words) and words[i + 1].low == "из"):
            for other in words[i + 1 : i + 6]:
                found.among.update(other.keys)
                if other.top == "NOUN":
                    break
    return found


def _most(word: Word) -> bool:
    """Forms of «самый», which in most cases are spelt like those of «сам»."""
    return word.lemma == "самый" or (word.lemma == "сам" and word.low not in {"сам", "сама", "само", "сами"})


def _graded(words: Sequence[Word], i: int) -> Word:
    """The adjective in the superlative: «самый большой», «наиболее крупный», «крупнейший»."""
    marker = words[i].low in _SUPERLATIVE or _most(words[i])
    return words[i + 1] if marker and i + 1 < len(words) else words[i]


def _same_thing(words: Sequence[Word], i: int) -> bool:
    """«тот же самый», «на самом деле», «до самого конца»: no superlative."""
    before = words[i - 1].low if i else ""
    following = words[i + 1] if i + 1 < len(words) else None
    if not _most(words[i]):
        return False
    return before in {"же", "тем", "этот"} or following is None or following.top not in {"ADJF", "PRTF"}


def _noun_follows(word: Word) -> bool:
    """Not «все эти пять книг»: that takes up what was named."""
    return word.top in _NOMINAL and word.lemma not in {"этот", "тот", "такой"}


def _class(words: Sequence[Word], i: int) -> str:
    word = words[i]
    if word.low in _FORMS:
        following = words[i + 1] if i + 1 < len(words) else None
        if i and words[i - 1].low == "из" and any(w.superlative or _most(w) for w in words[max(0, i - 5) : i]):
            return ""  # «самый большой из всех городов»: the range of a superlative
        return "all" if following is not None and (_noun_follows(following) or following.low == "из") else ""
    if word.lemma == "весь":
        return ""
    kind = _QUANTIFIERS.get(word.low) or _QUANTIFIERS.get(word.lemma, "")
    return _part(words, i) if word.lemma == "часть" else kind


def _part(words: Sequence[Word], i: int) -> str:
    """«большая часть» is most, «часть территории» a part; «северная часть», «стал частью» are neither.

    «части машины» may be a part or its components: `portion` says that it is unclear.
    """
    before = words[i - 1] if i else None
    if before is not None and before.lemma in _MOST:
        return "most"
    if before is not None and (before.low in {"это", "как"} or before.text in {"—", "–", "-"}):
        return ""
    agrees = before is not None and before.top in {"ADJF", "PRTF"} and not before.plural
    if agrees and before is not None and before.lemma not in _SMALL:
        return ""
    placed = before is not None and before.top == "PREP"
    return "part" if words[i].low == "часть" or placed or agrees else "portion"


def _counted(words: Sequence[Word], i: int) -> int | None:
    """The noun after the quantifier, or an adjective that stands for one («большинство больных»)."""
    last = None
    for j in range(i + 1, min(i + 1 + _REACH, len(words))):
        word = words[j]
        if word.kind == "mark" and word.text not in {"«", '"'}:
            return last
        if word.top == "NOUN":
            return j
        if word.top in {"ADJF", "PRTF"} and not word.pronoun:
            last = j
        elif word.top not in {"NUMR", "ADVB"} and word.low not in {"из", "самый"} and not word.pronoun:
            return last
    return last
