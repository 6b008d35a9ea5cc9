"""What a deletion may take away from an English text without hurting its grammar."""

from __future__ import annotations

from collections.abc import Iterator

from rerank.analysis import Analysis
from rerank.english.analyzer import EnglishToken
from rewrite.generators.needed_en import LISTS, is_condition, is_needed
from rewrite.generators.spans import (
    BREAKS,
    Span,
    brackets,
    cuts_a_word,
    keeps_names,
    span_of,
    trimmed,
    unit_of,
    with_marks,
    words_in,
)
from rewrite.generators.tree import Tree

__all__ = ["english_subtrees", "spare_words"]

_PAIRS = (("“", "”"), ("(", ")"), ("[", "]"))
# Relations of what commas, dashes and semicolons may set off.
_SET_OFF = frozenset("acl advcl appos conj discourse nmod obl parataxis vocative".split())
_HOLDS = frozenset({"not", "rather", "instead"})
_OBJECTS = frozenset({"that", "which", "whom"})
# What a clause without its conjunction may begin with: an adverb might be read with what stands before it.
_SUBJECTS = frozenset({"DET", "NOUN", "PRON", "PROPN"})
_BEFORE_NOUNS = frozenset({"ADJ", "ADP", "DET", "NUM"})
_POSSESSIVE = frozenset({"'s", "’s", "my", "your", "his", "her", "its", "our", "their"})
_SHORT = 3
# What is said, thought or known: others (*I hate that he left*) say something else without it.
_SAYING = LISTS.words("saying")
_NOMINAL = frozenset({"NOUN", "PRON", "PROPN"})


def english_subtrees(
    analysis: Analysis,
    removed: frozenset[int],
    *,
    longest: int | None = None,
    shortest_rest: int = 4,
    asides: bool = False,
) -> list[Span]:
    """Dependency subtrees that a clause can do without, and round brackets, with the commas that set them off.

    Left alone are the subtrees that `rewrite.generators.needed_en` finds the rest to need, those of more than `longest`
    words, part of a named entity or of a written word, half a pair of brackets or quotes, and whatever would leave its
    sentence fewer than `shortest_rest` words. With `asides` only remarks beside the main clause go. *a* and *an* are
    for `rewrite.generators.tidy` to mend. Needs the layers morph, syntax and entities of
    `rerank.english.EnglishAnalyzer`.
    """
    spans: dict[frozenset[int], Span] = {}
    for sentence in analysis.sentences:
        tree = Tree(sentence, removed)
        rest = {tree.tokens[n].start for n in tree.kept if tree.tokens[n].pos != "PUNCT"}
        for span in _sentence_spans(analysis, tree, asides):
            words = len(rest & span.starts)
            if words <= (longest or words) and len(rest) - words >= shortest_rest:
                spans.setdefault(span.starts, span)
    return list(spans.values())


def _sentence_spans(analysis: Analysis, tree: Tree, asides: bool) -> Iterator[Span]:
    for number in tree.kept:
        if not (_is_aside(tree, number) if asides else not is_needed(tree, number)):
            continue
        numbers = trimmed(tree, unit_of(tree, number))
        if words_in(tree, numbers) and tree.adjoin(numbers) and _edges_whole(analysis, tree, numbers):
            yield span_of([tree.tokens[n] for n in with_marks(tree, numbers, number)])
    yield from brackets(tree)


def _edges_whole(analysis: Analysis, tree: Tree, numbers: list[int]) -> bool:
    return (
        not cuts_a_word(tree, numbers)
        and keeps_names(analysis, tree, numbers)
        and _keeps_pairs(analysis.text, tree, numbers)
        and _leaves_no_orphan(tree, numbers)
    )


def _keeps_pairs(text: str, tree: Tree, numbers: list[int]) -> bool:
    start, stop = tree.tokens[numbers[0]].start, tree.tokens[numbers[-1]].stop
    inside = text[start:stop]
    balanced = all(inside.count(opening) == inside.count(closing) for opening, closing in _PAIRS)
    # Nothing goes from within a quotation, for then it would not be one.
    quoted = text[:start].count('"') % 2 or text[:start].count("“") > text[:start].count("”")
    return balanced and inside.count('"') % 2 == 0 and not quoted


def _leaves_no_orphan(tree: Tree, numbers: list[int]) -> bool:
    """No article or preposition is left with nothing after it, whatever the parse says."""
    before, after = tree.neighbours(numbers)
    waits = before is not None and tree.tokens[before].pos in {"DET", "ADP", "CCONJ"} and before != tree.kept[0]
    return not waits or (after is not None and tree.tokens[after].pos not in {"PUNCT", "ADP", "VERB", "AUX", "CCONJ"})


def _is_aside(tree: Tree, number: int) -> bool:
    """Whether marks set the subtree of a token off, and the rest says no more and no less without it.

    Clauses that follow with a subject of their own, relative and adverbial clauses, appositions, and who said it.
    Conditions and contrasts stay.
    """
    relation = tree.relation(number)
    if relation not in _SET_OFF or not tree.hangs(number):
        return False
    if relation == "conj" and not any(tree.relation(child) == "nsubj" for child in tree.children[number]):
        return False
    numbers = [n for n in tree.subtree(number) if tree.tokens[n].text not in BREAKS]
    if not numbers or {tree.word(n) for n in numbers[:2]} & _HOLDS or is_condition(tree, number):
        return False
    return _parted(tree, numbers)


def _parted(tree: Tree, numbers: list[int]) -> bool:
    """Whether a break or an end of the sentence stands on either side."""
    before, after = tree.neighbours(numbers)
    left = before is None or tree.tokens[before].text in BREAKS
    right = after is None or tree.tokens[after].pos == "PUNCT"
    return left and right and (before is not None or after is not None)


def spare_words(analysis: Analysis, removed: frozenset[int]) -> list[Span]:
    """*that* between a verb and its clause, relative pronouns that are objects, and *in order* before *to*.

    Needs the layers morph, syntax and lemma of `rerank.english.EnglishAnalyzer`.
    """
    return [span for sentence in analysis.sentences for span in _spare(Tree(sentence, removed))]


def _spare(tree: Tree) -> Iterator[Span]:
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
