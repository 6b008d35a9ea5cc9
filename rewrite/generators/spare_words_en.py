"""English function words that a sentence says the same without: *he said (that) it rained*, *the man (whom) we saw*."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.analysis import Analysis
from rerank.english.analyzer import EnglishToken
from rewrite.generators.spans import Span, span_of
from rewrite.generators.tree import Tree

__all__ = ["spare_words"]

_OBJECTS = frozenset({"that", "which", "whom"})
# What a clause without its conjunction may begin with: an adverb might be read with what stands before it.
_SUBJECTS = frozenset({"DET", "NOUN", "PRON", "PROPN"})
_BEFORE_NOUNS = frozenset({"ADJ", "ADP", "DET", "NUM"})
_POSSESSIVE = frozenset({"'s", "’s", "my", "your", "his", "her", "its", "our", "their"})
_SHORT = 3
# What is said, thought or known: others (*I hate that he left*) say something else without it.
_SAYING = frozenset(
    """
    add admit agree announce argue believe claim complain conclude confirm declare deny disclose discover estimate
    expect explain fear feel find guess hear hope indicate insist know learn maintain mean note predict promise prove
    realise realize recognise recognize remember report reveal say see show suggest suppose suspect tell think
    understand warn write
    """.split()
)  # fmt: skip
_NOMINAL = frozenset({"NOUN", "PRON", "PROPN"})


def spare_words(analysis: Analysis, removed: frozenset[int]) -> list[Span]:
    """*that* between a verb and its clause, relative pronouns that are objects, and *in order* before *to*.

    Needs the layers morph, syntax and lemma of `rerank.english.EnglishAnalyzer`.
    """
    return [span for sentence in analysis.sentences for span in _spans(Tree(sentence, removed))]


def _spans(tree: Tree) -> Iterator[Span]:
    for number in tree.kept:
        before, after = tree.neighbours([number])
        if before is None or after is None:
            continue
        if tree.word(before) == "in" and tree.word(number) == "order" and _opens_purpose(tree, after):
            yield span_of([tree.tokens[before], tree.tokens[number]])
        elif tree.tokens[after].pos in _SUBJECTS and (
            _joins_clause(tree, before, number) or _is_object(tree, before, number)
        ):
            yield span_of([tree.tokens[number]])


def _opens_purpose(tree: Tree, number: int) -> bool:
    """*to* before a verb, not *in order to this day*."""
    token = tree.tokens[number]
    verb = token.head in tree.children and tree.head(number).pos in {"VERB", "AUX"}
    return tree.word(number) == "to" and token.rel == "mark" and verb


def _joins_clause(tree: Tree, before: int, number: int) -> bool:
    """*that* right after the verb whose clause it opens."""
    token = tree.tokens[number]
    if tree.word(number) != "that" or token.rel != "mark" or token.head not in tree.children:
        return False
    earlier, _ = tree.neighbours([before])
    # *Dalton's postulate that …* may be parsed with a verb.
    noun = earlier is not None and (tree.tokens[earlier].pos in _BEFORE_NOUNS or tree.word(earlier) in _POSSESSIVE)
    clause = tree.head(number)
    verb = tree.tokens[before]
    joined = clause.rel == "ccomp" and clause.head == before and verb.pos == "VERB"
    said = isinstance(verb, EnglishToken) and verb.lemma in _SAYING
    return joined and said and not noun and _has_short_subject(tree, token.head)


def _is_object(tree: Tree, before: int, number: int) -> bool:
    """A relative pronoun right after its noun, with the subject of its verb right after it, whatever it is called."""
    token = tree.tokens[number]
    if tree.word(number) not in _OBJECTS or token.head not in tree.children:
        return False
    # With *that* for a conjunction it may be what the noun says: *the claim that …*.
    if token.rel == "mark" or token.rel.startswith("nsubj") or tree.tokens[before].pos not in _NOMINAL:
        return False
    clause = tree.tokens[token.head]
    return clause.rel == "acl:relcl" and clause.head <= before and _has_short_subject(tree, token.head)


def _has_short_subject(tree: Tree, number: int) -> bool:
    """Whether the subject of a clause leads to its verb at once: after a long one the verb comes as a surprise."""
    subjects = [child for child in tree.children[number] if tree.tokens[child].rel.startswith("nsubj")]
    return any(child < number and len(tree.subtree(child)) <= _SHORT for child in subjects)
