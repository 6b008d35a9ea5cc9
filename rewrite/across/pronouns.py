"""What a pronoun at the beginning of a sentence stands for in the sentence before, and whether a rewrite keeps it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from rerank.analysis import Analysis, Sentence, Token
from rerank.masked.words import split
from rewrite.across.terms import keys_in, keys_of, morphology
from rewrite.across.writing import is_quoted

_Kinds = frozenset[str]
_LEAST = 3
_AGREEING = frozenset("nomn gent datv accs ablt loct sing plur masc femn neut anim inan".split())
_OF_NAMES = ("appos", "flat", "flat:name", "flat:foreign")
_NOUNS, _SUBJECTS = ("NOUN", "PROPN"), ("nsubj", "nsubj:pass")
_GENDERS = {"Masc": "masc", "Fem": "femn", "Neut": "neut"}


def _table(rows: Mapping[str, str]) -> Mapping[str, _Kinds]:
    """What each pronoun may stand for: a gender, the plural, or what it is in English."""
    words = {word for row in rows.values() for word in row.split()}
    return MappingProxyType({w: frozenset(kind for kind, row in rows.items() if w in row.split()) for w in words})


_PRONOUNS = {
    "ru": _table(
        {
            "masc": "он его него ему нему им ним нём нем",
            "neut": "оно его него ему нему им ним нём нем",
            "femn": "она её ее неё нее ей ней ею нею",
            "plur": "они их них им ним ими ними",
        }
    ),
    "en": _table(
        {
            "he": "he him his himself",
            "she": "she her hers herself",
            "they": "they them their theirs themselves",
        }
    ),
}
_POINTING = {
    "ru": re.compile(
        r"\b(?:эт(?:от|а|о|и|ого|ой|ому|у|им|ом|их|ими)|данн(?:ый|ая|ое|ые|ого|ой|ому|ую|ым|ом|ых|ыми))\s+([а-яё]{3,})",
        re.IGNORECASE,
    ),
    "en": re.compile(r"\b(?:this|these|those)\s+([a-z]{3,})", re.IGNORECASE),
}
# What *this* with them points at is said nowhere.
_TIMES = frozenset(
    """
    год месяц неделя день час время момент период век сезон раз случай образ связь смысл год лето зима весна осень
    year month week day hour time moment season case way morn even nigh
    """.split()
)


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun that a pronoun may stand for: its text, what it has in common with its other forms, and what it is."""

    text: str
    keys: frozenset[str]
    kinds: _Kinds
    rank: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A pronoun, or *this* with a noun, and the nouns of the sentence before that it may stand for, likeliest first."""

    text: str
    nouns: tuple[Noun, ...]
    kinds: _Kinds

    def fault(self, source: str, text: str, language: str) -> str:
        """What a rewrite of the sentence before takes from it, in words; empty where it is nothing."""
        words = keys_in(text, language)
        lost = [noun for noun in self.nouns if noun.keys.isdisjoint(words)]
        likely = self.nouns[0]
        if likely not in lost or _says_otherwise(source, text, self.kinds, language):
            return ""
        if len(lost) < len(self.nouns) and likely.rank > 0:
            # Of nouns that are no subject of the main clause none is much likelier than others.
            return ""
        return f"drops {likely.text!r}, which {self.text!r} in the next sentence stands for"


def may_refer(text: str, language: str) -> bool:
    """Whether a sentence has a word that may stand for one before it: a quick look, before it is parsed."""
    if language not in _PRONOUNS:
        return False
    words = set(re.findall(r"\w+", text.lower()))
    return not words.isdisjoint(_PRONOUNS[language]) or _POINTING[language].search(text) is not None


def references(before: Analysis, following: Analysis, language: str) -> Iterator[Reference]:
    """What in a sentence stands for nouns of the one before, both parsed."""
    nouns = list(_nouns(before, language))
    for match in _POINTING[language].finditer(following.text):
        if not _points(following, match, language):
            continue
        keys = keys_of(match[1], language)
        same = tuple(n for n in nouns if not n.keys.isdisjoint(keys))
        if same and not is_quoted(following.text, match.start()):
            yield Reference(match[0], (Noun(same[0].text, keys, frozenset(), 0),), frozenset())
    earlier: set[str] = set()
    for token in following.tokens:
        kinds = _PRONOUNS[language].get(token.text.lower(), frozenset())
        if kinds and earlier.isdisjoint(kinds):
            # The subject of the main clause first, other subjects, and of each the nearest.
            agreeing = sorted((n for n in reversed(nouns) if not n.kinds.isdisjoint(kinds)), key=lambda n: n.rank)
            # Where a pronoun alone may be meant, its noun stands further back.
            if agreeing and agreeing[0].rank < _LEAST and not is_quoted(following.text, token.start):
                yield Reference(token.text, tuple(agreeing), kinds)
            return
        if token.pos in _NOUNS:
            earlier |= _kinds(following, token, language)


def _points(analysis: Analysis, match: re.Match[str], language: str) -> bool:
    """Whether *this* belongs to the noun behind it and says which: not in *после этого сайт*, nor in *в этом году*."""
    pair = [t for t in analysis.tokens if match.start() <= t.start < match.end()]
    if len(pair) != 2 or not keys_of(match[1], language).isdisjoint(_TIMES):
        return False
    return pair[1].pos in _NOUNS and (language != "ru" or _agree(pair[0].text, pair[1].text))


def _agree(this: str, noun: str) -> bool:
    """Whether two words may have the same case, number and gender, and the same animacy where that shows."""
    pointing = [p.grammemes & _AGREEING for p in morphology().parse(this) if p.pos == "ADJF"]
    nouns = [p.grammemes for p in morphology().parse(noun) if p.pos == "NOUN"]
    return any(grammemes <= reading for grammemes in pointing for reading in nouns)


def _nouns(analysis: Analysis, language: str) -> Iterator[Noun]:
    joined = {
        sentence.tokens[t.head].start
        for sentence in analysis.sentences
        for t in sentence.tokens
        if t.rel == "conj" and t.pos in _NOUNS and 0 <= t.head < len(sentence.tokens)
    }
    named: dict[int, list[Token]] = {}
    for sentence in analysis.sentences:
        for token in sentence.tokens:
            if token.pos == "PROPN" and token.rel in _OF_NAMES and token.head >= 0:
                # *Министр Тендай Бити*: who keeps the name keeps the man.
                named.setdefault(sentence.tokens[token.head].start, []).append(token)
    for token, root in ((t, n) for s in analysis.sentences for n in [_root(s)] for t in s.tokens):
        rank = 2 - (token.rel in _SUBJECTS) - (token.rel in _SUBJECTS and token.head == root)
        pronoun = _PRONOUNS[language].get(token.text.lower())
        if pronoun is not None and token.rel in _SUBJECTS:
            yield Noun(token.text, keys_of(token.text, language), pronoun, _LEAST)
        elif token.pos in _NOUNS and token.rel not in ("compound", "flat", "flat:name"):
            kinds = _kinds(analysis, token, language)
            names = (n.text for n in named.get(token.start, ()))
            keys = keys_of(token.text, language).union(*(keys_of(name, language) for name in names))
            if token.start in joined:
                kinds |= {"plur" if language == "ru" else "they"}
            yield Noun(token.text, keys, kinds, rank)


def _root(sentence: Sentence) -> int:
    return next((n for n, t in enumerate(sentence.tokens) if t.head < 0), -1)


def _kinds(analysis: Analysis, token: Token, language: str) -> _Kinds:
    if language == "ru":
        if token.feats.get("Number") == "Plur":
            return frozenset({"plur"})
        # The gender of many a name does not show, and is guessed.
        guessed = _GENDERS.values() if token.pos == "PROPN" else [_GENDERS.get(token.feats.get("Gender", ""), "")]
        return frozenset(guessed) - {""}
    from rewrite.across.english_nouns import kinds_of

    return kinds_of(token, analysis.entities)


def _says_otherwise(source: str, text: str, kinds: _Kinds, language: str) -> bool:
    """Whether a rewrite brings a noun of the same gender and number, which the pronoun may stand for as well."""
    if language != "ru":
        return False
    known = keys_in(source, language)
    new = (t.word.text for t in split(text, language) if known.isdisjoint(keys_of(t.word.text, language)))
    return any(not kinds.isdisjoint(_genders(word)) for word in new)


@lru_cache(maxsize=4_000)
def _genders(word: str) -> _Kinds:
    nouns = (parse.grammemes for parse in morphology().parse(word) if parse.pos == "NOUN")
    return frozenset(g for grammemes in nouns for g in (("plur",) if "plur" in grammemes else grammemes))
