"""Russian parses made safe to cut, as the generator `edits` has them."""

from __future__ import annotations

from collections.abc import Sequence

from rerank.analysis import Analysis, Analyzer, Sentence, Token
from rewrite.generators.edits.tree import Tree

_NOMINAL = frozenset({"NOUN", "PRON", "PROPN"})
_JOINED = frozenset({"conj", "parataxis"})


class RepairedAnalyzer(Analyzer):
    """An `Analyzer` whose parses have one root each, no cycles, and prepositions and adjectives with their nouns.

    The parser picks each head by itself, so that a parse may have cycles, and what is in one hangs on nothing: no rule
    about dependents holds for it.
    """

    def _fill_syntax(self, analyses: list[Analysis]) -> None:
        super()._fill_syntax(analyses)
        for analysis in analyses:
            for sentence in analysis.sentences:
                _repair(sentence)
                _unseat_relative(sentence.tokens)


def _repair(sentence: Sentence) -> None:
    tokens, tree = sentence.tokens, Tree(sentence)
    for token, head, rel in zip(tokens, tree.heads, tree.rels, strict=True):
        # A cycle was cut there, and most nouns that hang on verbs are no clauses.
        cut = rel == "parataxis" != token.rel and token.pos in _NOMINAL and tokens[head].pos == "VERB"
        token.head, token.rel = head, "obl" if cut else rel


def _unseat_relative(tokens: Sequence[Token]) -> None:
    """*Размер штрафа, который суд назначит, составит …*: the head is not the verb of the relative clause.

    The parser takes the first verb for it. What stands before that clause and hangs on its verb belongs to the other.
    """
    root = next((n for n, token in enumerate(tokens) if token.head < 0), -1)
    opening = next((n for n in range(1, root) if _opens_relative(tokens, n)), -1)
    if opening < 1:
        return
    main = next((n for n, t in enumerate(tokens) if n > root and t.head == root and _is_clause(t)), -1)
    subject = any(t.head in (main, root) and t.rel.startswith("nsubj") for t in tokens[:opening])
    if main < 0 or not subject:
        return
    for token in tokens[:opening]:
        token.head = main if token.head == root else token.head
    tokens[main].head, tokens[main].rel = -1, "root"
    tokens[root].head, tokens[root].rel = opening - 1, "acl:relcl"


def _opens_relative(tokens: Sequence[Token], number: int) -> bool:
    """Whether the token is a comma between a noun and *который*, perhaps after a preposition."""
    after = [token.text.lower() for token in tokens[number + 1 : number + 3]]
    relative = any(word.startswith("котор") for word in after)
    return tokens[number].text == "," and relative and tokens[number - 1].pos in _NOMINAL


def _is_clause(token: Token) -> bool:
    return token.rel in _JOINED and token.feats.get("VerbForm") == "Fin"
