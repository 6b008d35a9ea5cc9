"""Which of the possible edits to make: the best set for a wish for brevity, and varied sets around it.

Every word has a probability p of being kept by a human editor. For a brevity τ a word is worth p − τ, a subtree the sum
of its words, and the best set of cuts follows from the leaves up: a removable subtree goes where it is worth less than
nothing. Different τ and Gaussian noise on the worth of each subtree give different candidates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rerank.types import FloatArray
from rewrite.generators.edits.consistent import inconsistency
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.tree import Tree

__all__ = ["Options", "Taste", "choose", "cut_tokens"]

_CUT_COST = 0.08
_SUBSTITUTED = 0.05
# What a replaced word is worth in the units of `caution`: at caution 2 it must pass with p > 0.84, at 0.7 with p > 0.6.
_CHANGE_WORTH = 0.35


@dataclass(frozen=True)
class Options:
    """What can be done to one sentence: `keep` holds p for each token, `cuts` are by node."""

    tree: Tree
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


def _mend(tree: Tree, made: Sequence[Edit]) -> list[Edit]:
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


def _prune(tree: Tree, action: Mapping[int, Edit], changes: Sequence[Edit]) -> list[Edit]:
    """Outermost cuts, and changes to words that stay."""
    gone: set[int] = set()
    made: list[Edit] = []
    for i in sorted(action, key=tree.depth):
        if i not in gone:
            gone.update(tree.subtree(i))
            made.append(action[i])
    made.extend(e for e in changes if not e.touched & gone)
    return made


def cut_tokens(tree: Tree, edits: Sequence[Edit]) -> set[int]:
    """Tokens that leave the text, with the punctuation inside what was cut."""
    gone: set[int] = set()
    for edit in edits:
        if edit.node >= 0:
            first, last = tree.span(edit.node)
            gone.update(range(first, last + 1))
    return gone
