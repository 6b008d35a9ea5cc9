"""Sentences with gold trees or marked predicates: a Universal Dependencies treebank, or the format of CoNLL-2009."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rerank.analysis import LAYERS, Analysis, Analyzer, Sentence, Token
from rerank.masked.base import Word
from rewrite.compression.objectives import words_of
from rewrite.datasets import text_lines
from rewrite.errors import BadInput
from training.parsing.treebanks import read_blocks

_COLUMNS_2009 = 14
"""ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED; then one for each predicate."""
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
_CLINGING = re.compile(r"[.,;:!?%)\]}…]+|n't|['’]\w*")


class GoldAnalyzer(Analyzer):
    """Knows the analyses it was given, and no other text; of equal texts the first."""

    def __init__(self, analyses: Iterable[Analysis]) -> None:
        super().__init__(cache_size=0)
        self._known: dict[str, Analysis] = {}
        for analysis in analyses:
            self._known.setdefault(analysis.text, analysis)

    def analyze(self, texts: Sequence[str], layers: Iterable[str] = ()) -> list[Analysis]:
        """One analysis per text. Raises `KeyError` for a text that it was not given."""
        return [self._known[text] for text in texts]


def read_treebank(path: Path) -> list[Analysis]:
    """The sentences of a CoNLL-U file, each an analysis with one sentence, the file's words and its tree.

    Words are the file's syntactic words, with spaces as its SpaceAfter has them; what is several (*don't*) is written
    as its parts. Empty nodes are left out. Raises `BadInput` with file and place for a row or tree that is broken.
    """
    blocks = enumerate(read_blocks(path), 1)
    sentences = [_analysis(f"{path}, sentence {number}", block.rows) for number, block in blocks]
    if not sentences:
        raise BadInput(f"{path}: no sentences in it.", hint="Give a CoNLL-U file.")
    return sentences


def _analysis(place: str, rows: Sequence[Sequence[str]]) -> Analysis:
    # A word of several is a row "3-4" before its parts, which say nothing about spaces: it does.
    glued = {row[0].split("-")[1] for row in rows if "-" in row[0] and "SpaceAfter=No" in row[9]}
    inside = {str(n) for row in rows if "-" in row[0] for n in range(*map(int, row[0].split("-")))}
    words = [row for row in rows if row[0].isdigit()]
    tokens: list[Token] = []
    text = ""
    for expected, row in enumerate(words, 1):
        number, form, head = row[0], row[1], row[6]
        if number != str(expected):
            raise BadInput(f"{place}: the word {number} comes where {expected} should.")
        if not head.isdigit() or int(head) > len(words) or head == number:
            raise BadInput(f"{place}: the head is {head!r}.", hint=f"Expected a number up to {len(words)}.")
        token = Token(form, len(text), len(text) + len(form))
        token.pos, token.rel, token.head = row[3], row[7], int(head) - 1
        tokens.append(token)
        text += form
        if number not in inside | glued and "SpaceAfter=No" not in row[9].split("|"):
            text += " "
    if 0 in depths(tokens):
        raise BadInput(f"{place}: its heads go round in a circle.")
    return _Gold(text.rstrip(" "), tokens)


class _Gold(Analysis):
    """An analysis of one sentence that is complete from the start."""

    __slots__ = ()

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.layers = set(LAYERS)
        self.entities = ()
        self.sentences = [Sentence(0, len(text), text, tokens)]


def depths(tokens: Sequence[Token]) -> list[int]:
    """The depth of each word in the tree: 1 for a root, 0 for what hangs on no root."""
    children: dict[int, list[int]] = {}
    for place, token in enumerate(tokens):
        children.setdefault(token.head, []).append(place)
    found = [0] * len(tokens)
    level, depth = children.get(-1, []), 1
    while level:
        for place in level:
            found[place] = depth
        level, depth = [child for place in level for child in children.get(place, [])], depth + 1
    return found


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """Words, and for each whether it is a predicate."""

    words: Sequence[Word]
    predicates: Sequence[bool]


def read_conll2009(path: Path) -> list[MarkedSentence]:
    """The sentences of a file in the format of CoNLL-2009. Raises `BadInput` with file and line for a broken row.

    Predicates are the rows with `Y` for FILLPRED. Words without a form (`_`, subjects that Spanish leaves out) are left
    out; the underscores of words of several parts are spaces. The format does not tell spaces: marks that close
    something and English clitics cling to what is before them.
    """
    found: list[MarkedSentence] = []
    rows: list[tuple[Word, bool]] = []
    expected = 1
    for number, line in enumerate([*text_lines(path), ""], 1):
        if line.strip():
            row = _row_2009(path, number, line, expected)
            expected += 1
            if row is not None:
                rows.append(row)
        else:
            if rows:
                found.append(MarkedSentence([word for word, _ in rows], [is_one for _, is_one in rows]))
            rows, expected = [], 1
    if not found:
        raise BadInput(f"{path}: no sentences in it.", hint="Give a file in the format of CoNLL-2009.")
    return found


def _row_2009(path: Path, number: int, line: str, expected: int) -> tuple[Word, bool] | None:
    fields = line.split("\t")
    if len(fields) < _COLUMNS_2009:
        raise BadInput(
            f"{path}, line {number}: {len(fields)} fields, not a row of CoNLL-2009: {line[:60]!r}.",
            hint=f"It has at least {_COLUMNS_2009}, with tabs between them; a treebank goes with --conllu.",
        )
    identity, form, predicate = fields[0].strip(), fields[1].strip(), fields[12].strip()
    if identity != str(expected):
        raise BadInput(f"{path}, line {number}: the word {identity[:20]!r} comes where {expected} should.")
    if predicate not in ("Y", "_") or not form:
        what = f"FILLPRED is {predicate[:20]!r}" if form else "the form is empty"
        raise BadInput(f"{path}, line {number}: {what}.", hint="FILLPRED is Y for a predicate, else _.")
    if form == "_":
        return None
    text = _BRACKETS.get(form, form.replace("_", " ").strip() or form)
    return Word(text, spaced=expected == 1 or not _CLINGING.fullmatch(text)), predicate == "Y"


def verbs_of(analyses: Sequence[Analysis]) -> list[MarkedSentence]:
    """Sentences of a treebank with their verbs (VERB, not AUX) for predicates."""
    return [MarkedSentence(words_of(one), [token.pos == "VERB" for token in one.tokens]) for one in analyses]
