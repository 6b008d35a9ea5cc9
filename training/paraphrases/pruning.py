"""Which phrases may have paraphrases, and which two may be paraphrases: rules with names, each a pure function."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from types import MappingProxyType

from training.paraphrases.grammar import Grammar
from training.paraphrases.words import Normaliser

__all__ = ["PAIR_RULES", "PHRASE_RULES", "Language", "Pruning"]

Words = Sequence[str]
_SCRIPTS = {"en": re.compile(r"[a-z'’-]+"), "ru": re.compile(r"[а-я-]+")}
_NEGATIONS = frozenset(
    """
    not n't n’t no never none nobody nothing without neither nor cannot fail failed fails unable lack lacks
    не ни нет без никто ничто никогда нельзя невозможно никакой отсутствует отсутствие
    """.split()
)
_DENYING = tuple("un in im ir il non non- dis de anti anti- mis не без бес анти".split())
_OPPOSED = tuple(
    tuple(pair.split("/"))
    for pair in """
    up/down in/out in/de pre/post max/min over/under after/before -dependent/-independent inter/intra sub/super
    вы/в при/у под/от за/от макс/мин до/после за/рас при/от в/от над/под
    """.split()
)
_ALIKE, _LEAST_STEM = 0.6, 4
"""Words that begin with the same letters, at least so many and so much of the shorter one, are of one root."""


@dataclass(frozen=True)
class Language:
    """What the rules know of a language."""

    code: str
    grammar: Grammar
    normalise: Normaliser
    names: Collection[str] = frozenset()

    def content(self, words: Words) -> set[str]:
        """The words that are no function words, normalised."""
        return {self.normalise(word) for word in words if not self.grammar.is_function(word)}


def other_letters(words: Words, language: Language) -> bool:
    """A digit, or a letter that the language does not write with."""
    return not all(_SCRIPTS[language.code].fullmatch(word) for word in words)


def loose_end(words: Words, language: Language) -> bool:
    """A function word or a single letter at an end: the phrase goes on, or begins with what belongs to another one.

    A preposition may stand at the end: `deal with`.
    """
    ends = words if len(words) > 1 and not language.grammar.is_preposition(words[-1]) else words[:-1] or words
    return any(language.grammar.is_function(word) or len(word) < 2 for word in (ends[0], ends[-1]))


def has_name(words: Words, language: Language) -> bool:
    """A name: others are no other words for it."""
    return any(word in language.names for word in words)


PHRASE_RULES: Mapping[str, Callable[[Words, Language], bool]] = MappingProxyType(
    {"other letters": other_letters, "loose end": loose_end, "name": has_name}
)
"""Each says whether a phrase is refused."""


def shares_word(one: Words, other: Words, language: Language) -> bool:
    """A content word of both, or two of one root: what is left without them is the paraphrase, or there is none.

    Spellings of one word (`web site`, `website`) are none of that.
    """
    if _joined(one) == _joined(other):
        return False
    here, there = language.content(one), language.content(other)
    return bool(here & there) or any(_of_one_root(a, b) for a in here for b in there)


def other_end(one: Words, other: Words, language: Language) -> bool:
    """A preposition at the end of one of them alone, or the same one at both ends, which adds nothing to the rest."""
    is_preposition = language.grammar.is_preposition
    return is_preposition(one[-1]) != is_preposition(other[-1]) or one[-1] == other[-1]


def denies(one: Words, other: Words, language: Language) -> bool:
    """A negation in one of them alone."""
    return (sum(word in _NEGATIONS for word in one) % 2) != (sum(word in _NEGATIONS for word in other) % 2)


def opposes(one: Words, other: Words, language: Language) -> bool:
    """Words that differ in what makes the opposite of one: `sure` and `unsure`, `upload` and `download`."""
    return any(_opposite(a, b) or _opposite(b, a) for a in one for b in other)


def other_grammar(one: Words, other: Words, language: Language) -> bool:
    """A noun for a verb, a plural for a singular: no kind in common of the first content words, or of the last ones.

    Of a single word and a phrase it is enough if one end of the phrase is like the word.
    """
    kinds = language.grammar.kinds
    here, there = ([word for word in words if not language.grammar.is_function(word)] for words in (one, other))
    alike = [bool(kinds(here[at]) & kinds(there[at])) for at in (0, -1)]
    return not (any(alike) if 1 in (len(one), len(other)) else all(alike))


PAIR_RULES: Mapping[str, Callable[[Words, Words, Language], bool]] = MappingProxyType(
    {
        "shared word": shares_word,
        "other end": other_end,
        "negation": denies,
        "opposite": opposes,
        "other grammar": other_grammar,
    }
)
"""Each says whether two phrases are refused as paraphrases; all are symmetric."""


@dataclass
class Pruning:
    """The rules at work, and how many phrases and pairs each of them refused."""

    language: Language
    refused: Counter[str] = field(default_factory=Counter)

    def takes(self, phrase: str) -> bool:
        """Whether no rule refuses the phrase."""
        words = phrase.split(" ")
        return not self._refused(name for name, rule in PHRASE_RULES.items() if rule(words, self.language))

    def may(self, one: str, other: str) -> bool:
        """Whether no rule refuses the two as paraphrases of each other."""
        words = one.split(" "), other.split(" ")
        return not self._refused(name for name, rule in PAIR_RULES.items() if rule(*words, self.language))

    def _refused(self, names: Iterator[str]) -> bool:
        name = next(names, None)
        if name is not None:
            self.refused[name] += 1
        return name is not None


def _joined(words: Words) -> str:
    return "".join(words).replace("-", "")


def _of_one_root(one: str, other: str) -> bool:
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return (
        one.endswith(f"-{other}")
        or other.endswith(f"-{one}")
        or shared >= max(_LEAST_STEM, _ALIKE * min(len(one), len(other)))
    )


def _opposite(one: str, other: str) -> bool:
    if any(other == prefix + one for prefix in _DENYING):
        return True
    return any(a in one and one.replace(a, b, 1) == other for a, b in _OPPOSED)
