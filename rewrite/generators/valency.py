"""What words ask for: with which dependents they come how often, and whether they hardly ever stand without any.

The tables are counted over parsed text (`training.valency`): *include* comes with an object nearly always, *обратиться*
with *к* and a dative half of the time, and neither makes a sentence alone; *направление* is as often bare.
"""

from __future__ import annotations

import gzip
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rerank.analysis import Token
from rerank.tree import Tree

if TYPE_CHECKING:
    from rerank.morphology import Morphology

_MODELS = Path(__file__).parent.parent / "models"
COMPLEMENTS = frozenset({"obj", "iobj", "obl", "obl:agent", "nmod", "xcomp", "ccomp", "csubj"})
"""Relations of what completes a word."""
# Above this share a dependent of each relation counts as needed.
LIMITS = {
    "obl": 0.22,
    "nmod": 0.35,
    "amod": 0.45,
    "iobj": 0.3,
    "acl": 0.3,
    "acl:relcl": 0.3,
    "det": 0.4,
    "obl:agent": 0.4,
}
_PREPOSITIONS = {"во": "в", "со": "с", "ко": "к", "об": "о", "обо": "о"}
_TOLD_APART = frozenset({"obl", "nmod", "obj", "iobj"})
# Parsers waver between these relations for the same complement.
_WAVERING = ("obl", "iobj", "nmod")
_SELDOM_BARE = 0.2
_HARDLY_BARE = 0.12
# An object that a word has at least this often it must have beside other complements too; and where there is no other
# complement, an adverb or adjective that it has at least this often stands for one.
_OBJECT = 0.5
_STAND_IN = 0.2
# Complements make up for one that the word has more than twice as often as any of them no more.
_MAKES_UP = 0.5
_POS = {
    "VERB": ("VERB", "INFN", "PRTF", "PRTS", "GRND"),
    "AUX": ("VERB", "INFN", "PRTF", "PRTS", "GRND"),
    "NOUN": ("NOUN",),
    "PROPN": ("NOUN",),
    "ADJ": ("ADJF", "ADJS", "COMP", "PRTF", "PRTS"),
    "ADV": ("ADVB", "PRED", "COMP"),
    "NUM": ("NUMR",),
    "DET": ("ADJF", "NPRO"),
    "PRON": ("NPRO",),
}


class Valency(ABC):
    """A table `{head: [bare, {frame: share}]}`: `bare` is the share of the head's occurrences without any complement,
    `share` that of those with such a dependent, both in [0, 1]. A language says which keys a token has in it.
    """

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.table = table

    @abstractmethod
    def head(self, tree: Tree, number: int) -> str:
        """The key of a token as a head."""

    @abstractmethod
    def frame(self, tree: Tree, number: int) -> str:
        """The key of a token as a dependent."""

    def must_have(self, tree: Tree, number: int) -> bool:
        """Whether the token's head would be left with too little.

        That is a word that hardly ever stands without any complement, which loses the last one (an adverb may stand
        for it: *lies nearby*), the object that it often has, or one that the others left do not make up for.
        """
        entry = self._entry(tree, tree.heads[number])
        if entry is None or entry[0] >= _SELDOM_BARE:
            return False
        relation, share = tree.rels[number], self._share(entry[1], tree, number)
        if relation not in COMPLEMENTS and share < _STAND_IN:
            return False
        others = [c for c in tree.children[tree.heads[number]] if c != number and _completes(tree, c)]
        if not others or (relation == "obj" and share >= _OBJECT):
            return True
        return max(self._share(entry[1], tree, other) for other in others) < share * _MAKES_UP

    def is_usual(self, tree: Tree, number: int) -> bool:
        """Whether the token's head comes with such a dependent so often that it seems to be called for."""
        entry = self._entry(tree, tree.heads[number])
        return entry is not None and self._share(entry[1], tree, number) >= LIMITS.get(tree.rels[number], 1.1)

    def need(self, tree: Tree, number: int) -> float:
        """Share, in [0, 1], of the head's occurrences that have such a dependent.

        It is 1 if cutting it would leave a head bare that hardly ever is, and 0 for heads that are not in the table.
        """
        head = tree.heads[number]
        entry = self._entry(tree, head)
        if entry is None:
            return 0.0
        others = (c for c in tree.children[head] if c != number and tree.rels[c] in COMPLEMENTS)
        if tree.rels[number] in COMPLEMENTS and entry[0] < _HARDLY_BARE and next(others, None) is None:
            return 1.0
        return _framed(entry[1], self.frame(tree, number))

    def bare(self, tree: Tree, number: int) -> float:
        """Share of the occurrences of this word that have no complement at all; 0 for words not in the table."""
        entry = self._entry(tree, number)
        return float(entry[0]) if entry is not None else 0.0

    def _entry(self, tree: Tree, head: int) -> Any:
        return self.table.get(self.head(tree, head))

    def _share(self, frames: Mapping[str, float], tree: Tree, number: int) -> float:
        """As `_framed`, but for objects, which are in the genitive after numbers and negations."""
        frame = self.frame(tree, number)
        if frame.startswith("obj|"):
            return max((share for key, share in frames.items() if key.startswith("obj|")), default=0.0)
        return _framed(frames, frame)


