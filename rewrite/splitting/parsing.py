"""Sentences parsed, as the splitter sees them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property

from rerank.analysis import Analysis
from rerank.english import EnglishAnalyzer, EnglishToken
from rerank.english.reports import hang_reports_on_what_was_said
from rerank.english.trees import Tree, TreeModel
from rewrite.splitting.forms import is_plural
from rewrite.splitting.words import Words, words_from, words_of

__all__ = ["Parser"]

_REMEMBERED = 4_000


class Parser:
    """Parses English sentences, each as one whatever the parser thinks of its stops.

    Words and lemmas are those of `analyzer`, the tree, parts of speech and features those of `trees`; of a sentence
    that is too long for these, all are the analyzer's. Without them the bundled ones are taken, and loaded when they
    are first asked for something.
    """

    def __init__(
        self, analyzer: EnglishAnalyzer | None = None, trees: TreeModel | None = None, *, remembered: int = _REMEMBERED
    ) -> None:
        self._analyzer = analyzer or EnglishAnalyzer(cache_size=1)
        self._given = trees
        self._remembered = remembered
        self._known: OrderedDict[str, Words] = OrderedDict()

    @cached_property
    def _trees(self) -> TreeModel:
        return self._given or TreeModel()

    @property
    def signature(self) -> str:
        return f"{self._analyzer.signature}+{self._trees.signature()}"

    def parse(self, sentences: Sequence[str]) -> list[Words]:
        """One `Words` per sentence, in order."""
        known = {text: self._known[text] for text in sentences if text in self._known}
        new = [text for text in dict.fromkeys(sentences) if text not in known]
        known.update(zip(new, self._parsed(new), strict=True))
        for text, words in known.items():
            self._known[text] = words
            self._known.move_to_end(text)
        while len(self._known) > self._remembered:
            self._known.popitem(last=False)
        return [known[text] for text in sentences]

    def _parsed(self, sentences: Sequence[str]) -> list[Words]:
        analyses = self._analyzer.analyze(sentences)
        told = [[token.text for one in analysis.sentences for token in one.tokens] for analysis in analyses]
        pairs = zip(analyses, self._trees.trees(told), strict=True)
        return [words_of(analysis) if tree is None else _planted(analysis, tree) for analysis, tree in pairs]


def _planted(analysis: Analysis, tree: Tree) -> Words:
    """The words of an analysed text with another parse; the analysis is shared, so it stays as it is."""
    tokens = []
    for number, old in enumerate(token for sentence in analysis.sentences for token in sentence.tokens):
        token = EnglishToken(old.text, old.start, old.stop)
        token.lemma = getattr(old, "lemma", "")
        token.head, token.rel = tree.heads[number], tree.relations[number]
        token.pos, token.feats = tree.pos[number], dict(tree.features[number])
        if token.pos == "NOUN" and token.feats.get("Number") == "Sing" and is_plural(old.text.lower()):
            token.feats["Number"] = "Plur"
        tokens.append(token)
    hang_reports_on_what_was_said(tokens)
    return words_from(analysis.text, tokens)
