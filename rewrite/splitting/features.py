"""What a splitter's network reads of a sentence: word pieces, parts of speech, relations, heads and spelling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rewrite.splitting.words import Words

__all__ = ["FLAGS", "LONGEST", "POS", "RELATIONS", "Features", "features_of"]

POS = tuple("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())
RELATIONS = tuple(
    """
    root nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse aux cop mark nmod appos
    nummod acl acl:relcl amod det clf case conj cc fixed flat compound list parataxis orphan goeswith reparandum punct
    dep
    """.split()
)
FLAGS = 8
"""Bits of a word's spelling: its capital, a mark, a digit, a comma, a stronger mark, in brackets, in quotes, finite."""
LONGEST = 120
"""Word pieces of a sentence at most that a network learns from; its encoder's window must hold two more."""

_POS = {name: number for number, name in enumerate(POS)}
_RELATIONS = {name: number for number, name in enumerate(RELATIONS)}
_QUOTES = frozenset({'"', "''", "``", "“", "”"})


@dataclass(frozen=True, slots=True)
class Features:
    """Per word of a sentence: its word pieces, part of speech, relation, head (itself for a root) and flags (bits)."""

    pieces: tuple[tuple[int, ...], ...]
    pos: tuple[int, ...]
    relations: tuple[int, ...]
    heads: tuple[int, ...]
    flags: tuple[int, ...]
    end: int

    @property
    def length(self) -> int:
        """Word pieces in all."""
        return sum(map(len, self.pieces))


def features_of(words: Words, tokens: Callable[[str], Sequence[int]]) -> Features:
    """The features of a sentence; `tokens` gives the word pieces of a word's text."""
    return Features(
        pieces=tuple(tuple(tokens(word.text)) for word in words.words),
        pos=tuple(_POS.get(word.pos, len(POS) - 1) for word in words.words),
        relations=tuple(_RELATIONS.get(word.rel, len(RELATIONS) - 1) for word in words.words),
        heads=tuple(word.head if word.head >= 0 else number for number, word in enumerate(words.words)),
        flags=_flags(words),
        end=words.end,
    )


def _flags(words: Words) -> tuple[int, ...]:
    found = []
    depth, quoted = 0, False
    for word in words.words:
        if word.text in "([":
            depth += 1
        quoted = quoted != (word.text in _QUOTES)
        bits = (
            word.text[:1].isupper(),
            word.is_mark,
            any(c.isdigit() for c in word.text),
            word.text == ",",
            word.text in (";", ":", "--", "—", "–", "-"),
            depth > 0,
            quoted,
            word.feature("VerbForm") == "Fin",
        )
        found.append(sum(1 << place for place, bit in enumerate(bits) if bit))
        if word.text in ")]":
            depth = max(0, depth - 1)
    return tuple(found)
