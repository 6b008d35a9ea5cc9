"""Which cut of a sentence in two an editor would pass: by its parse, and by how probable a language model finds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

import numpy as np

from rerank.analysis import Analysis, Analyzer
from rerank.facts import FactGuard
from rerank.types import FloatArray
from rerank.wellformed.russian import LAYERS as FORM_LAYERS
from rerank.wellformed.russian import WellFormedness
from rewrite.controls import Controls
from rewrite.engines.base import TokenScoring
from rewrite.forest import TreeAcceptance
from rewrite.generators.edits.breaks import BREAK_FEATURES, break_features, breaks, clause_breaks, load_connectives
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.edit_acceptance import risk
from rewrite.generators.edits.inflect import Inflector
from rewrite.generators.edits.render import render
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.prompting import Prompt, load_prompt

__all__ = ["FEATURES", "BreakJudge", "Cut", "offered_cuts"]

_FILE = Path(__file__).parent.parent / "models" / "breaks_ru.npz"
_MODEL = (
    *("all", "cut", "new", "new_mean", "new_least", "old_least", "old_mean", "after", "after_least", "after_first"),
    *("after_lowest", "new_tokens", "old_tokens", "source_mean", "behind_best"),
)
FEATURES = (*BREAK_FEATURES, *(f"logprob:{name}" for name in _MODEL))
# What the adapter learnt to split sentences with.
_PROMPT = "gemma_ru"
_ASKED = Controls("split", 10, 2, 5)
_SHORTEST, _LONGEST = 14, 60
# A cut that passes less often than this is not worth a candidate.
_LEAST = 0.4


@dataclass(frozen=True)
class Cut:
    """A cut of a sentence: the edit and the text that it makes."""

    edit: Edit
    text: str


def offered_cuts(tree: RepairedTree, analyzer: Analyzer, guard: FactGuard, form: WellFormedness) -> list[Cut]:
    """The cuts of a sentence of 14 to 60 tokens that keep its facts and are well formed as far as rules can tell."""
    if not _SHORTEST <= len(tree) <= _LONGEST:
        return []
    cuts: dict[str, Cut] = {}
    for edit in chain(breaks(tree, load_connectives()), clause_breaks(tree, Inflector(analyzer.morphology))):
        text = render(tree, [edit])
        cuts.setdefault(text, Cut(edit, text))
    texts = list(cuts)
    broken = guard.check_all(tree.text, texts)
    free = [text for text, violations in zip(texts, broken, strict=True) if not violations]
    source, *parsed = analyzer.analyze([tree.text, *free], FORM_LAYERS)
    return [cuts[text] for text, problems in zip(free, form.check_all(source, parsed), strict=True) if not problems]


class BreakJudge:
    """Offers the cuts of sentences, each with its risk, by the adapter of the base that `engine` runs."""

    def __init__(self, engine: TokenScoring, *, analyzer: Analyzer, model: TreeAcceptance | None = None) -> None:
        self._engine = engine
        self._analyzer = analyzer
        self._given = model
        self._guard = FactGuard(analyzer, morphology=analyzer.morphology)
        self._form = WellFormedness(analyzer.morphology)

    @cached_property
    def _prompt(self) -> Prompt:
        return load_prompt(_PROMPT)

    @cached_property
    def _model(self) -> TreeAcceptance:
        return self._given or TreeAcceptance.load(_FILE, FEATURES)

    def describe(self) -> Mapping[str, object]:
        """The model that is asked."""
        return {f"cuts.{name}": value for name, value in self._engine.describe().items()}

    def edits(self, analyses: Sequence[Analysis]) -> list[list[Edit]]:
        """The surest cuts of each text of one sentence, `risk` −log P(an editor passes it); none of other texts."""
        trees = [RepairedTree(a.sentences[0], a.entities) if len(a.sentences) == 1 else None for a in analyses]
        cuts = [self._readable(tree) if tree is not None else [] for tree in trees]
        edits: list[list[Edit]] = []
        for offered, rows in zip(cuts, self.features(trees, cuts), strict=True):
            chances = self._model.predict(rows).tolist() if offered else []
            edits.append(_surest([replace(cut.edit, risk=risk(p)) for cut, p in zip(offered, chances, strict=True)]))
        return edits

    def _readable(self, tree: RepairedTree) -> list[Cut]:
        """The cuts of a sentence, none where the model's window cannot hold it and its longest cut."""
        cuts = offered_cuts(tree, self._analyzer, self._guard, self._form)
        if not cuts:
            return []
        longest = max((cut.text for cut in cuts), key=len)
        return [] if self._engine.too_long([self._prompt.render(tree.text, _ASKED.text)], [longest]) else cuts

    def features(self, trees: Sequence[RepairedTree | None], cuts: Sequence[Sequence[Cut]]) -> list[FloatArray]:
        """Features of the cuts of each sentence, shape `[n_cuts, len(FEATURES)]`; the model reads all at once."""
        asked = [
            (tree, text)
            for tree, offered in zip(trees, cuts, strict=True)
            if tree is not None and offered
            for text in (tree.text, *(cut.text for cut in offered))
        ]
        scored = iter(self._scored(asked))
        rows: list[FloatArray] = []
        for tree, offered in zip(trees, cuts, strict=True):
            if tree is None or not offered:
                rows.append(np.zeros((0, len(FEATURES))))
                continue
            source = next(scored)
            probable = np.array([_of_model(source, next(scored)) for _ in offered])
            behind = probable[:, :1] - probable[:, 0].max()
            parsed = np.array(break_features(tree, [cut.edit for cut in offered]))
            rows.append(np.hstack([parsed, probable, behind]))
        return rows

    def _scored(self, asked: Sequence[tuple[RepairedTree, str]]) -> Iterator[list[tuple[str, float]]]:
        """The tokens of each text as a rewrite of its sentence, with their log-probabilities."""
        inputs = [self._prompt.render(tree.text, _ASKED.text) for tree, _ in asked]
        return iter(self._engine.token_logprobs(inputs, [text for _, text in asked]))


