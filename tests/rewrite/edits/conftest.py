"""The parts of the `edits` generator, loaded once, and short ways to use them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from rerank.analysis import Analyzer
from rerank.morphology import Morphology
from rewrite.generators.edits.edit import Part, Rule
from rewrite.generators.edits.generator import EditsGenerator
from rewrite.generators.edits.inflect import Inflector
from rewrite.generators.edits.keep_and_gain import Options
from rewrite.generators.edits.lexicon import Entry, Lexicon, load_lexicon
from rewrite.generators.edits.render import render
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.edits.substitute import substitutions
from rewrite.generators.valency import RussianValency

_LAYERS = ("morph", "syntax", "entities")


@dataclass(frozen=True)
class Bench:
    """One of each part."""

    analyzer: Analyzer
    valency: RussianValency
    inflector: Inflector
    lexicon: Lexicon
    generator: EditsGenerator

    def tree(self, text: str) -> RepairedTree:
        """The repaired parse of a text of one sentence."""
        analysis = self.analyzer.analyze_one(text, _LAYERS)
        (sentence,) = analysis.sentences
        return RepairedTree(sentence, analysis.entities)

    def holds(self, rule: Rule, text: str, word: str) -> bool:
        """What a rule about cutting says of the subtree of this word."""
        tree = self.tree(text)
        return rule(Part(tree, at(tree, word), self.valency))

    def options(self, text: str) -> Options:
        """What may be done to a text of one sentence."""
        (options,) = self.generator.options(self.analyzer.analyze_one(text, _LAYERS))
        return options

    def rewrites(self, text: str, *kinds: str) -> list[str]:
        """The sentence after each single edit of these kinds, cuts apart."""
        options = self.options(text)
        return [render(options.tree, [edit]) for edit in options.changes if edit.kind in kinds]

    def replaced(self, text: str, *rows: str) -> list[str]:
        """The sentence after each single replacement by a dictionary of these rows (see `lexicon`)."""
        tree = self.tree(text)
        found = substitutions(tree, lexicon(*rows), self.inflector, self.valency)
        return [render(tree, [edit]) for edit in found]


def lexicon(*rows: str) -> Lexicon:
    """A dictionary of rows such as `VERB возвести → построить; obj:мост|дом, notpass`."""
    words: dict[tuple[str, str], tuple[Entry, ...]] = {}
    phrases: dict[str, tuple[Entry, ...]] = {}
    for row in rows:
        pos, _, rest = row.partition(" ")
        body, _, flags = rest.partition(";")
        pattern, _, replacement = (part.strip() for part in body.partition("→"))
        first, *_ = words_of = tuple(pattern.split())
        entry = Entry(words_of, replacement, pos, frozenset(f.strip() for f in flags.split(",") if f.strip()))
        if pos == "PHRASE":
            phrases[first] = (*phrases.get(first, ()), entry)
        else:
            words[pos, first] = (*words.get((pos, first), ()), entry)
    return Lexicon(words, phrases)


def at(tree: RepairedTree, word: str) -> int:
    """Index of the first token with this text."""
    return [token.text for token in tree.tokens].index(word)


@pytest.fixture(scope="session")
def bench(analyzer: Analyzer) -> Bench:
    morphology = Morphology()
    return Bench(
        analyzer=analyzer,
        valency=RussianValency(morphology),
        inflector=Inflector(morphology),
        lexicon=load_lexicon(),
        generator=EditsGenerator(analyzer=analyzer),
    )
