"""Quantity without a number: parts, wholes, superlatives and «one of», and the rule for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rerank.facts.guard_words import LISTS, Facts, Word
from rerank.facts.numbers import find_numbers
from rerank.guard import Violation

_QUANTIFIERS = LISTS.classes("quantifiers")
_MOST = frozenset({"больший", "большой", "основной", "значительный", "подавляющий", "преобладающий"})
_NOMINAL = frozenset({"NOUN", "ADJF", "PRTF"})
_SOME = ("отдельн", "други", "проч", "различн", "иные", "ряд", "нескольк", "многи")
_FORMS = frozenset({"все", "всех", "всем", "всеми"})
_SMALL = frozenset({"малый", "меньший", "небольшой", "незначительный", "какой-то", "некоторый", "лишь"})
_SUPERLATIVE = frozenset({"самый", "наиболее", "наименее"})
_EXTREME = LISTS.sequence("extremes")
_WHOLE = LISTS.words("whole")
_ONLY = frozenset({"только", "лишь", "исключительно"})
_AMONG = frozenset({"среди", "числе", "число", "числа", "ряду"})
_REACH = 4
_PARTLY = frozenset({"частично", "отчасти"})
_UNIQUE = frozenset({"самый", "первый", "последний", "главный", "единственный", "основной", "ключевой"})
_STRONG = frozenset({"part", "some", "most", "minority", "half", "all"})


@dataclass(slots=True)
class Quantities:
    """Quantifier classes by the noun they count, what «один из» ranges over, superlatives and words of exclusion."""

    by_noun: dict[str, dict[str, str]] = field(default_factory=dict)
    superlatives: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    among: set[str] = field(default_factory=set)
    only: bool = False
    sole: str = ""
    extremes: set[str] = field(default_factory=set)
    whole: bool = False
    some: bool = False


def find_quantities(words: Sequence[Word]) -> Quantities:
    """Quantifiers, superlatives and partitives of a text."""
    quantities = Quantities()
    for i, word in enumerate(words):
        if word.kind != "word":
            continue
        kind = _class(words, i)
        if kind:
            noun = _counted(words, i)
            if noun is not None and (kind != "all" or word.lemma == "каждый" or words[noun].plural):
                for key in words[noun].keys:
                    quantities.by_noun.setdefault(key, {}).setdefault(kind, f"{word.text} {words[noun].text}")
        elif word.superlative or word.low in _SUPERLATIVE or is_most(word):
            if not _same_thing(words, i):
                graded = _graded(words, i)
                quantities.superlatives.setdefault(graded.stem, (word.text, graded.keys))
        elif word.lemma == "единственный":
            quantities.sole = word.text
        quantities.some = quantities.some or word.low.startswith(_SOME)
        quantities.whole = quantities.whole or word.lemma in _WHOLE
        quantities.only = quantities.only or (word.lemma in _ONLY and (not i or words[i - 1].low != "не"))
        if word.low.startswith(_EXTREME):
            quantities.extremes.add(word.low[:5])
        if word.low in _AMONG or (word.lemma == "один" and i + 1 < len(words) and words[i + 1].low == "из"):
            for other in words[i + 1 : i + 6]:
                quantities.among.update(other.keys)
                if other.top == "NOUN":
                    break
    return quantities


def is_most(word: Word) -> bool:
    """Forms of «самый», which in most cases are spelt like those of «сам»."""
    return word.lemma == "самый" or (word.lemma == "сам" and word.low not in {"сам", "сама", "само", "сами"})


def _graded(words: Sequence[Word], i: int) -> Word:
    """The adjective in the superlative: «самый большой», «наиболее крупный», «крупнейший»."""
    marker = words[i].low in _SUPERLATIVE or is_most(words[i])
    return words[i + 1] if marker and i + 1 < len(words) else words[i]


def _same_thing(words: Sequence[Word], i: int) -> bool:
    """«тот же самый», «на самом деле», «до самого конца»: no superlative."""
    before = words[i - 1].low if i else ""
    following = words[i + 1] if i + 1 < len(words) else None
    if not is_most(words[i]):
        return False
    return before in {"же", "тем", "этот"} or following is None or following.top not in {"ADJF", "PRTF"}


def _noun_follows(word: Word) -> bool:
    """Not «все эти пять книг»: that takes up what was named."""
    return word.top in _NOMINAL and word.lemma not in {"этот", "тот", "такой"}


def _class(words: Sequence[Word], i: int) -> str:
    word = words[i]
    if word.low in _FORMS:
        following = words[i + 1] if i + 1 < len(words) else None
        if i and words[i - 1].low == "из" and any(w.superlative or is_most(w) for w in words[max(0, i - 5) : i]):
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


def changed_quantity(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Parts taken for wholes and the reverse, new superlatives, «one of» lost."""
    was, now = source.of(find_quantities), candidate.of(find_quantities)
    for key, kinds in now.by_noun.items():
        before = was.by_noun.get(key, {})
        for kind, text in kinds.items():
            if kind == "all" and was.whole:
                continue
            if kind == "portion" and "most" in before:
                yield Violation("quantity", text, f"«{text}» was most of it in the source")
            if kind == "some" and was.some:
                continue
            if kind in {"part", "portion"} and source.lows & _PARTLY:
                continue
            if kind in _STRONG and kind not in before and source.keys[key] and not _wider(kind, before):
                yield Violation("quantity", text, f"«{text}» is not what the source says")
    for key, kinds in was.by_noun.items():
        if not candidate.keys[key] or source.keys[key] > max(1, candidate.keys[key]):
            continue
        after = now.by_noun.get(key, {})
        for kind, text in kinds.items():
            if kind in _STRONG and kind != "all" and not after and not _parts(source, candidate, kind):
                yield Violation("quantity", text, f"the source says «{text}», the candidate the whole")
    yield from _extremes(source, candidate)


def _parts(source: Facts, candidate: Facts, kind: str) -> bool:
    """Whether the candidate says «a part» in another place, or «50 %» for «half»."""
    half = kind == "half" and any(n.value in {0.5, 50} for n in candidate.of(find_numbers))
    return half or candidate.keys["n:часть"] > source.keys["n:часть"]


def _wider(kind: str, before: dict[str, str]) -> bool:
    """Whether the candidate says no more than the source: «многие» → «некоторые», «часть» ↔ «некоторые»."""
    weaker = {"part": {"some", "several", "many"}, "some": {"part", "several", "many"}, "many": {"most"}}
    return bool(weaker.get(kind, set()) & before.keys())


def _extremes(source: Facts, candidate: Facts) -> Iterator[Violation]:
    was, now = source.of(find_quantities), candidate.of(find_quantities)
    spare = len(was.superlatives) + len(was.extremes - now.extremes)
    new = [text for stem, (text, _) in now.superlatives.items() if stem not in was.superlatives]
    if len(now.superlatives) > spare and new:
        yield Violation("quantity", new[0], f"the superlative «{new[0]}» is not in the source")
    if now.sole and not (was.sole or (was.only and not now.only)):
        yield Violation("quantity", now.sole, f"«{now.sole}» is not in the source")
    pairs = zip(candidate.words, [*candidate.words[1:], None], strict=False)
    unique = [
        (w.text, w.keys | (following.keys if following is not None and w.lemma in _UNIQUE else frozenset()))
        for w, following in pairs
        if w.superlative or w.lemma in _UNIQUE
    ]
    for text, keys in [*now.superlatives.values(), *unique]:
        if keys & was.among and not keys & now.among and not text.endswith(("ых", "их")):
            yield Violation("quantity", text, f"the source says one of the «{text}»")
