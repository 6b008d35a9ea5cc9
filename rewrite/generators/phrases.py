"""Words side by side that leave no function word without what it belongs to, whatever the language."""

from __future__ import annotations

from rerank.analysis import Analysis, Sentence
from rewrite.generators.spans import Span, adjacent_words

__all__ = ["whole_phrases"]

# The relations of Universal Dependencies between a word and one that makes a phrase with it.
_BOUND = frozenset("aux case cc compound cop det fixed flat goeswith mark nummod expl".split())


def whole_phrases(analysis: Analysis, removed: frozenset[int], *, longest: int = 5) -> list[Span]:
    """Every run of up to `longest` tokens that parts no function word, number or name from its head.

    Neither goes a preposition, article, auxiliary or conjunction alone, nor what it stands before without it. The main
    predicate and its subject stay. Less strict than subtrees: a word may go without what else depends on it. Needs the
    layer syntax.
    """
    bound = [pair for sentence in analysis.sentences for pair in _bound(sentence) if removed.isdisjoint(pair)]
    main = frozenset(start for sentence in analysis.sentences for start in _main(sentence))
    return [
        span
        for span in adjacent_words(analysis, removed, longest=longest)
        if main.isdisjoint(span.starts) and all((one in span.starts) == (other in span.starts) for one, other in bound)
    ]


def _main(sentence: Sentence) -> list[int]:
    """Offsets of the head of a sentence and of its subject's."""
    tokens = sentence.tokens
    roots = {n for n, token in enumerate(tokens) if not 0 <= token.head < len(tokens) or token.head == n}
    return [t.start for n, t in enumerate(tokens) if n in roots or (t.rel.startswith("nsubj") and t.head in roots)]


def _bound(sentence: Sentence) -> list[tuple[int, int]]:
    """Offsets of words that belong together."""
    tokens = sentence.tokens
    return [
        (token.start, tokens[token.head].start)
        for token in tokens
        if token.rel.split(":")[0] in _BOUND and 0 <= token.head < len(tokens) and tokens[token.head] is not token
    ]
