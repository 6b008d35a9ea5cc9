"""What the models of edits see.

The keep model sees of each word its place in the parse, its frequency, its meaning in a few numbers; the acceptance
model sees as much of a single edit: a cut, a replaced word, a clause rebuilt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from rerank.types import FloatArray
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.edits.substitute import SHORT_WORD, stem_of
from rewrite.generators.valency import RussianValency

_RELS = """acl acl:relcl advcl advmod amod appos aux aux:pass case cc ccomp compound conj cop csubj csubj:pass det
discourse expl fixed flat flat:foreign flat:name iobj mark nmod nsubj nsubj:pass nummod nummod:entity nummod:gov
obj obl obl:agent orphan parataxis punct root vocative xcomp""".split()
_POS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
_CASES = ["", "Nom", "Gen", "Dat", "Acc", "Ins", "Loc"]
_TENSES = ["", "Past", "Pres", "Fut"]
_FORMS = ["", "Fin", "Inf", "Part", "Conv"]
_UNKNOWN = -1
# Relations of what may go as a whole.
_UNITS = frozenset({"acl", "acl:relcl", "advcl", "appos", "parataxis", "conj", "obl", "nmod", "ccomp", "xcomp"})
FEATURES = (
    "rel pos head_rel head_pos grand_rel depth size place sentence_length log_count log_count_lemma entity capital "
    "letters distance children case seen digits log_count_head tense form after_mark need unit_steps unit_size "
    "unit_rel marks index text_length sentences sentence_number bracket"
).split()
_PREPOSITIONS = """в на с из по для к о от до за под при между через у об над без во со после перед из-за около среди
против кроме вместе ради про как и или а но что который когда чтобы где если""".split()
_KINDS = ("word", "phrase", "copula", "clause", "voice", "split")
_WORD = re.compile(r"[\w-]+")
_NEAR, _FAR = 6, 99
_CUT = (
    *("words", "words_left", "share", "comma_before", "mark_before", "comma_after", "at_end", "at_start", "commas"),
    *("finite", "entity_inside", "digit_inside", "before_head", "distance_to_head", "siblings", "siblings_alike"),
    *("siblings_right", "adjectives", "genitives", "complements", "clauses", "head_has_case", "head_has_subject"),
    *("head_depth", "head_plural", "head_passive", "head_participle", "head_capital", "head_entity", "head_animate"),
    *("after_head_at_once", "before_head_at_once", "head_letters", "head_verbal", "place_adjective", "plural"),
    *("compared", "short", "quoted", "bare"),
)
CUT_FEATURES = (*FEATURES, *_CUT, *("preposition", "head_case", "pos_before", "pos_after"))
"""Of a cut: numbers, 0 or 1, and categories as their index in a list, −1 where it is not there."""
_CHANGE = (
    *("pattern_words", "replacement_words", "letters_saved", "pattern_count", "replacement_count", "count_gain"),
    *("alike", "fits_best", "fits", "fitted_best", "fits_gain", "topic", "topic_gain", "stem_distance", "stem_near"),
    *("touched", "first", "lemma_pattern", "neighbours"),
)
CHANGE_FEATURES = (*FEATURES, *_CHANGE, "kind")
"""The same of a replacement or a rebuilt clause."""


def _index_of(values: Sequence[str], value: str) -> int:
    """Where a value stands in its list, −1 for one that is not there."""
    return values.index(value) if value in values else _UNKNOWN


def token_features(tree: RepairedTree, valency: RussianValency, navec: Any, projection: FloatArray) -> FloatArray:
    """Features of every token of a sentence, shape `[n_tokens, len(FEATURES) + d]`.

    `projection`, shape `[300, d]`, maps word vectors to d numbers; words without a vector get zeros.
    """
    total = len(tree)
    rows: list[list[float]] = []
    vectors = np.zeros((total, projection.shape[0]))
    seen: dict[str, int] = {}
    bracket = 0
    for i, token in enumerate(tree.tokens):
        bracket += token.text == "("
        lemma = valency.lemma(token)
        first, second = _row(tree, i, lemma, valency, navec)
        # A text is a sentence: `text_length`, `sentences` and `sentence_number` tell nothing more.
        rows.append([*first, seen.get(lemma, 0), *second, i, total, 1, 0, bracket])
        seen[lemma] = seen.get(lemma, 0) + 1
        bracket -= token.text == ")"
        word = tree.word(i)
        key = word if word in navec else lemma
        if key in navec:
            vectors[i] = navec[key]
    return np.hstack([np.array(rows, dtype=float).reshape(total, -1), vectors @ projection])


def _log_count(word: str, navec: Any) -> float:
    number = navec.vocab.word_ids.get(word)
    return float(np.log1p(navec.vocab.counts[number])) if number is not None else 0.0


def _row(
    tree: RepairedTree, i: int, lemma: str, valency: RussianValency, navec: Any
) -> tuple[list[float], list[float]]:
    token = tree.tokens[i]
    head = tree.heads[i]
    grand = tree.heads[head] if head >= 0 else -1
    top, steps = i, 0
    while tree.heads[top] >= 0 and tree.rels[top] not in _UNITS:
        top, steps = tree.heads[top], steps + 1
    subtree = tree.subtree(i)
    first = [
        _index_of(_RELS, tree.rels[i]),
        _index_of(_POS, token.pos),
        _index_of(_RELS, tree.rels[head]) if head >= 0 else _UNKNOWN,
        _index_of(_POS, tree.tokens[head].pos) if head >= 0 else _UNKNOWN,
        _index_of(_RELS, tree.rels[grand]) if grand >= 0 else _UNKNOWN,
        tree.depth(i),
        len(subtree),
        i / len(tree),
        len(tree),
        _log_count(tree.word(i), navec),
        _log_count(lemma, navec),
        tree.start_in_entity(i) is not None,
        token.text[:1].isupper(),
        len(token.text),
        head - i if head >= 0 else 0,
        len(tree.children[i]),
        _index_of(_CASES, token.feats.get("Case", "")),
    ]
    second = [
        token.text.isdigit(),
        _log_count(tree.word(head), navec) if head >= 0 else 0.0,
        _index_of(_TENSES, token.feats.get("Tense", "")),
        _index_of(_FORMS, token.feats.get("VerbForm", "")),
        i > 0 and tree.tokens[i - 1].pos == "PUNCT",
        valency.need(tree, i) if head >= 0 else 1.0,
        steps,
        len(tree.subtree(top)),
        _index_of(_RELS, tree.rels[top]),
        sum(tree.tokens[c].pos == "PUNCT" for c in subtree),
    ]
    return [float(x) for x in first], [float(x) for x in second]


class Words:
    """Word vectors (300 numbers) and counts of navec; `projection`, shape `[300, d]`, makes d numbers of a vector."""

    def __init__(self, navec: Any, projection: FloatArray) -> None:
        self.navec = navec
        self.projection = projection
        self.none = np.zeros(projection.shape[0])

    def vector(self, text: str) -> FloatArray:
        """Mean vector of the known words of a text, zeros where there is none."""
        known = [self.navec[w] for w in _WORD.findall(text.lower()) if w in self.navec]
        return np.mean(known, axis=0) if known else self.none

    def count(self, text: str) -> float:
        """log(1 + count) of the rarest word of a text."""
        return min((_log_count(word, self.navec) for word in _WORD.findall(text.lower())), default=0.0)


def cut_features(tree: RepairedTree, nodes: Sequence[int], valency: RussianValency, words: Words) -> FloatArray:
    """Features of cutting the subtree of each node, shape `[len(nodes), len(CUT_FEATURES) + 3d]`.

    After the named ones come the reduced vectors of the node, of its head, and the mean of all that would go.
    """
    base = token_features(tree, valency, words.navec, words.projection)
    named, vectors = base[:, : len(FEATURES)], base[:, len(FEATURES) :]
    rows = [
        np.concatenate(
            [
                named[i],
                _cut_row(tree, i, valency),
                vectors[i],
                vectors[tree.heads[i]],
                vectors[tree.words(i)].mean(axis=0),
            ]
        )
        for i in nodes
    ]
    return np.array(rows).reshape(len(rows), len(CUT_FEATURES) + 3 * words.projection.shape[1])


def _cut_row(tree: RepairedTree, i: int, valency: RussianValency) -> list[float]:
    tokens, head = tree.tokens, tree.heads[i]
    first, last = tree.span(i)
    words = tree.words(i)
    total = sum(t.pos != "PUNCT" for t in tokens)
    before = next((j for j in range(first - 1, -1, -1) if tokens[j].pos != "PUNCT"), -1)
    after = next((j for j in range(last + 1, len(tree)) if tokens[j].pos != "PUNCT"), -1)
    row: list[float] = [
        len(words),
        total - len(words),
        len(words) / total,
        first > 0 and tokens[first - 1].text == ",",
        first > 0 and tokens[first - 1].text in "—–-:;(",
        last + 1 < len(tree) and tokens[last + 1].text == ",",
        last + 1 >= len(tree) - 1,
        before < 0,
        sum(tokens[j].text == "," for j in range(first, last + 1)),
        sum(tokens[j].feats.get("VerbForm") == "Fin" for j in words),
        any(tree.start_in_entity(j) is not None for j in words),
        any(tokens[j].text[:1].isdigit() for j in words),
        i < head,
        abs(head - i),
        *_siblings(tree, i),
        *_head(tree, head),
        before == head,
        after == head,
        len(tree.word(head)),
        valency.lemma(tokens[head]).endswith(("ние", "тие", "ция", "сть")),
        valency.lemma(tokens[i]).endswith("ский"),
        tokens[i].feats.get("Number") == "Plur",
        tokens[i].feats.get("Degree") in ("Sup", "Cmp"),
        tokens[i].feats.get("Variant") == "Short",
        tree.quote_depth(i),
        valency.bare(tree, head),
        _index_of(_PREPOSITIONS, tree.word(words[0])),
        _index_of(_CASES, tokens[head].feats.get("Case", "")),
        _index_of(_POS, tokens[before].pos) if before >= 0 else -1,
        _index_of(_POS, tokens[after].pos) if after >= 0 else -1,
    ]
    return [float(x) for x in row]


def _siblings(tree: RepairedTree, i: int) -> list[float]:
    """What else hangs on the head of i."""
    head = tree.heads[i]
    others = [c for c in tree.children[head] if c != i and tree.tokens[c].pos != "PUNCT"]
    rels = [tree.rels[c] for c in others]
    return [
        len(others),
        rels.count(tree.rels[i]),
        sum(c > head for c in others),
        sum(c < head and rel in ("amod", "det") for c, rel in zip(others, rels, strict=True)),
        rels.count("nmod"),
        sum(rel in ("obj", "iobj", "obl", "xcomp", "ccomp") for rel in rels),
        sum(rel in ("acl", "acl:relcl") for rel in rels),
        "case" in rels,
        "nsubj" in rels or "nsubj:pass" in rels,
    ]


def _head(tree: RepairedTree, head: int) -> list[float]:
    token = tree.tokens[head]
    return [
        tree.depth(head),
        token.feats.get("Number") == "Plur",
        token.feats.get("Voice") == "Pass",
        token.feats.get("VerbForm") == "Part",
        token.text[:1].isupper(),
        tree.start_in_entity(head) is not None,
        token.feats.get("Animacy") == "Anim",
    ]


def change_features(tree: RepairedTree, edits: Sequence[Edit], valency: RussianValency, words: Words) -> FloatArray:
    """Features of each replacement or rebuilt clause, shape `[len(edits), len(CHANGE_FEATURES) + 4d]`.

    After the named ones come the reduced vectors of what is replaced, of what replaces it, of the head, and the mean
    of the neighbours in the tree.
    """
    base = token_features(tree, valency, words.navec, words.projection)
    named, vectors = base[:, : len(FEATURES)], base[:, len(FEATURES) :]
    rows = []
    for edit in edits:
        i = place(edit)
        near = _neighbours(tree, i, edit)
        old, new = (words.vector(part) for part in pattern_and_replacement(edit))
        rows.append(
            np.concatenate(
                [
                    named[i],
                    _change_row(tree, i, near, edit, (old, new), valency, words),
                    old @ words.projection,
                    new @ words.projection,
                    vectors[tree.heads[i]] if tree.heads[i] >= 0 else np.zeros(vectors.shape[1]),
                    vectors[near].mean(axis=0) if near else np.zeros(vectors.shape[1]),
                ]
            )
        )
    return np.array(rows).reshape(len(rows), len(CHANGE_FEATURES) + 4 * words.projection.shape[1])


def place(edit: Edit) -> int:
    """The token where an edit is: its node, or the first one that changes."""
    return edit.node if edit.node >= 0 else min(i for i, _ in edit.changes)


def pattern_and_replacement(edit: Edit) -> tuple[str, str]:
    """Both sides of the row of the dictionary, empty for an edit that came from none."""
    pattern, _, replacement = edit.entry.replace("=", "").partition(" → ")
    return pattern, replacement


def _neighbours(tree: RepairedTree, i: int, edit: Edit) -> list[int]:
    content = ("NOUN", "VERB", "ADJ", "PROPN", "ADV")
    linked = [tree.heads[i], *tree.children[i]]
    return [j for j in linked if j >= 0 and tree.tokens[j].pos in content and j not in edit.touched]


def _change_row(
    tree: RepairedTree,
    i: int,
    near: Sequence[int],
    edit: Edit,
    vectors: tuple[FloatArray, FloatArray],
    valency: RussianValency,
    words: Words,
) -> list[float]:
    pattern, replacement = pattern_and_replacement(edit)
    old, new = vectors
    around = [words.vector(valency.lemma(tree.tokens[j])) for j in near]
    fits, fitted = ([_cosine(v, w) for w in around] for v in (new, old))
    others = [j for j, t in enumerate(tree.tokens) if t.pos in ("NOUN", "VERB", "ADJ") and j not in edit.touched]
    topic = np.mean([words.vector(valency.lemma(tree.tokens[j])) for j in others], axis=0) if others else words.none
    distance = _stem_distance(tree, i, edit, replacement, valency)
    gain = float(np.mean(fits) - np.mean(fitted)) if fits else 0.0
    row: list[float] = [
        len(pattern.split()),
        len(replacement.split()),
        len(pattern) - len(replacement),
        words.count(pattern),
        words.count(replacement),
        words.count(replacement) - words.count(pattern),
        _cosine(old, new),
        max(fits, default=0.0),
        float(np.mean(fits)) if fits else 0.0,
        max(fitted, default=0.0),
        gain,
        _cosine(new, topic),
        _cosine(new, topic) - _cosine(old, topic),
        distance,
        distance < _NEAR,
        len(edit.touched),
        i == 0,
        edit.entry.startswith("="),
        len(near),
        _index_of(_KINDS, edit.kind),
    ]
    return [float(x) for x in row]


def _cosine(a: FloatArray, b: FloatArray) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-9))


def _stem_distance(tree: RepairedTree, i: int, edit: Edit, replacement: str, valency: RussianValency) -> int:
    """How far the nearest word with the stem of a new word stands: a repetition."""
    stems = {stem_of(word) for word in _WORD.findall(replacement) if len(word) >= SHORT_WORD}
    return min(
        (
            abs(j - i)
            for j, t in enumerate(tree.tokens)
            if j not in edit.touched and len(t.text) >= SHORT_WORD and stem_of(valency.lemma(t)) in stems
        ),
        default=_FAR,
    )
