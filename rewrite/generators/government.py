"""What words ask for: with which dependents they come how often, and whether they hardly ever stand without any.

The tables are counted over parsed text (`training.valency`): *include* comes with an object
nearly always, *находиться* with a place, *рост* with a genitive, and none of them makes a sentence alone.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rewrite.generators.edits.valency import COMPLEMENTS, LIMITS, Valency, frame_key, head_key
from rewrite.generators.tree import Tree

_ENGLISH = Path(__file__).parent.parent / "models" / "valency_en.json.gz"
_BARE = 0.2
_FRAMED = ("obl", "iobj", "nmod")
# An object that a word has at least this often it must have beside other complements too; and where there is no other
# complement, an adverb or adjective that it has at least this often stands for one.
_OBJECT = 0.5
_STAND_IN = 0.2
# Complements make up for one that the word has more than twice as often as any of them no more.
_MAKES_UP = 0.5

Key = Callable[[Tree, int], str]


@dataclass(frozen=True)
class Government:
    """A table `{head: [bare, {frame: share}]}`, and the keys that a token has in it as a head and as a dependent.

    `bare` is the share of the head's occurrences without any complement, `share` that of those with such a dependent;
    both in [0, 1].
    """

    table: Mapping[str, Any]
    head: Key
    frame: Key

    def must_have(self, tree: Tree, number: int) -> bool:
        """Whether the token's head would be left with too little.

        That is a word that hardly ever stands without any complement, which loses the last one (an adverb may stand
        for it: *lies nearby*), the object that it often has, or one that the others left do not make up for.
        """
        token = tree.tokens[number]
        entry = self.table.get(self.head(tree, token.head))
        if entry is None or entry[0] >= _BARE:
            return False
        own = self._share(entry[1], tree, number)
        if token.rel not in COMPLEMENTS and own < _STAND_IN:
            return False
        others = [c for c in tree.children[token.head] if c != number and _completes(tree, c)]
        if not others or (token.rel == "obj" and own >= _OBJECT):
            return True
        return max(self._share(entry[1], tree, other) for other in others) < own * _MAKES_UP

    def is_usual(self, tree: Tree, number: int) -> bool:
        """Whether the token's head comes with such a dependent so often that it seems to be called for."""
        token = tree.tokens[number]
        entry = self.table.get(self.head(tree, token.head))
        return entry is not None and self._share(entry[1], tree, number) >= LIMITS.get(token.rel, 1.1)

    def _share(self, frames: Mapping[str, float], tree: Tree, number: int) -> float:
        """Of the head's occurrences, those with such a dependent; 0 where there are few."""
        frame = self.frame(tree, number)
        relation, _, rest = frame.partition("|")
        if relation == "obj":  # in the genitive after numbers and negations
            return max((share for key, share in frames.items() if key.startswith("obj|")), default=0.0)
        # Parsers waver between these relations for the same complement.
        same = [f"{rel}|{rest}" for rel in _FRAMED] if rest else []
        return max(frames.get(key, 0.0) for key in (frame, *same))


def _completes(tree: Tree, number: int) -> bool:
    """Whether it is a complement, and no relative pronoun, which the parser may have hung on the wrong verb."""
    return tree.tokens[number].rel in COMPLEMENTS and not tree.word(number).startswith("котор")


def russian(valency: Valency) -> Government:
    """The table of the `edits` generator, with its keys."""

    def head(tree: Tree, number: int) -> str:
        return head_key(tree.tokens[number], valency.lemma(tree.tokens[number]))

    def frame(tree: Tree, number: int) -> str:
        return frame_key(tree.tokens[number].rel, _case_words(tree, number), tree.tokens[number].feats.get("Case", ""))

    return Government(valency.table, head, frame)


@lru_cache(maxsize=1)
def english() -> Government:
    """The English table."""
    return Government(json.loads(gzip.decompress(_ENGLISH.read_bytes())), english_head, english_frame)


def english_head(tree: Tree, number: int) -> str:
    """Part of speech and lemma, with the particle of a phrasal verb, and whether it is passive."""
    token = tree.tokens[number]
    particles = "".join(f" {tree.word(c)}" for c in tree.children[number] if tree.tokens[c].rel == "compound:prt")
    auxiliary = any(tree.tokens[c].rel == "aux:pass" for c in tree.children[number])
    participle = token.rel == "acl" and token.feats.get("VerbForm") == "Part" and token.feats.get("Tense") == "Past"
    lemma = (getattr(token, "lemma", "") or token.text).lower()
    return f"{token.pos[:1]} {lemma}{particles}{' pass' if auxiliary or participle else ''}"


def english_frame(tree: Tree, number: int) -> str:
    """Relation and preposition; English has no cases to tell."""
    return frame_key(tree.tokens[number].rel, _case_words(tree, number), "")


def _case_words(tree: Tree, number: int) -> str:
    words = [tree.word(child) for child in tree.children[number] if tree.tokens[child].rel == "case" and child < number]
    return " ".join(words)
