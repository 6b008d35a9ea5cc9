"""Tokens as the fact guard sees them: each distinct surface form is looked at once and remembered."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from rerank import guard
from rerank.frequency import fold
from rerank.morphology import Morphology, Parse
from rerank.wordlists import WordLists

LISTS = WordLists(Path(__file__).with_name("ru.txt"))
NUMERALS = {word: float(value) for word, value in LISTS.classes("numerals").items()}
SCALES = {word: int(value) for word, value in LISTS.classes("scales").items()}
#: Words that are half of a unit.
HALVES = {"полчаса": "час", "получас": "час", "полгода": "год", "полвека": "век", "полкилометра": "км"}
FRACTIONS = {"половина": 0.5, "треть": 1 / 3, "четверть": 0.25, "полмиллиона": 500_000, "полтысячи": 500}
_STEMS = {stem: float(value) for stem, value in LISTS.classes("numeral stems").items()}
# Longest first, so that «пятидесяти» is not read as «пяти».
_STEM = re.compile("|".join(sorted(_STEMS, key=len, reverse=True)))
_SECOND_PARTS = LISTS.sequence("second parts")
_TOKEN = re.compile(
    r"\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})(?![\d.])"
    r"|[A-Za-zА-Яа-яЁё]+[-–]?\d[\w-]*"
    r"|(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,:/]\d+)*)(?:-?[А-Яа-яЁё]+)?"
    r"|[^\W\d_]+(?:[-‑'’&][^\W\d_]+)*"
    r"|[^\s]"
)
_CYRILLIC = re.compile(r"[А-Яа-яЁё]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_LOOKALIKE = str.maketrans("ABCEHKMOPTXaceopxyk", "АВСЕНКМОРТХасеорхук")
_LATIN_LOOKALIKE = {cyrillic: latin for latin, cyrillic in _LOOKALIKE.items()}
_ROMAN_LOOKALIKE = str.maketrans("ХІМС", "XIMC")
_ENDINGS = re.compile(
    r"(?:иями|ями|ами|иям|ием|иях|ого|его|ому|ему|ыми|ими|ией|ой|ей|ий|ый|ия|ии|ию|ие|ые|ая|яя|ое|ее|ую|юю|ых|их|ым"
    r"|им|ом|ем|ам|ям|ах|ях|[аяоеуюыиьй])$"
)
_VERB_ENDING = re.compile(r"(?:ывать|ивать|овать|евать|ировать|вать|нуть|ать|ять|еть|ить|оть|ыть|ти|ть|чь)?(?:ся|сь)?$")
_VERBS = frozenset({"VERB", "INFN", "PRTF", "PRTS", "GRND"})
_ADJECTIVES = frozenset({"ADJF", "ADJS", "COMP", "ADVB", "PRED"})
_CONTENT = _VERBS | _ADJECTIVES | {"NOUN", "NUMR"}
_NAME_TAGS = frozenset({"Name", "Surn", "Patr", "Geox", "Orgn", "Trad"})
_QUANTIFYING = frozenset({"весь", "всё", "все", "каждый", "только", "любой", "лишь"})
_RANKS = frozenset({"высший", "низший", "старший", "младший", "высокий", "низкий"})
# A reading this unlikely is kept for matching names, not for deciding what a word is.
_LIKELY = 0.1


@dataclass(slots=True, eq=False)
class Word:
    """What the guard needs to know about one surface form.

    `kind` is `word` (Cyrillic), `latin`, `roman`, `number` (starts with a digit), `code` (letters and digits, Т-34) or
    `mark`. `lemmas` holds all readings, folded; `pos` the likely parts of speech; `cases` the cases of noun readings;
    `keys` name a predicate or noun across its forms (`v:` verbs, participles; `a:` adjectives, adverbs; `n:` nouns).
    """

    text: str
    kind: str
    low: str = ""
    lemma: str = ""
    lemmas: frozenset[str] = frozenset()
    pos: frozenset[str] = frozenset()
    top: str = ""
    cases: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    negated_keys: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    parts: tuple[str, ...] = ()
    split: tuple[Word, ...] = ()
    stem: str = ""
    capital: bool = False
    upper: bool = False
    known: bool = True
    name: bool = False
    namelike: bool = False
    past: bool = False
    plural: bool = False
    pronoun: bool = False
    compound: bool = False
    superlative: bool = False
    value: float | None = None
    #: Lemma of a multiplying or fractional noun (тысяча, млн, треть), else empty.
    scale: str = ""
    #: Whether the word can be (part of) a number.
    numeric: bool = False

    def __post_init__(self) -> None:
        self.low = self.lemma = self.stem = fold(self.text)
        self.lemmas = self.names = frozenset((self.low,))
        self.capital = self.text[:1].isupper()
        self.upper = len(self.text) > 1 and self.text.isupper()
        self.numeric = self.kind in {"number", "roman"}


class Lexicon:
    """Turns text into `Word`s; the last `cache_size` distinct forms are remembered."""

    def __init__(self, morphology: Morphology | None = None, *, cache_size: int = 50_000) -> None:
        self.morphology = morphology or Morphology()
        self.word = lru_cache(maxsize=cache_size)(self._word)

    def words(self, text: str) -> list[Word]:
        """The tokens of `text` in order; stress marks are ignored."""
        if not text.isascii():
            text = unicodedata.normalize("NFC", text.replace("\u0301", "").replace("\u00ad", ""))
        word = self.word
        words: list[Word] = []
        for token in _TOKEN.findall(text):
            form = word(token)
            if form.split:
                words.extend(form.split)
            else:
                words.append(form)
        return words

    def _word(self, text: str) -> Word:
        first = text[0]
        if first.isdigit():
            return Word(text, "number")
        if not first.isalpha():
            return Word(text, "mark")
        if any(c.isdigit() for c in text):
            return Word(text, "code")
        return self._letters(text)

    def _letters(self, text: str) -> Word:
        cyrillic, latin = bool(_CYRILLIC.search(text)), bool(_LATIN.search(text))
        letters = text.translate(_ROMAN_LOOKALIKE)
        if (latin or (len(text) > 1 and "Х" in text)) and letters not in "CDLM" and guard.roman(letters):
            return Word(letters, "roman")
        if latin and cyrillic and "-" not in text:
            # Homoglyphs typed by mistake (Latin c in a Russian word) must not look like a foreign word.
            repaired = text.translate(_LOOKALIKE)
            if not _LATIN.search(repaired):
                return self._cyrillic(repaired)
            repaired = text.translate(_LATIN_LOOKALIKE)
            if not _CYRILLIC.search(repaired):
                return Word(repaired, "latin")
        if latin or not cyrillic:
            return Word(text, "latin")
        return self._cyrillic(text)

    def _cyrillic(self, text: str) -> Word:
        word = Word(text, "word")
        parses = self.morphology.parse(text)
        likely = [p for i, p in enumerate(parses) if i == 0 or p.score >= _LIKELY or p.pos == "NUMR"]
        word.lemmas = frozenset(fold(p.lemma) for p in parses)
        word.lemma = fold(parses[0].lemma)
        word.top = parses[0].pos
        word.pos = frozenset(p.pos for p in likely)
        word.cases = frozenset(_case(p) for p in parses if p.pos == "NOUN" or "Surn" in p.grammemes)
        word.plural = any("plur" in p.grammemes for p in parses)
        word.past = any("past" in p.grammemes for p in likely)
        word.known = self.morphology.known(text)
        word.name = bool(_NAME_TAGS & parses[0].grammemes)
        word.namelike = any(_NAME_TAGS & p.grammemes for p in parses)
        word.compound = "-" in text and all(self.morphology.known(part) for part in re.split(r"[-‑]", text))
        word.pronoun = "Apro" in parses[0].grammemes
        word.superlative = (
            word.top == "ADJF"
            and word.lemma not in _RANKS
            and ("Supr" in parses[0].grammemes or word.low.startswith("наи"))
        )
        word.stem = _ENDINGS.sub("", word.low) if len(word.low) > 4 else word.low
        word.parts = tuple(fold(part) for part in re.split(r"[-‑]", text)) if "-" in text or "‑" in text else ()
        word.keys = frozenset(key for p in likely for key in _keys(p))
        self._numeral(word)
        self._negation(word)
        names = {word.low, *word.lemmas}
        names.add("~" + word.stem)
        for part in word.parts:
            names.add(part)
            names.update(fold(lemma) for lemma in self.morphology.lemmas(part))
        word.names = frozenset(names)
        if len(word.parts) == 2 and all(self.morphology.lemma(part) in NUMERALS for part in word.parts):
            word.split = (self.word(text.partition("-")[0]), Word("-", "mark"), self.word(text.partition("-")[2]))
        return word

    def _numeral(self, word: Word) -> None:
        self._value(word)
        if word.top in {"NOUN", ""}:
            word.scale = next((x for x in (word.lemma, *sorted(word.lemmas)) if x in SCALES or x in FRACTIONS), "")
        word.numeric = word.value is not None or bool(word.scale)

    def _value(self, word: Word) -> None:
        if word.low in HALVES or word.lemma in HALVES:
            word.value = 0.5
            return
        for lemma in (word.lemma, *sorted(word.lemmas)):
            if lemma in NUMERALS and (NUMERALS[lemma] != 1 or word.top != "NPRO"):
                word.value = NUMERALS[lemma]
                return
        if word.top in {"ADJF", "ADJS"} or word.low.endswith(("летие", "летия", "летию", "летием")):
            word.value = compound_numeral(word.low)

    def _negation(self, word: Word) -> None:
        # «неизвестен» says «не известен»: both spellings deny the same thing.
        if word.low.startswith("не") and len(word.low) > 5 and word.top in _ADJECTIVES | {"PRTF", "PRTS"}:
            rest = word.low[2:]
            if self.morphology.known(rest):
                word.negated_keys = frozenset(key for p in self.morphology.parse(rest)[:3] for key in _keys(p))


def _case(parse: Parse) -> str:
    for case in ("nomn", "gent", "datv", "accs", "ablt", "loct"):
        if case in parse.grammemes:
            return case
    return ""


def _keys(parse: Parse) -> tuple[str, ...]:
    lemma = fold(parse.lemma)
    if lemma in _QUANTIFYING:
        return ("q:" + ("весь" if lemma in {"всё", "все"} else lemma),)
    if parse.pos not in _CONTENT or lemma in {"быть", "нет", "один"}:
        return ()
    if parse.pos in _VERBS:
        stem = _VERB_ENDING.sub("", lemma)
        return ("v:" + (stem if len(stem) > 2 else lemma),)
    if parse.pos in _ADJECTIVES:
        stem = _ENDINGS.sub("", lemma)
        return ("a:" + (stem if len(stem) > 2 else lemma),)
    return ("n:" + lemma,)


def compound_numeral(word: str) -> float | None:
    """Number inside a compound such as «двухэтажный», «тридцатипятилетний»; `None` where there is none."""
    total, start = 0.0, 0
    while stem := _STEM.match(word, start):
        total += _STEMS[stem[0]]
        start = stem.end()
    return total if total and word.startswith(_SECOND_PARTS, start) else None


class Facts(guard.Facts[Sequence[Word]]):
    """The facts of a Russian text."""

    @cached_property
    def keys(self) -> Counter[str]:
        """How often each predicate or noun occurs, denied or not."""
        return Counter(key for word in self.words for key in word.keys)

    @cached_property
    def lows(self) -> frozenset[str]:
        """All tokens, folded."""
        return frozenset(word.low for word in self.words)
