"""Which phrases may have paraphrases, and which two may be paraphrases: rules with names, each a pure function.

Phrases are read by their parts of speech: which stretches of words are phrases of grammar, of which kind and head.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from types import MappingProxyType

from rerank.wordlists import denials
from training.paraphrases.grammar import Grammar

_NOUNS = "[ANP]*N"
_KINDS = {
    "noun": re.compile(f"{_NOUNS}(ID?{_NOUNS})?"),
    "verb": re.compile(f"R*[VG]|V(I|II|R|RI|AI?|D?{_NOUNS}I?)"),
    "adjective": re.compile("R*[AP]|[AP]I"),
    "adverb": re.compile("R+"),
    "prepositional": re.compile(f"ID?{_NOUNS}"),
}
"""By kind the letters of its words: those of their tags, D for an article or a pronoun before a noun, I for a
preposition, F for other function words."""
_HEADS = {"verb": "VG", "adjective": "AP", "adverb": "R"}
_DETERMINERS = frozenset("a an the this that these those his her its their our your my".split())
Words = Sequence[str]
_SCRIPTS = {"en": re.compile(r"[a-z'’-]+"), "ru": re.compile(r"[а-я-]+")}
_LACKING = frozenset("fail failed fails unable lack lacks отсутствует отсутствие".split())
_NEGATIONS = denials("en") | denials("ru") | _LACKING
_DENYING = tuple("un in im ir il non non- dis de anti anti- mis не без бес анти".split())
_OPPOSED = tuple(
    tuple(pair.split("/"))
    for pair in """
    up/down in/out in/de pre/post max/min over/under after/before -dependent/-independent inter/intra sub/super
    вы/в при/у под/от за/от макс/мин до/после за/рас при/от в/от над/под
    """.split()
)
_PARTNERS = ({"noun"}, {"verb"}, {"adjective"}, {"adverb"}, {"adverb", "prepositional"})
_SHORT = 2
_ALIKE, _LEAST_STEM = 0.6, 4
"""Words that begin with the same letters, at least so many and so much of the shorter one, are of one root."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A phrase in all its forms: the words of the commonest one, each word as all its forms have it (its stem or
    lemma), their letters, the kind of the phrase, empty for a stretch that is none, and the number of the word that
    agrees with what is around the phrase.
    """

    words: tuple[str, ...]
    stems: tuple[str, ...]
    letters: str
    kind: str
    head: int = 0

    @property
    def content(self) -> frozenset[str]:
        """The stems of the words that are no function words."""
        return frozenset(stem for stem, letter in zip(self.stems, self.letters, strict=True) if letter not in "DIF")

    @property
    def preposition(self) -> str:
        """The preposition at the end, empty where there is none."""
        return self.words[-1] if self.letters.endswith("I") else ""


def read_unit(key: str, form: str, grammar: Grammar, language: str) -> Unit:
    """The phrase with words `stem|tag` in `key`, and `form` as its commonest form."""
    words = tuple(form.split(" "))
    parts = [part.rsplit("|", 1) for part in key.split(" ")]
    letters = "".join(_letter(word, tag, grammar) for word, (_, tag) in zip(words, parts, strict=True))
    kind = next((kind for kind, pattern in _KINDS.items() if pattern.fullmatch(letters)), "")
    return Unit(words, tuple(stem for stem, _ in parts), letters, kind, _head(letters, kind, language))


def _head(letters: str, kind: str, language: str) -> int:
    """Of nouns the last in English (`stone bridge`) and the first in Russian (`мост дружбы`), before a preposition; of
    a verb, an adjective or an adverb with more that word, or the last one of them.
    """
    if kind == "noun":
        return letters.partition("I")[0].rfind("N") if language == "en" else letters.find("N")
    return max(0, *(letters.rfind(letter) for letter in _HEADS.get(kind, "I")))


def _letter(word: str, tag: str, grammar: Grammar) -> str:
    if word in _DETERMINERS:
        return "D"
    if grammar.is_preposition(word):
        return "I"
    return "F" if grammar.is_function(word) or not tag else tag


def agree(first: Sequence[str], second: Sequence[str], heads: tuple[int, int], grammar: Grammar) -> bool:
    """Whether forms of two phrases go together: their heads share a kind, such as a case and a number."""
    return bool(grammar.kinds(first[heads[0]]) & grammar.kinds(second[heads[1]]))


@dataclass(frozen=True)
class Language:
    """What the rules know of a language."""

    code: str
    grammar: Grammar
    names: Collection[str] = frozenset()


def other_letters(phrase: Unit, language: Language) -> bool:
    """A digit, or a letter that the language does not write with."""
    return not all(_SCRIPTS[language.code].fullmatch(word) for word in phrase.words)


def no_phrase(phrase: Unit, language: Language) -> bool:
    """Words that make no phrase of grammar (`training.paraphrases.pruning`), or have two letters at most."""
    return not phrase.kind or max(map(len, phrase.words)) <= _SHORT


def has_name(phrase: Unit, language: Language) -> bool:
    """A name: others are no other words for it."""
    return any(word in language.names for word in phrase.words)


PHRASE_RULES: Mapping[str, Callable[[Unit, Language], bool]] = MappingProxyType(
    {"no phrase": no_phrase, "other letters": other_letters, "name": has_name}
)
"""Each says whether a phrase is refused."""


def other_kind(first: Unit, second: Unit) -> bool:
    """A noun for a verb, say; a preposition with its noun may stand for an adverb, and for no other such phrase."""
    return {first.kind, second.kind} not in _PARTNERS


def other_end(first: Unit, second: Unit) -> bool:
    """A preposition at the end of one of them alone, or the same one at both ends, which adds nothing to the rest."""
    return bool(first.preposition) != bool(second.preposition) or first.preposition == second.preposition != ""


def shares_words(first: Unit, second: Unit) -> bool:
    """Whether a word that is no function word is in both."""
    return bool(first.content & second.content)


def no_substitution(first: Unit, second: Unit) -> bool:
    """Words of one root; or a word of both, unless what differs is one word of each, the first: `imposed sanctions`
    and `introduced sanctions`. Spellings of one word (`web site`, `website`) are no fault.
    """
    if _joined(first.words) == _joined(second.words):
        return False
    here, there = first.content - second.content, second.content - first.content
    if shares_words(first, second) and (len(here) != 1 or len(there) != 1 or first.words[0] == second.words[0]):
        return True
    return any(_of_one_root(a, b) for a in here for b in there)


def denies(first: Unit, second: Unit) -> bool:
    """A negation in one of them alone."""
    counts = [sum(word in _NEGATIONS for word in phrase.words) for phrase in (first, second)]
    return counts[0] % 2 != counts[1] % 2


def opposes(first: Unit, second: Unit) -> bool:
    """Words that differ in what makes the opposite of one: `sure` and `unsure`, `upload` and `download`."""
    return any(_opposite(a, b) or _opposite(b, a) for a in first.words for b in second.words)


PAIR_RULES: Mapping[str, Callable[[Unit, Unit], bool]] = MappingProxyType(
    {
        "other kind": other_kind,
        "other end": other_end,
        "no substitution": no_substitution,
        "negation": denies,
        "opposite": opposes,
    }
)
"""Each says whether two phrases are refused as paraphrases; all are symmetric."""


@dataclass
class Pruning:
    """The rules at work, and how many phrases and pairs each of them refused."""

    language: Language
    refused: Counter[str] = field(default_factory=Counter)

    def takes(self, phrase: Unit) -> bool:
        """Whether no rule refuses the phrase."""
        return not self._refused(name for name, rule in PHRASE_RULES.items() if rule(phrase, self.language))

    def may(self, first: Unit, second: Unit) -> bool:
        """Whether no rule refuses the two as paraphrases of each other."""
        return not self._refused(name for name, rule in PAIR_RULES.items() if rule(first, second))

    def _refused(self, names: Iterator[str]) -> bool:
        name = next(names, None)
        if name is not None:
            self.refused[name] += 1
        return name is not None


def _joined(words: Words) -> str:
    return "".join(words).replace("-", "")


def _of_one_root(word: str, other: str) -> bool:
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    return (
        word.endswith(f"-{other}")
        or other.endswith(f"-{word}")
        or shared >= max(_LEAST_STEM, _ALIKE * min(len(word), len(other)))
    )


def _opposite(word: str, other: str) -> bool:
    if any(other == prefix + word for prefix in _DENYING):
        return True
    return any(a in word and word.replace(a, b, 1) == other for a, b in _OPPOSED)
