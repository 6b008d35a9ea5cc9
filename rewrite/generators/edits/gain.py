"""How much a set of edits is worth in the eyes of human editors: a linear model over what was cut, kept and changed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rerank.types import FloatArray
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.sampler import Options, cut_tokens

__all__ = ["FEATURES", "gain_features"]

_RELS = "amod advmod nmod obl acl acl:relcl advcl appos conj parataxis det".split()
_KINDS = "word phrase copula clause voice split".split()
_COUNTS = "cut_words cut_keep changed_words changed_keep kept_words kept_keep cuts square short".split()
FEATURES = (*_COUNTS, *(f"cut:{rel}" for rel in _RELS), *_KINDS)
_SHORTEST = 0.35


def gain_features(options: Sequence[Options], edits: Sequence[Sequence[Edit]]) -> FloatArray:
    """Features of one candidate, shape `[len(FEATURES)]`, summed over the sentences of the text.

    `cut_keep` and the like are sums of the words' keep probabilities. `square` is words · (share kept)², `short` counts
    the words by which less than 35 % of the text is kept: both let the worth of cutting change with how much is left.
    """
    found = dict.fromkeys(FEATURES, 0.0)
    total = 0
    for one, made in zip(options, edits, strict=True):
        total += _count_words(found, one, made)
        for edit in made:
            rel = one.tree.rels[edit.node] if edit.node >= 0 else ""
            if edit.node < 0:
                found[edit.kind] += 1
            else:
                found["cuts"] += 1
                if f"cut:{rel}" in found:
                    found[f"cut:{rel}"] += 1
    share = (found["kept_words"] + found["changed_words"]) / max(1, total)
    found["square"] = total * share * share
    found["short"] = total * max(0.0, _SHORTEST - share)
    return np.array([found[name] for name in FEATURES])


def _count_words(found: dict[str, float], one: Options, made: Sequence[Edit]) -> int:
    gone = cut_tokens(one.tree, made)
    changed = {i for edit in made for i, _ in edit.changes}
    words = 0
    for i, token in enumerate(one.tree.tokens):
        if token.pos == "PUNCT":
            continue
        words += 1
        group = "cut" if i in gone else "changed" if i in changed else "kept"
        found[f"{group}_words"] += 1
        found[f"{group}_keep"] += float(one.keep[i])
    return words