def _surest(cuts: Sequence[Edit]) -> list[Edit]:
    """The cuts that may well pass, of those at one place the surest."""
    kept: list[Edit] = []
    for cut in sorted((c for c in cuts if c.risk <= risk(_LEAST)), key=lambda c: c.risk):
        if all(cut.touched.isdisjoint(other.touched) for other in kept):
            kept.append(cut)
    return kept


def _of_model(source: Sequence[tuple[str, float]], text: Sequence[tuple[str, float]]) -> list[float]:
    """What the model says of a text beside copying the source: in all, where they differ, and after that."""
    shared = _same(source, text)
    ending = min(_same(source[::-1], text[::-1]), min(len(source), len(text)) - shared)
    old = np.array([p for _, p in source])
    new = np.array([p for _, p in text])
    gone, came = old[shared : len(old) - ending], new[shared : len(new) - ending]
    after = new[len(new) - ending :]
    change = after - old[len(old) - ending :]
    return [
        float(x)
        for x in (
            new.sum() - old.sum(),
            came.sum() - gone.sum(),
            came.sum(),
            came.mean() if len(came) else 0.0,
            came.min(initial=0.0),
            gone.min(initial=0.0),
            gone.mean() if len(gone) else 0.0,
            change.sum(),
            change.min() if len(change) else 0.0,
            change[:3].sum(),
            after[:4].min(initial=0.0),
            len(came),
            len(gone),
            old.mean(),
        )
    ]


def _same(tokens: Sequence[tuple[str, float]], others: Sequence[tuple[str, float]]) -> int:
    """How many tokens both begin with."""
    pairs: Iterator[tuple[Any, Any]] = zip(tokens, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0][0] == pair[1][0], pairs))
