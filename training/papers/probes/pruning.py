"""Whether what is pruned is subordinate: depths of pruned words and subtrees among pruned spans (Table 7)."""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rerank.analysis import Analysis
from rerank.masked.base import MaskedModel
from rerank.masked.registry import create_masked_model
from rerank.ndd.attention import Balanced
from rerank.ndd.distance import Ndd
from rerank.tree import Tree
from rewrite.compression.deleter import ToRatio, Under
from rewrite.compression.objectives import NddObjective, PerplexityObjective, words_of
from rewrite.compression.word_analysis import WordCount, language_of, problem
from rewrite.datasets import data_folder
from rewrite.errors import BadInput
from rewrite.generators.deletion import Choice, DeletionSearch, Objective, Offer, Pending
from rewrite.generators.deletion import Path as SearchPath
from rewrite.generators.spans import Span, adjacent_words, text_without
from training.papers.probes.predicates import GoldAnalyzer, depths, read_treebank
from training.papers.probes.report import Cell, ProbeReport, Table, run_signature, watched
from training.records import drawn

Counts = Callable[[SearchPath], WordCount]

_MU = 0.9
_ROUNDS = 5
# To come as far as NDD it takes as many rounds as it takes.
_MOST_ROUNDS = 200
_THRESHOLDS = (1.0, 2.0)
_AT_ONCE = 8
_COLUMNS = ("Depth-1", "Depth-2", "Depth-3", "Depth-≥4", "Subtree-1", "Subtree-2", "Subtree-≥3")


@dataclass(frozen=True, slots=True)
class Pruned:
    """A sentence and the spans pruned from it, by the places of their words, in the order in which they went.

    Spans of one round of the search count as going one after the other.
    """

    analysis: Analysis
    spans: Sequence[frozenset[int]]


class _TokenCount(WordCount):
    """Every token of a treebank is a word, marks of punctuation as well: so the paper's sentences are counted."""

    def __init__(self, analysis: Analysis) -> None:
        self._word_of = {token.start: place for place, token in enumerate(analysis.tokens)}
        self.total = len(self._word_of)


@dataclass(frozen=True)
class _AsFar:
    """A choice that brings each text to the share of words that `ratios` has for it."""

    ratios: Mapping[str, float]
    counts: Counts
    floor: float = -math.inf

    def __call__(self, path: SearchPath, offers: Sequence[Offer]) -> Sequence[Span] | Pending:
        return ToRatio(self.ratios[path.source], _ROUNDS, "share", self.counts)(path, offers)


def pruned_by(
    objective: Objective, choose: Choice, analyses: Sequence[Analysis], *, rounds: int, longest: int, what: str = ""
) -> list[Pruned]:
    """What the deletion search takes from each sentence, any words side by side."""
    search = DeletionSearch(
        analyzer=GoldAnalyzer(analyses),
        spans=partial(adjacent_words, longest=longest),
        objective=objective,
        max_iterations=rounds,
        choose=choose,
        render=text_without,  # nothing mended: what a model reads are words
    )
    pruned = []
    for start in watched(range(0, len(analyses), _AT_ONCE), what):
        chunk = analyses[start : start + _AT_ONCE]
        for analysis, path in zip(chunk, search.run([analysis.text for analysis in chunk]), strict=True):
            places = {token.start: place for place, token in enumerate(analysis.tokens)}
            spans = [frozenset(places[start] for start in removed.span.starts) for removed in path.cuts]
            pruned.append(Pruned(analysis, spans))
    return pruned


def random_spans(like: Sequence[Pruned], *, seed: int) -> list[Pruned]:
    """As many spans of the same lengths from the same sentences, each drawn from what is left by the ones before."""
    rng = random.Random(seed)
    redrawn = []
    for sentence in like:
        kept = list(range(len(sentence.analysis.tokens)))
        spans = []
        for span in sentence.spans:
            start = rng.randrange(len(kept) - len(span) + 1)
            spans.append(frozenset(kept[start : start + len(span)]))
            del kept[start : start + len(span)]
        redrawn.append(Pruned(sentence.analysis, spans))
    return redrawn


