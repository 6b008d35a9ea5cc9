"""Cuts, simpler words and plainer constructions, sampled around what a human editor would do."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from rerank.analysis import Analysis, Analyzer
from rerank.morphology import Morphology
from rerank.types import Candidate
from rewrite.generators.base import Sampling
from rewrite.generators.edits.edit import Edit
from rewrite.generators.edits.edit_acceptance import Acceptance, risk
from rewrite.generators.edits.inflect import Inflector
from rewrite.generators.edits.keep_and_gain import EditModel, Options, Taste, choose
from rewrite.generators.edits.lexicon import Lexicon, load_lexicon
from rewrite.generators.edits.plain import constructions
from rewrite.generators.edits.protect import protected_by
from rewrite.generators.edits.render import render
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.edits.substitute import substitutions
from rewrite.generators.valency import RussianValency

if TYPE_CHECKING:
    from rewrite.acceptance.break_judge import BreakJudge

_BREVITIES = (0.5, 0.4, 0.46, 0.56, 0.65, 0.8)
_CAUTIONS = (2.0, 0.7, 0.15)
# In points of gain a word, the first near what `balanced` (caution / likelihood = 0.6) will ask for.
_RISK_PRICES = (0.4, 0.05, 1.0)
_TRIES = 3
_POOL = 2


class EditsGenerator:
    """Rewrites Russian sentences by editing their parse; needs no language model.

    Every candidate is a set of edits: removable subtrees cut (with probability learnt from human simplifications,
    and only where no rule of `protect` forbids it), rare words and officialese replaced, constructions made plainer.
    `Candidate.edits` lists them, `logprob` is their gain (see `gain`), `risk` is −log of the chance that an editor
    would pass all of them (see `edit_acceptance`). A `cutter` offers places to cut the sentence in two by a language
    model.
    """

    def __init__(
        self,
        *,
        analyzer: Analyzer,
        model: EditModel | None = None,
        lexicon: Lexicon | None = None,
        acceptance: Acceptance | None = None,
        cutter: BreakJudge | None = None,
    ) -> None:
        self._analyzer = analyzer
        self._cutter = cutter
        self._given = (model, lexicon, acceptance)

    @cached_property
    def _model(self) -> EditModel:
        return self._given[0] or EditModel.load()

    @cached_property
    def _acceptance(self) -> Acceptance:
        return self._given[2] or Acceptance.load()

    @cached_property
    def lexicon(self) -> Lexicon:
        """The dictionary of simpler words in use."""
        return self._given[1] or load_lexicon()

    @cached_property
    def _morphology(self) -> Morphology:
        return self._analyzer.morphology

    @cached_property
    def _inflector(self) -> Inflector:
        return Inflector(self._morphology)

    @cached_property
    def valency(self) -> RussianValency:
        """What words need beside them, and their dictionary forms."""
        return RussianValency(self._morphology)

    @property
    def name(self) -> str:
        return "edits-lm" if self._cutter else "edits"

    def describe(self) -> Mapping[str, object]:
        """What the cutter says; the other models are part of the package."""
        return self._cutter.describe() if self._cutter else {}

    def generate(self, sources: Sequence[str], sampling: Sampling) -> list[list[Candidate]]:
        """At most `sampling.n` distinct candidates for each source, those that gain most for their risk first."""
        analyses = self._analyzer.analyze(sources, ("morph", "syntax", "entities"))
        cuts = self._cutter.edits(analyses) if self._cutter else [[] for _ in analyses]
        return [self._candidates(analysis, sampling, made) for analysis, made in zip(analyses, cuts, strict=True)]

    def options(self, analysis: Analysis) -> list[Options]:
        """What may be done to each sentence of the text."""
        return [self._sentence_options(RepairedTree(s, analysis.entities)) for s in analysis.sentences]

    def offers(self, tree: RepairedTree) -> tuple[list[Edit], list[Edit]]:
        """The cuts and the changes that the rules allow in one sentence, before anything is said of their risk."""
        nodes = (i for i in range(len(tree)) if not protected_by(tree, i, self.valency))
        cuts = [Edit("cut", f"− {_text(tree, i)}", i) for i in nodes]
        changes = [
            *constructions(tree, self._inflector, self.valency),
            *substitutions(tree, self.lexicon, self._inflector, self.valency),
        ]
        return cuts, changes

    def _sentence_options(self, tree: RepairedTree) -> Options:
        cuts, changes = self.offers(tree)
        passed = self._acceptance.cuts(tree, [e.node for e in cuts], self.valency, self._analyzer.navec)
        cuts = [replace(e, risk=risk(p)) for e, p in zip(cuts, passed, strict=True)]
        passed = self._acceptance.changes(tree, changes, self.valency, self._analyzer.navec)
        changes = [replace(e, risk=risk(p)) for e, p in zip(changes, passed, strict=True)]
        return Options(
            tree=tree,
            keep=self._model.keep(tree, self.valency, self._analyzer.navec),
            cuts={e.node: e for e in cuts},
            changes=changes,
        )

    def _candidates(self, analysis: Analysis, sampling: Sampling, cuts: Sequence[Edit]) -> list[Candidate]:
        options = self.options(analysis)
        if cuts:
            options = [replace(options[0], changes=[*options[0].changes, *cuts]), *options[1:]]
        words = max(1, sum(t.pos != "PUNCT" for sentence in options for t in sentence.tree.tokens))
        drawn = draw(options, analysis.text, sampling)
        untouched = self._model.gain(options, [[] for _ in options])
        gains = {text: self._model.gain(options, edits) for text, (edits, _) in drawn.items()}
        risks = {text: sum(edit.risk for made in edits for edit in made) for text, (edits, _) in drawn.items()}
        ranked = _ranked({text: (gains[text] / words, risks[text]) for text in drawn})
        return [
            Candidate(
                text=text,
                generator=self.name,
                logprob=gains[text],
                tokens=words,
                source_logprob=untouched,
                seed=sampling.seed,
                count=count,
                edits=tuple(edit.label for made in edits for edit in made),
                risk=risks[text],
            )
            for text, (edits, count) in ((text, drawn[text]) for text in ranked[: sampling.n])
        ]


def _ranked(drawn: Mapping[str, tuple[float, float]]) -> list[str]:
    """Texts by turns the best at each price of risk, for weights that are not known yet: text → gain a word, risk."""
    orders = [sorted(drawn, key=lambda text: (price * drawn[text][1] - drawn[text][0], text)) for price in _RISK_PRICES]
    return list(dict.fromkeys(chain.from_iterable(zip(*orders, strict=True))))


def draw(options: Sequence[Options], source: str, sampling: Sampling) -> dict[str, tuple[list[list[Edit]], int]]:
    """Distinct rewrites of one source with their edits and how often each was drawn, twice as many as asked for."""
    # The draw depends on the text and the seed alone, not on what else is in the batch.
    rng = np.random.default_rng([sampling.seed, zlib.crc32(source.encode())])
    drawn: dict[str, tuple[list[list[Edit]], int]] = {}
    for attempt in range(_TRIES * sampling.n):
        taste = _taste(attempt, sampling.temperature, rng)
        edits = [choose(sentence, taste, rng) for sentence in options]
        text = " ".join(render(sentence.tree, made) for sentence, made in zip(options, edits, strict=True)).strip()
        # Without an edit a text can differ from its source by spaces alone.
        if any(edits) and text and text != source:
            before = drawn.get(text)
            drawn[text] = (before[0], before[1] + 1) if before else (edits, 1)
        if len(drawn) >= _POOL * sampling.n:
            break
    return drawn


def _taste(attempt: int, temperature: float, rng: np.random.Generator) -> Taste:
    """First the likeliest edits at each brevity, then random ones."""
    if attempt < len(_CAUTIONS) * len(_BREVITIES):
        return Taste(brevity=_BREVITIES[attempt // len(_CAUTIONS)], caution=_CAUTIONS[attempt % len(_CAUTIONS)])
    return Taste(
        brevity=float(rng.uniform(_BREVITIES[1], _BREVITIES[-1])),
        noise=float(rng.uniform(0.0, 0.15)) * temperature,
        changing=float(rng.choice((1.0, 0.9, 0.75))),
        caution=float(rng.choice(_CAUTIONS)),
    )


def _text(tree: RepairedTree, i: int) -> str:
    words = tree.words(i)
    return tree.text[tree.tokens[words[0]].start - tree.start : tree.tokens[words[-1]].stop - tree.start]
