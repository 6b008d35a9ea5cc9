"""What a Russian word may be: its readings by the dictionary, in the categories that rules of form ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rerank.morphology import Morphology, Parse
from rerank.wordlists import WordLists

LISTS = WordLists(Path(__file__).with_name("ru.txt"))
_CASES = LISTS.classes("cases")
_NUMBERS = {"sing": "sing", "plur": "plur"}
_GENDERS = {"masc": "m", "femn": "f", "neut": "n"}
_PERSONS = {"1per": "1", "2per": "2", "3per": "3"}
_TENSES = {"past": "past", "pres": "pres", "futr": "futr"}
_NOMINAL = frozenset({"NOUN", "NPRO"})
_ADJECTIVAL = frozenset({"ADJF", "PRTF"})


@dataclass(frozen=True, slots=True)
class Form:
    """One reading of a word. Unmarked categories are empty; `number` is `sing` or `plur`, `gender` one letter."""

    pos: str
    lemma: str
    case: str
    number: str
    gender: str
    person: str
    tense: str
    grammemes: frozenset[str]
    known: bool

    @property
    def nominal(self) -> bool:
        return self.pos in _NOMINAL

    @property
    def adjectival(self) -> bool:
        return self.pos in _ADJECTIVAL


def _form(parse: Parse, known: bool) -> Form:
    def category(values: Mapping[str, str]) -> str:
        return next((value for grammeme, value in values.items() if grammeme in parse.grammemes), "")

    return Form(
        pos=str(parse.pos),
        lemma=parse.lemma.replace("ё", "е"),
        case=category(_CASES),
        number=category(_NUMBERS),
        gender=category(_GENDERS),
        person=category(_PERSONS),
        tense=category(_TENSES),
        grammemes=parse.grammemes,
        known=known,
    )


class Grammar:
    """All readings of a word, remembered for the last `cache_size` distinct words."""

    def __init__(self, morphology: Morphology, *, cache_size: int = 50_000) -> None:
        self._morphology = morphology
        self.forms: Callable[[str], tuple[Form, ...]] = lru_cache(maxsize=cache_size)(self._forms)

    def _forms(self, word: str) -> tuple[Form, ...]:
        known = self._morphology.known(word)
        return tuple(_form(parse, known) for parse in self._morphology.parse(word))