def proportions(pruned: Sequence[Pruned]) -> list[float]:
    """CR, then the columns of Table 7, in per cent; `nan` where nothing of the kind was pruned.

    Depth-n is the share of pruned words that are n deep in the whole tree, the root being 1 deep; Subtree-k the share
    of pruned spans of k words that are a whole subtree of what was left before they went.
    """
    words = sum(len(sentence.analysis.tokens) for sentence in pruned)
    deep: Counter[int] = Counter()
    spans: Counter[int] = Counter()
    subtrees: Counter[int] = Counter()
    for sentence in pruned:
        depth = depths(sentence.analysis.tokens)
        removed: frozenset[int] = frozenset()
        for span in sentence.spans:
            deep.update(min(4, depth[place]) for place in span)
            size = min(3, len(span))
            spans[size] += 1
            subtrees[size] += is_subtree(sentence.analysis, span, removed)
            removed |= span
    gone = deep.total()
    return [
        100.0 * (words - gone) / words if words else math.nan,
        *(100.0 * deep[n] / gone if gone else math.nan for n in (1, 2, 3, 4)),
        *(100.0 * subtrees[k] / spans[k] if spans[k] else math.nan for k in (1, 2, 3)),
    ]


def is_subtree(analysis: Analysis, span: frozenset[int], removed: frozenset[int]) -> bool:
    """Whether the words at these places are one of them and all that hangs on it, without what was removed before."""
    tokens = analysis.tokens
    tree = Tree(analysis.sentences[0].tokens, frozenset(tokens[place].start for place in removed))
    return any(set(tree.subtree(place)) == span for place in span)


def objective(model: MaskedModel) -> NddObjective:
    """NDD by KL divergence and balanced attention, μ = 0.9, as in compression."""
    return NddObjective(Ndd(model, divergence="kl", attention=Balanced(_MU)))


def pruning(
    model: MaskedModel, analyses: Sequence[Analysis], *, thresholds: Sequence[float], longest: int, seed: int, lang: str
) -> Table:
    """Table 7: NDD with each threshold, PPL and random spans at the rates that those led to."""
    by_text = {analysis.text: _TokenCount(analysis) for analysis in analyses}

    def counts(path: SearchPath) -> WordCount:
        return by_text[path.source]

    rows: list[list[Cell]] = []
    for threshold in thresholds:
        ndd = objective(model)
        under = Under(threshold, "share", counts)
        cut_by_ndd = pruned_by(ndd, under, analyses, rounds=_ROUNDS, longest=longest, what=f"NDD, {threshold:g}")
        ratios = {p.analysis.text: 1.0 - sum(map(len, p.spans)) / len(p.analysis.tokens) for p in cut_by_ndd}
        ppl = PerplexityObjective(model, language=lang)
        as_far = _AsFar(ratios, counts)
        by_ppl = pruned_by(ppl, as_far, analyses, rounds=_MOST_ROUNDS, longest=longest, what=f"PPL, {threshold:g}")
        results = {"random": random_spans(cut_by_ndd, seed=seed), "PPL": by_ppl, "NDD": cut_by_ndd}
        rows += [_row(name, threshold, pruned) for name, pruned in results.items()]
    head = ["method", "N_max", "CR", *_COLUMNS]
    return Table("Table 7: pruned words by depth, pruned spans that are subtrees, in %", head, rows, decimals=0)


def _row(method: str, threshold: float, pruned: Sequence[Pruned]) -> list[Cell]:
    return [method, f"{threshold:g}", *proportions(pruned)]


def run(given: argparse.Namespace) -> ProbeReport:
    """The probe that the command line asks for."""
    path = given.conllu or _gum(given.data)
    read = list({analysis.text: analysis for analysis in read_treebank(path)}.values())
    lang = language_of(" ".join(analysis.text for analysis in read[:100]), given.lang)
    model = create_masked_model(given.masked_model, language=lang, device=given.device)
    wanted = drawn([analysis for analysis in read if len(analysis.tokens) > 1], given.limit, given.seed)
    analyses = [analysis for analysis in wanted if problem(words_of(analysis), model) is None]
    if not analyses:
        raise BadInput(f"{path}: no sentence that the model can read.", hint="Give another file or --masked-model.")
    thresholds = tuple(dict.fromkeys(given.threshold or _THRESHOLDS))
    table = pruning(model, analyses, thresholds=thresholds, longest=given.longest, seed=given.seed, lang=lang)
    notes = [
        f"{len(analyses):,} sentences of {path.name}; {len(wanted) - len(analyses)} that the model cannot read.",
        "PPL and random prune as much of each sentence as NDD does, random spans of the same lengths.",
    ]
    settings = {"data": path.name, "limit": given.limit, "seed": given.seed, "longest": given.longest}
    return ProbeReport([table], notes, run_signature("pruning", model, settings))


def _gum(data: str | None) -> Path:
    path = data_folder(data) / "ud" / "en_gum" / "en_gum-ud-test.conllu"
    if not path.is_file():
        raise BadInput(f"There is no {str(path)!r}.", hint="Give --conllu FILE.")
    return path
