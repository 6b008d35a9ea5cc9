"""Sentences of a Universal Dependencies treebank as analyses with the treebank's own tokens, tags and trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rerank.analysis import LAYERS, Analysis, Analyzer, Sentence, Token
from rewrite.datasets import text_lines
from rewrite.errors import BadInput

__all__ = ["GoldAnalyzer", "depths", "read_treebank"]

_COLUMNS = 10


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
    as its parts. Empty nodes are left out. Raises `BadInput` with file and line for a row or tree that is broken.
    """
    found: list[Analysis] = []
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate([*text_lines(path), ""], 1):
        if line.startswith("#"):
            continue
        if line.strip():
            rows.append((number, _row(path, number, line)))
        elif rows:
            found.append(_analysis(path, rows))
            rows = []
    if not found:
        raise BadInput(f"{path}: no sentences in it.", hint="Give a CoNLL-U file.")
    return found


def _row(path: Path, number: int, line: str) -> list[str]:
    row = line.split("\t")
    if len(row) != _COLUMNS or not row[0].replace("-", "").replace(".", "").isdigit() or not row[1]:
        raise BadInput(f"{path}, line {number}: not a row of CoNLL-U: {line[:60]!r}.", hint="It has ten columns.")
    return row


def _analysis(path: Path, rows: Sequence[tuple[int, list[str]]]) -> Analysis:
    # A word of several is a row "3-4" before its parts, which say nothing about spaces: it does.
    glued = {row[0].split("-")[1] for _, row in rows if "-" in row[0] and "SpaceAfter=No" in row[9]}
    inside = {str(n) for _, row in rows if "-" in row[0] for n in range(*map(int, row[0].split("-")))}
    words = [(number, row) for number, row in rows if row[0].isdigit()]
    if not words:
        raise BadInput(f"{path}, line {rows[0][0]}: a sentence without words.")
    tokens: list[Token] = []
    text = ""
    for place, (number, row) in enumerate(words):
        if int(row[0]) != place + 1:
            raise BadInput(f"{path}, line {number}: the word {row[0]} comes where {place + 1} should.")
        token = _token(path, number, row, len(text), len(words))
        tokens.append(token)
        text += row[1]
        if row[0] not in inside | glued and "SpaceAfter=No" not in row[9].split("|"):
            text += " "
    _require_tree(path, words[0][0], tokens)
    return _Gold(text.rstrip(" "), tokens)


class _Gold(Analysis):
    """An analysis of one sentence that is complete from the start."""

    __slots__ = ()

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.layers = set(LAYERS)
        self.entities = ()
        self.sentences = [Sentence(0, len(text), text, tokens)]


def _token(path: Path, number: int, row: Sequence[str], start: int, words: int) -> Token:
    token = Token(row[1], start, start + len(row[1]))
    token.pos, token.rel = row[3], row[7]
    if not row[6].isdigit() or int(row[6]) > words or row[6] == row[0]:
        raise BadInput(f"{path}, line {number}: the head is {row[6]!r}.", hint=f"Expected a number up to {words}.")
    token.head = int(row[6]) - 1
    return token


def _require_tree(path: Path, number: int, tokens: Sequence[Token]) -> None:
    if 0 in depths(tokens):
        raise BadInput(f"{path}, the sentence of line {number}: its heads go round in a circle.")


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