def _framed(frames: Mapping[str, float], frame: str) -> float:
    """Of a head's occurrences, those with such a dependent; 0 where there are few."""
    rest = frame.partition("|")[2]
    same = [f"{relation}|{rest}" for relation in _WAVERING] if rest else []
    return float(max(frames.get(key, 0.0) for key in (frame, *same)))


def _completes(tree: Tree, number: int) -> bool:
    """Whether it is a complement, and no relative pronoun, which the parser may have hung on the wrong verb."""
    return tree.rels[number] in COMPLEMENTS and not tree.word(number).startswith("котор")


def _frame(tree: Tree, number: int, case: str) -> str:
    """Relation, preposition and case."""
    relation = tree.rels[number]
    words = " ".join(tree.word(c) for c in tree.children[number] if tree.rels[c] == "case" and c < number)
    return f"{relation}|{_PREPOSITIONS.get(words, words)}|{case}" if relation in _TOLD_APART else relation


def _read_table(language: str) -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads(gzip.decompress((_MODELS / f"valency_{language}.json.gz").read_bytes()))
    return table


class RussianValency(Valency):
    """The Russian table, with pymorphy3's lemmas chosen by the tagger's part of speech."""

    def __init__(self, morphology: Morphology, table: Mapping[str, Any] | None = None) -> None:
        super().__init__(_read_table("ru") if table is None else table)
        self._morphology = morphology
        self._lemma = lru_cache(maxsize=50_000)(self._find_lemma)

    def head(self, tree: Tree, number: int) -> str:
        """Part of speech and lemma, and whether it is passive."""
        token = tree.tokens[number]
        return f"{token.pos[0]} {self.lemma(token)}{' pass' if token.feats.get('Voice') == 'Pass' else ''}"

    def frame(self, tree: Tree, number: int) -> str:
        """Relation, preposition and case."""
        return _frame(tree, number, tree.tokens[number].feats.get("Case", ""))

    def _find_lemma(self, word: str, pos: str) -> str:
        parses = self._morphology.parse(word)
        wanted = _POS.get(pos, ())
        best = next((p for p in parses if p.pos in wanted), parses[0])
        return best.lemma.replace("ё", "е")

    def lemma(self, token: Token) -> str:
        """Dictionary form, ё folded."""
        return self._lemma(token.text.lower(), token.pos)

    def ordinal(self, token: Token) -> bool:
        """Whether this is an ordinal number (*седьмой*)."""
        return any("Anum" in parse.grammemes for parse in self._morphology.parse(token.text))

    def perfective(self, infinitive: str) -> bool:
        """Whether the verb is perfective by pymorphy3's likeliest reading."""
        return "perf" in self._morphology.parse(infinitive)[0].grammemes


class EnglishValency(Valency):
    """The English table."""

    def __init__(self, table: Mapping[str, Any] | None = None) -> None:
        super().__init__(_read_table("en") if table is None else table)

    def head(self, tree: Tree, number: int) -> str:
        """Part of speech and lemma, with the particle of a phrasal verb, and whether it is passive."""
        token, children = tree.tokens[number], tree.children[number]
        particles = "".join(f" {tree.word(c)}" for c in children if tree.rels[c] == "compound:prt")
        auxiliary = any(tree.rels[c] == "aux:pass" for c in children)
        participle = token.rel == "acl" and token.feats.get("VerbForm") == "Part" and token.feats.get("Tense") == "Past"
        lemma = (getattr(token, "lemma", "") or token.text).lower()
        return f"{token.pos[:1]} {lemma}{particles}{' pass' if auxiliary or participle else ''}"

    def frame(self, tree: Tree, number: int) -> str:
        """Relation and preposition; English has no cases to tell."""
        return _frame(tree, number, "")
