"""Phrases by their parts of speech: which stretches of words are phrases of grammar, of which kind, with what head."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from training.paraphrases.grammar import Grammar

__all__ = ["Unit", "agree", "read_unit"]

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


def agree(one: Sequence[str], other: Sequence[str], heads: tuple[int, int], grammar: Grammar) -> bool:
    """Whether forms of two phrases go together: their heads share a kind, such as a case and a number."""
    return bool(grammar.kinds(one[heads[0]]) & grammar.kinds(other[heads[1]]))
