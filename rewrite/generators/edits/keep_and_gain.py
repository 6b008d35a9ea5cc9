"""The bundled model: how likely a human editor is to keep each word, and what a set of edits is worth to them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rerank.types import FloatArray
from rewrite.forest import Trees, stored_arrays
from rewrite.generators.edits.consistent import inconsistency
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.features import FEATURES, token_features
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.valency import RussianValency

_CUT_COST = 0.08
_SUBSTITUTED = 0.05
# What a replaced word is worth in the units of `caution`: at caution 2 it must pass with p > 0.84, at 0.7 with p > 0.6.
_CHANGE_WORTH = 0.35


@dataclass(frozen=True)
class Options:
    """What can be done to one sentence: `keep` holds p for each token, `cuts` are by node."""

    tree: RepairedTree
    keep: FloatArray
    cuts: Mapping[int, Edit]
    changes: Sequence[Edit]


@dataclass(frozen=True, slots=True)
class Taste:
    """One way to choose: brevity τ in [0, 1], noise in units of worth, share of the changes to make, and caution: the
    worth that an edit must bring for each unit of its risk.
    """

    brevity: float
    noise: float = 0.0
    changing: float = 1.0
    caution: float = 1.0


def choose(options: Options, taste: Taste, rng: np.random.Generator) -> list[Edit]:
    """A consistent set of edits for one sentence."""
    changes = _pick_changes(options, taste, rng)
    worth = _worth(options, changes, taste.brevity)
    tree = options.tree
    value = np.zeros(len(tree))
    action: dict[int, Edit] = {}
    noise = rng.normal(size=len(tree)) * taste.noise if taste.noise else np.zeros(len(tree))
    for i in sorted(range(len(tree)), key=lambda j: -tree.depth(j)):
        value[i] += worth[i]
        gain = value[i]
        cut = options.cuts.get(i)
        price = _CUT_COST + (cut.risk * taste.caution if cut is not None else 0.0)
        if cut is not None and value[i] + price + noise[i] * math.sqrt(len(tree.subtree(i))) < 0:
            action[i] = cut
            gain = 0.0
        head = tree.heads[i]
        if head >= 0:
            value[head] += max(gain, 0.0) if i in action else gain
    made = _prune(tree, action, changes)
    if inconsistency(tree, cut_tokens(tree, made)):
        made = _mend(tree, made)
    return made


def _mend(tree: RepairedTree, made: Sequence[Edit]) -> list[Edit]:
    """Cuts are taken back one by one, the smallest first, until the rest is consistent."""
    rest = list(made)
    cuts = sorted((e for e in made if e.node >= 0), key=lambda e: len(tree.subtree(e.node)))
    for cut in cuts:
        alone = [e for e in rest if e is cut]
        if alone and inconsistency(tree, cut_tokens(tree, alone)):
            rest.remove(cut)
    for cut in cuts:
        if not inconsistency(tree, cut_tokens(tree, rest)):
            return rest
        if cut in rest:
            rest.remove(cut)
    return rest


def _pick_changes(options: Options, taste: Taste, rng: np.random.Generator) -> list[Edit]:
    picked: list[Edit] = []
    used: set[int] = set()
    order = sorted(options.changes, key=lambda e: (-len(e.touched), e.changes))
    for edit in order:
        wanted = rng.random() <= taste.changing and edit.risk * taste.caution <= _CHANGE_WORTH
        if wanted and not used & edit.touched:
            picked.append(edit)
            used |= edit.touched
    return picked


def _worth(options: Options, changes: Sequence[Edit], brevity: float) -> FloatArray:
    worth = options.keep - brevity
    for edit in changes:
        for i in edit.touched:
            worth[i] = max(worth[i], _SUBSTITUTED if i == min(edit.touched) else 0.0)
    for i, token in enumerate(options.tree.tokens):
        if token.pos == "PUNCT":
            worth[i] = 0.0
    return worth


def _prune(tree: RepairedTree, action: Mapping[int, Edit], changes: Sequence[Edit]) -> list[Edit]:
    """Outermost cuts, and changes to words that stay."""
    gone: set[int] = set()
    made: list[Edit] = []
    for i in sorted(action, key=tree.depth):
        if i not in gone:
            gone.update(tree.subtree(i))
            made.append(action[i])
    made.extend(e for e in changes if not e.touched & gone)
    return made


def cut_tokens(tree: RepairedTree, edits: Sequence[Edit]) -> set[int]:
    """Tokens that leave the text, with the punctuation inside what was cut."""
    gone: set[int] = set()
    for edit in edits:
        if edit.node >= 0:
            first, last = tree.span(edit.node)
            gone.update(range(first, last + 1))
    return gone


_RELS = "amod advmod nmod obl acl acl:relcl advcl appos conj parataxis det".split()
_KINDS = "word phrase copula clause voice split".split()
_COUNTS = "cut_words cut_keep changed_words changed_keep kept_words kept_keep cuts square short".split()
GAIN_FEATURES = (*_COUNTS, *(f"cut:{rel}" for rel in _RELS), *_KINDS)
_SHORTEST = 0.35


def gain_features(options: Sequence[Options], edits: Sequence[Sequence[Edit]]) -> FloatArray:
    """Features of one candidate, shape `[len(GAIN_FEATURES)]`, summed over the sentences of the text.

    `cut_keep` and the like are sums of the words' keep probabilities. `square` is words · (share kept)², `short` counts
    the words by which less than 35 % of the text is kept: both let the worth of cutting change with how much is left.
    """
    features = dict.fromkeys(GAIN_FEATURES, 0.0)
    total = 0
    for sentence, made in zip(options, edits, strict=True):
        total += _count_words(features, sentence, made)
        for edit in made:
            if edit.node < 0:
                features[edit.kind] += 1
                continue
            features["cuts"] += 1
            relation = f"cut:{sentence.tree.rels[edit.node]}"
            if relation in features:
                features[relation] += 1
    share = (features["kept_words"] + features["changed_words"]) / max(1, total)
    features["square"] = total * share * share
    features["short"] = total * max(0.0, _SHORTEST - share)
    return np.array([features[name] for name in GAIN_FEATURES])


def _count_words(features: dict[str, float], sentence: Options, made: Sequence[Edit]) -> int:
    gone = cut_tokens(sentence.tree, made)
    changed = {i for edit in made for i, _ in edit.changes}
    words = 0
    for i, token in enumerate(sentence.tree.tokens):
        if token.pos == "PUNCT":
            continue
        words += 1
        group = "cut" if i in gone else "changed" if i in changed else "kept"
        features[f"{group}_words"] += 1
        features[f"{group}_keep"] += float(sentence.keep[i])
    return words


_FILE = Path(__file__).parent.parent.parent / "models" / "edits_ru.npz"


@dataclass(frozen=True)
class EditModel:
    """Boosted trees over the features of a word and a linear model over a set of edits (`gain`), both trained on
    RuSimpleSentEval dev by `training/edit_model.py`.
    """

    trees: Trees
    projection: FloatArray
    weights: FloatArray

    @classmethod
    def load(cls, path: Path = _FILE) -> EditModel:
        """Read an `.npz` file; `ModelNotFound` where it is missing or made for other features."""
        stored = stored_arrays(path, [*FEATURES, *GAIN_FEATURES])
        projection, weights = (stored.pop(name).astype(np.float64) for name in ("projection", "weights"))
        return cls(trees=Trees.load(stored), projection=projection, weights=weights)

    def save(self, path: Path) -> None:
        """Write an `.npz` file that `load` takes back; the projection is kept in half precision."""
        arrays: dict[str, Any] = {
            "names": np.array([*FEATURES, *GAIN_FEATURES]),
            "projection": self.projection.astype(np.float16),
            "weights": self.weights,
            **self.trees.arrays(),
        }
        np.savez_compressed(path, **arrays)

    def keep(self, tree: RepairedTree, valency: RussianValency, navec: Any) -> FloatArray:
        """Share of editors expected to keep each token, shape `[n_tokens]`, about in [0, 1]."""
        return self.trees.predict(token_features(tree, valency, navec, self.projection))

    def gain(self, options: Sequence[Options], edits: Sequence[Sequence[Edit]]) -> float:
        """Worth of a set of edits in points of sentence-level SARI, up to a constant for each source."""
        return float(gain_features(options, edits) @ self.weights)
