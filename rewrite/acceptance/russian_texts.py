"""What tells whether an editor would pass a Russian text that a language model drew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from rerank.analysis import Analysis, Token
from rerank.frequency import Wordfreq, WordFrequencies
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.acceptance.text_features import ParsedText, measured, word_places
from rewrite.generators.edits.edit_acceptance import Acceptance, risk
from rewrite.generators.edits.keep_and_gain import EditModel
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.valency import RussianValency

RUSSIAN_TEXT_FEATURES = (
    *("logprob", "logprob_all", "least", "likeliest", "share", "consensus"),
    *("length", "sentences", "commas", "source_words"),
    *("new", "new_count", "new_likeness", "new_unlike", "new_zipf", "new_rare", "new_lemma", "reinflected"),
    *("new_names", "new_pronouns", "gone", "gone_keep", "gone_most", "gone_names", "gone_digits"),
    *("cut_risk", "cut_most", "torn", "moved", "swapped", "roots_verbless", "first_is_link"),
    *("again", "rare_pairs", "lonely_pairs", "lonely_words", "agreed_gone"),
)
"""`least` is the log-probability of the least probable token (the mean, where that is not known), `likeliest` by how
much the text is less likely, a token, than the pool's likeliest, `consensus` the mean likeness to the pool's other
draws; `cut_risk` sums −log P(passed) over whole subtrees that went; `torn` counts words that went while words under
them stayed; `moved` and `swapped` count kept words with another head or another place; the lonely words and pairs are
those new ones that no other draw of the pool has."""
_PRONOUNS = frozenset("он она оно они его ее её их ему ей им него нее неё них это этот эта эти этого этой этом".split())
_MOST_RISK = 8.0


@dataclass(frozen=True, eq=False)
class ParsedSource:
    """A source, with the share of editors expected to keep each word (`keep`) and −log P(an editor passes its subtree's
    cut) (`risk`), both over its words; `trees` are its sentences."""

    text: ParsedText
    trees: tuple[RepairedTree, ...]
    keep: FloatArray
    risk: FloatArray
    vectors: Mapping[str, FloatArray]

    @cached_property
    def subtrees(self) -> list[tuple[int, list[int]]]:
        """For each word its head (−1 for a root) and the words under it, itself included, all as indices of words."""
        subtrees: list[tuple[int, list[int]]] = []
        for tree in self.trees:
            order = {i: len(subtrees) + k for k, i in enumerate(word_places(tree.tokens))}
            subtrees += [
                (order.get(tree.heads[i], -1), [order[j] for j in tree.subtree(i) if j in order]) for i in order
            ]
        return subtrees


def _of_cuts(source: ParsedSource, kept: list[bool]) -> dict[str, float]:
    gone = [i for i, stays in enumerate(kept) if not stays]
    risks: list[float] = []
    torn = 0
    for i in gone:
        head, under = source.subtrees[i]
        if any(kept[j] for j in under):
            torn += 1
        elif head < 0 or kept[head]:
            risks.append(float(source.risk[i]))
    return {
        "gone_keep": float(source.keep[gone].sum()) / max(1, len(kept)),
        "gone_most": float(source.keep[gone].max()) if gone else 0.0,
        "cut_risk": min(_MOST_RISK, sum(risks)),
        "cut_most": min(_MOST_RISK, max(risks, default=0.0)),
        "torn": torn,
    }


def _predicates(tokens: Sequence[Token]) -> bool:
    """Whether a sentence has a finite verb, a short form or a dash that stands for one."""
    return any(t.feats.get("VerbForm") == "Fin" or t.feats.get("Variant") == "Short" or t.text in "—–" for t in tokens)


def _likeness(word: str, vectors: Mapping[str, FloatArray], navec: Any) -> float:
    """The largest cosine between a word and any of the source; 0 where the word has no vector."""
    if word not in navec or not vectors:
        return 0.0
    vector = navec[word]
    vector = vector / (np.linalg.norm(vector) + 1e-9)
    return max(float(vector @ of_source) for of_source in vectors.values())


class RussianTextReader:
    """Measures Russian texts by `RUSSIAN_TEXT_FEATURES`; parts given by keyword replace the bundled ones."""

    names: tuple[str, ...] = RUSSIAN_TEXT_FEATURES
    language = "ru"
    needs = frozenset({"morph", "syntax", "entities"})

    def __init__(
        self,
        *,
        edits: EditModel | None = None,
        acceptance: Acceptance | None = None,
        frequencies: WordFrequencies | None = None,
    ) -> None:
        self._given = (edits, acceptance)
        self.frequencies = frequencies or Wordfreq()
        self._valency: RussianValency | None = None

    @cached_property
    def _edits(self) -> EditModel:
        return self._given[0] or EditModel.load()

    @cached_property
    def _acceptance(self) -> Acceptance:
        return self._given[1] or Acceptance.load()

    def features(self, source: str, candidates: Sequence[Candidate], context: Context) -> FloatArray:
        """See `DrawnTextReader.features`."""
        if not candidates:
            return np.zeros((0, len(RUSSIAN_TEXT_FEATURES)))
        analyzer = context.analyzer
        self._valency = self._valency or RussianValency(analyzer.morphology)
        analysis = analyzer.analyze_one(source, ("morph", "syntax", "entities"))
        read = self._source(analysis, self._valency, analyzer.navec)
        parsed = analyzer.analyze([c.text for c in candidates], ("morph", "syntax"))
        texts = [ParsedText(parse, self._valency.lemma) for parse in parsed]

        def language_features(text: ParsedText, kept: list[bool], _: int) -> dict[str, float]:
            verbless = sum(not _predicates(s.tokens) for s in text.analysis.sentences)
            return {**_of_cuts(read, kept), "roots_verbless": verbless}

        return measured(
            self.names,
            read.text,
            texts,
            candidates,
            language_features,
            frequencies=self.frequencies,
            likeness=partial(_likeness, vectors=read.vectors, navec=analyzer.navec),
            pronouns=_PRONOUNS,
        )

    def signature(self) -> str:
        """See `DrawnTextReader.signature`."""
        return self.frequencies.signature()

    def _source(self, analysis: Analysis, valency: RussianValency, navec: Any) -> ParsedSource:
        text = ParsedText(analysis, valency.lemma)
        trees = tuple(RepairedTree(sentence, analysis.entities) for sentence in analysis.sentences)
        keep: list[float] = []
        risks: list[float] = []
        for tree in trees:
            places = word_places(tree.tokens)
            shares = self._edits.keep(tree, valency, navec)
            keep += shares[places].tolist()
            # What the tagger takes for punctuation is no subtree of words, and its cut no risk.
            nodes = [i for i in places if tree.words(i)]
            passed = dict(zip(nodes, self._acceptance.cuts(tree, nodes, valency, navec).tolist(), strict=True))
            risks += [risk(passed.get(i, 1.0)) for i in places]
        vectors = {
            word: navec[word] / (np.linalg.norm(navec[word]) + 1e-9) for word in set(text.words) if word in navec
        }
        return ParsedSource(text=text, trees=trees, keep=np.array(keep), risk=np.array(risks), vectors=vectors)
