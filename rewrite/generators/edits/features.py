"""What the keep model sees of each word: its place in the parse, its frequency, its meaning in a few numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rerank.types import FloatArray
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency

__all__ = ["CASES", "FEATURES", "POS", "RELS", "index_of", "token_features"]

RELS = """acl acl:relcl advcl advmod amod appos aux aux:pass case cc ccomp compound conj cop csubj csubj:pass det
discourse expl fixed flat flat:foreign flat:name iobj mark nmod nsubj nsubj:pass nummod nummod:entity nummod:gov
obj obl obl:agent orphan parataxis punct root vocative xcomp""".split()
POS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
CASES = ["", "Nom", "Gen", "Dat", "Acc", "Ins", "Loc"]
_TENSES = ["", "Past", "Pres", "Fut"]
_FORMS = ["", "Fin", "Inf", "Part", "Conv"]
_UNKNOWN = -1
FEATURES = (
    "rel pos head_rel head_pos grand_rel depth size place sentence_length log_count log_count_lemma entity capital "
    "letters distance children case seen digits log_count_head tense form after_mark need unit_steps unit_size "
    "unit_rel marks index text_length sentences sentence_number bracket"
).split()


def index_of(values: Sequence[str], value: str) -> int:
    """Where a value stands in its list, −1 for one that is not there."""
    return values.index(value) if value in values else _UNKNOWN


def token_features(trees: Sequence[Tree], valency: Valency, navec: Any, projection: FloatArray) -> FloatArray:
    """Features of every token of a text, shape `[n_tokens, len(FEATURES) + d]`.

    `projection`, shape `[300, d]`, maps word vectors to d numbers; words without a vector get zeros.
    """
    total = sum(len(tree) for tree in trees)
    rows: list[list[float]] = []
    vectors = np.zeros((total, projection.shape[0]))
    seen: dict[str, int] = {}
    offset = 0
    for number, tree in enumerate(trees):
        bracket = 0
        for i in range(len(tree)):
            bracket += tree.tokens[i].text == "("
            lemma = valency.lemma(tree.tokens[i])
            row = _row(tree, i, lemma, valency, navec)
            rows.append([*row[0], seen.get(lemma, 0), *row[1], offset + i, total, len(trees), number, bracket])
            seen[lemma] = seen.get(lemma, 0) + 1
            bracket -= tree.tokens[i].text == ")"
            word = tree.lower(i)
            key = word if word in navec else lemma
            if key in navec:
                vectors[offset + i] = navec[key]
        offset += len(tree)
    return np.hstack([np.array(rows, dtype=float).reshape(total, -1), vectors @ projection])


def _log_count(word: str, navec: Any) -> float:
    number = navec.vocab.word_ids.get(word)
    return float(np.log1p(navec.vocab.counts[number])) if number is not None else 0.0


def _row(tree: Tree, i: int, lemma: str, valency: Valency, navec: Any) -> tuple[list[float], list[float]]:
    token = tree.tokens[i]
    head = tree.heads[i]
    grand = tree.heads[head] if head >= 0 else -1
    top, steps = i, 0
    while tree.heads[top] >= 0 and tree.rels[top] not in _UNITS:
        top, steps = tree.heads[top], steps + 1
    subtree = tree.subtree(i)
    first = [
        index_of(RELS, tree.rels[i]),
        index_of(POS, token.pos),
        index_of(RELS, tree.rels[head]) if head >= 0 else _UNKNOWN,
        index_of(POS, tree.tokens[head].pos) if head >= 0 else _UNKNOWN,
        index_of(RELS, tree.rels[grand]) if grand >= 0 else _UNKNOWN,
        tree.depth(i),
        len(subtree),
        i / len(tree),
        len(tree),
        _log_count(tree.lower(i), navec),
        _log_count(lemma, navec),
        tree.start_in_entity(i) is not None,
        token.text[:1].isupper(),
        len(token.text),
        head - i if head >= 0 else 0,
        len(tree.children[i]),
        index_of(CASES, token.feats.get("Case", "")),
    ]
    second = [
        token.text.isdigit(),
        _log_count(tree.lower(head), navec) if head >= 0 else 0.0,
        index_of(_TENSES, token.feats.get("Tense", "")),
        index_of(_FORMS, token.feats.get("VerbForm", "")),
        i > 0 and tree.tokens[i - 1].pos == "PUNCT",
        valency.need(tree, i) if head >= 0 else 1.0,
        steps,
        len(tree.subtree(top)),
        index_of(RELS, tree.rels[top]),
        sum(tree.tokens[c].pos == "PUNCT" for c in subtree),
    ]
    return [float(x) for x in first], [float(x) for x in second]


_UNITS = frozenset({"acl", "acl:relcl", "advcl", "appos", "parataxis", "conj", "obl", "nmod", "ccomp", "xcomp"})
