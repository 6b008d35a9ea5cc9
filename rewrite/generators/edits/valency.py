"""How much a head needs a dependent, counted over parsed news and encyclopaedia text.

`обратиться` comes with *к + dative* half of the time and almost never alone, so *обратился* without it is no sentence;
`направление` is as often bare. The table is made by `training/valency.py`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from rerank.analysis import Token
from rerank.morphology import Morphology
from rewrite.generators.edits.tree import Tree

_TABLE = Path(__file__).parent.parent.parent / "models" / "valency_ru.json.gz"
_PREPOSITIONS = {"во": "в", "со": "с", "ко": "к", "об": "о", "обо": "о", "из-за": "из-за"}
COMPLEMENTS = frozenset({"obj", "iobj", "obl", "obl:agent", "nmod", "xcomp", "ccomp", "csubj"})
"""Relations of what completes a word."""
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
_BARE = 0.12


def head_key(token: Token, lemma: str) -> str:
    """Key of a head in the table: part of speech, lemma, and whether it is passive."""
    return f"{token.pos[0]} {lemma}{' pass' if token.feats.get('Voice') == 'Pass' else ''}"


def frame_key(rel: str, preposition: str, case: str) -> str:
    """Key of a dependent in the table."""
    return (
        f"{rel}|{_PREPOSITIONS.get(preposition, preposition)}|{case}" if rel in ("obl", "nmod", "obj", "iobj") else rel
    )


class Valency:
    """The table, with pymorphy3's lemmas chosen by the tagger's part of speech."""

    def __init__(self, morphology: Morphology, table: dict[str, Any] | None = None) -> None:
        self._morphology = morphology
        self._table = json.loads(gzip.decompress(_TABLE.read_bytes())) if table is None else table
        self._lemma = lru_cache(maxsize=50_000)(self._find_lemma)

    @property
    def table(self) -> Mapping[str, Any]:
        """`{head: [bare, {frame: share}]}`, keyed by `head_key` and `frame_key`."""
        return self._table

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

    def frame(self, tree: Tree, i: int) -> str:
        """Key of dependent i in the table: relation, preposition and case."""
        prepositions = " ".join(tree.lower(c) for c in tree.children[i] if tree.rels[c] == "case" and c < i)
        return frame_key(tree.rels[i], prepositions, tree.tokens[i].feats.get("Case", ""))

    def need(self, tree: Tree, i: int) -> float:
        """Share, in [0, 1], of the head's occurrences that have such a dependent as i.

        It is 1 if cutting i would leave a head bare that hardly ever is, and 0 for heads that are not in the table.
        """
        head = tree.heads[i]
        token = tree.tokens[head]
        entry = self._table.get(head_key(token, self.lemma(token)))
        if entry is None:
            return 0.0
        bare, frames = entry
        if tree.rels[i] in COMPLEMENTS and bare < _BARE:
            others = [c for c in tree.children[head] if c != i and tree.rels[c] in COMPLEMENTS]
            if not others:
                return 1.0
        frame = self.frame(tree, i)
        # The parser wavers between these labels for the same complement.
        rest = frame.partition("|")[2]
        same = [f"{rel}|{rest}" for rel in ("obl", "iobj", "nmod")] if rest else []
        return float(max(frames.get(key, 0.0) for key in [frame, *same]))

    def bare(self, token: Token) -> float:
        """Share of the occurrences of this word that have no complement at all; 0 for words not in the table."""
        entry = self._table.get(head_key(token, self.lemma(token)))
        return float(entry[0]) if entry is not None else 0.0
