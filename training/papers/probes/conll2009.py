"""Sentences with marked predicates: from the CoNLL-2009 shared task's format, or a treebank's verbs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rerank.analysis import Analysis
from rerank.masked.base import Word
from rewrite.compression.objectives import words_of
from rewrite.datasets import text_lines
from rewrite.errors import BadInput

__all__ = ["MarkedSentence", "read_conll2009", "verbs_of"]

_COLUMNS = 14
"""ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED; then one for each predicate."""

_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
_CLINGING = re.compile(r"[.,;:!?%)\]}…]+|n't|['’]\w*")


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
            row = _row(path, number, line, expected)
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


def _row(path: Path, number: int, line: str, expected: int) -> tuple[Word, bool] | None:
    fields = line.split("\t")
    if len(fields) < _COLUMNS:
        raise BadInput(
            f"{path}, line {number}: {len(fields)} fields, not a row of CoNLL-2009: {line[:60]!r}.",
            hint=f"It has at least {_COLUMNS}, with tabs between them; a treebank goes with --conllu.",
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
