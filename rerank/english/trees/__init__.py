"""A parser of English sentences: a small network says what each word hangs on, and the best tree is taken."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from rerank.english.trees.heads import WEIGHTS, NumberedParse, TreeHeads, read_together
from rerank.errors import install_again
from rerank.masked.packed import HEAD, PackedNetwork, read_arrays, readable

__all__ = ["BUNDLED", "LABELS", "Parse", "TreeModel"]

BUNDLED = Path(__file__).resolve().parent / "model"
LABELS = "labels.json"
_KINDS = ("relations", "pos", "features")
_ROOT = "root"
_VERBS = frozenset({"VERB", "AUX"})
_REINSTALL = install_again("rerank")


@dataclass(frozen=True, slots=True)
class Parse:
    """The parse of a sentence of T words in Universal Dependencies, an item for each; `heads` has −1 for the root."""

    heads: tuple[int, ...]
    relations: tuple[str, ...]
    pos: tuple[str, ...]
    features: tuple[Mapping[str, str], ...]


class TreeModel(PackedNetwork):
    """The parser in `folder` (the bundled one without), as `training.english_trees` writes it; see `PackedNetwork`."""

    kind, step, also = "trees", "training.english_trees", (LABELS,)

    def __init__(self, folder: Path | None = None, *, threads: int = 0) -> None:
        super().__init__(folder or BUNDLED, threads=threads, reinstall="" if folder else _REINSTALL)

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[Parse | None]:
        """The parse of each sentence, given as its words; `None` for one without words or longer than the window."""
        return self.trees_with((), sentences)

    def trees_with(self, others: Sequence[TreeModel], sentences: Sequence[Sequence[str]]) -> list[Parse | None]:
        """The parses that this parser and others find together: the probabilities of all are multiplied.

        All must have the same labels, word pieces and window, as those that `training.english_trees` makes of one
        encoder and the same treebanks have. Raises `ValueError` for other labels or another window.
        """
        models = (self, *others)
        if any(model._labels != self._labels or model._settings.room != self._settings.room for model in others):
            raise ValueError("the parsers have other labels or another window")
        pieces = [[self.pieces(word) for word in words] for words in sentences]
        lengths = [[len(word) for word in words] for words in pieces]
        fit = [number for number, counts in enumerate(lengths) if 0 < sum(counts) <= self._settings.room]
        rows = [self._settings.row(itertools.chain(*pieces[number])) for number in fit]
        parses: list[Parse | None] = [None] * len(sentences)
        heads = [model._heads for model in models]
        for number, *vectors in zip(fit, *(model.vectors(rows) for model in models), strict=True):
            parses[number] = self._tree(read_together(heads, sentences[number], lengths[number], vectors))
        return parses

    def _tree(self, parse: NumberedParse) -> Parse:
        return Parse(
            tuple(parse.heads),
            tuple(self._labels["relations"][number] for number in parse.relations),
            tuple(self._labels["pos"][number] for number in parse.pos),
            tuple(_pairs(self._labels["features"][number]) for number in parse.features),
        )

    @cached_property
    def _heads(self) -> TreeHeads:
        with readable(self.folder / HEAD, self._hint):
            arrays = read_arrays(self.folder)
            weights = {name: arrays[name].astype(np.float32) for name in WEIGHTS}
            sizes = {
                "relations": len(weights["relation"]),
                "pos": len(weights["pos_out.bias"]),
                "features": len(weights["features_out.bias"]),
            }
            if sizes != {kind: len(labels) for kind, labels in self._labels.items()}:
                raise ValueError(f"it is of other labels than {LABELS}")
        pairs = [[_go_together(pos, features) for features in self._labels["features"]] for pos in self._labels["pos"]]
        return TreeHeads(weights, self._labels["relations"].index(_ROOT), np.array(pairs))

    @cached_property
    def _labels(self) -> dict[str, list[str]]:
        path = self.folder / LABELS
        with readable(path, self._hint):
            data = json.loads(path.read_text(encoding="utf-8"))
            labels = {kind: [str(label) for label in data[kind]] for kind in _KINDS}
            if _ROOT not in labels["relations"]:
                raise ValueError(f"it has no relation {_ROOT!r}")
        return labels


def _go_together(pos: str, features: str) -> bool:
    """Whether a part of speech may have the features: verbs alone have forms of verbs, and all of them have one."""
    return ("VerbForm=" in features) == (pos in _VERBS) or pos == "X"


def _pairs(features: str) -> Mapping[str, str]:
    """`Number=Sing|Tense=Past` as a mapping; empty for the empty text."""
    return dict(pair.split("=", 1) for pair in features.split("|") if pair)
