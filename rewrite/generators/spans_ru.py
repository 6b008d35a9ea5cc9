"""What a deletion may take away from a Russian text without hurting its grammar.

A parser errs: further checks look at what stands right before and after a cut, and at what would be left.
"""

from __future__ import annotations

from collections.abc import Iterator

from rerank.analysis import Analysis, Token
from rerank.tree import Tree
from rewrite.generators.needed import is_needed
from rewrite.generators.spans import BREAKS, Span, brackets, keeps_names_and_brackets, span_of, trimmed, unit_of

_CLAUSES = ("acl", "advcl", "appos", "parataxis", "vocative", "discourse")
_CLAUSAL = frozenset({"acl", "advcl", "parataxis", "conj", "discourse", "cc"})
_QUESTIONS = frozenset("насколько сколько как когда где куда откуда почему зачем что чем".split())
_NOMINAL = frozenset({"nmod", "obl", "appos", "conj"})
_QUANTITY = frozenset("более менее свыше около больше меньше почти примерно до от".split())
_CLAUSE_WORDS = frozenset("но а что чтобы где когда однако причём причем потому хотя".split())


def subtrees(analysis: Analysis, removed: frozenset[int], *, shortest_rest: int = 4) -> list[Span]:
    """Whole dependency subtrees that a clause can do without, and brackets, with the commas that set them off.

    Left alone are the subtrees that `rewrite.generators.needed` finds the rest to need, half a pair of brackets or
    quotes, part of a named entity, a clause that the parse does not end at a punctuation mark, and whatever would leave
    fewer than `shortest_rest` words. Needs the layers morph, syntax and entities.
    """
    spans: dict[frozenset[int], Span] = {}
    for sentence in analysis.sentences:
        for span in _sentence_spans(analysis, Tree(sentence.tokens, removed)):
            spans.setdefault(span.starts, span)
    kept = {t.start for t in analysis.tokens if t.start not in removed and t.pos != "PUNCT"}
    return [span for span in spans.values() if len(kept - span.starts) >= shortest_rest]


def _sentence_spans(analysis: Analysis, tree: Tree) -> Iterator[Span]:
    for number in tree.kept:
        if is_needed(tree, number):
            continue
        numbers = trimmed(tree, unit_of(tree, number))
        if numbers and _comes_away(analysis, tree, numbers, number):
            yield span_of([tree.tokens[n] for n in _with_commas(tree, numbers, number)])
    yield from brackets(tree)
    yield from _leading_clauses(tree)


def _leading_clauses(tree: Tree) -> Iterator[Span]:
    """What comes before a clause joined to the main one, where that clause has a subject of its own that is a noun."""
    for number in tree.kept:
        head = tree.tokens[number].head
        if tree.tokens[number].rel not in {"conj", "parataxis"} or head not in tree.children:
            continue
        subjects = [c for c in tree.children[number] if tree.tokens[c].rel.startswith("nsubj")]
        if tree.tokens[head].rel != "root" or not any(tree.tokens[c].pos in {"NOUN", "PROPN"} for c in subjects):
            continue
        links = {c for c in tree.children[number] if tree.tokens[c].rel in {"cc", "punct"} and c < number}
        kept = [n for n in tree.subtree(number) if n not in links]
        lead = [n for n in tree.kept if n < kept[0]]
        reaches_end = all(tree.tokens[n].pos == "PUNCT" for n in tree.kept if n > kept[-1])
        subordinate = tree.child_words(number, "mark") or tree.tokens[kept[0]].pos == "SCONJ"
        after_mark = any(tree.tokens[n].text in BREAKS for n in lead[-2:])
        if after_mark and reaches_end and not subordinate and tree.adjoin(kept):
            yield span_of([tree.tokens[n] for n in lead])


def _with_commas(tree: Tree, numbers: list[int], number: int) -> list[int]:
    """The span with the comma, commas or dash that belong to it."""
    before, after = tree.neighbours(numbers)
    left, right = tree.marks_beside(numbers, BREAKS)
    if tree.tokens[number].rel == "conj":
        return left + numbers
    if before is None:
        return numbers + right
    if left and right:
        pair = tree.tokens[left[0]].text == tree.tokens[right[0]].text
        return left + numbers + (right if pair and not _opens_clause(tree, right[0]) else [])
    return left + numbers if after is None or tree.tokens[after].pos == "PUNCT" else numbers


def _comes_away(analysis: Analysis, tree: Tree, numbers: list[int], number: int) -> bool:
    """Whether the tokens `numbers`, the subtree of `number`, come away cleanly."""
    return (
        tree.adjoin(numbers)
        and keeps_names_and_brackets(analysis, tree, numbers)
        and _is_bounded(tree, numbers, number)
        and _leaves_no_orphan(tree, numbers, number)
        and _keeps_predicate(tree, numbers)
    )


def _is_bounded(tree: Tree, numbers: list[int], number: int) -> bool:
    """A clause reaches from one mark to the next, a conjunct from a conjunction or mark on."""
    token = tree.tokens[number]
    before, after = tree.neighbours(numbers)
    opens = before is None or tree.tokens[before].pos == "PUNCT"
    closes = after is None or tree.tokens[after].pos == "PUNCT"
    if token.rel == "conj":
        linked = opens or tree.tokens[numbers[0]].pos == "CCONJ"
        return linked and (closes or token.pos != "VERB")
    if not token.rel.startswith(_CLAUSES) or (token.rel.startswith("acl") and numbers[-1] < token.head):
        return True
    return opens and closes


def _leaves_no_orphan(tree: Tree, numbers: list[int], number: int) -> bool:
    """No preposition, numeral or adjective before the cut loses its noun, no genitive after it the noun it follows."""
    before, after = tree.neighbours(numbers)
    relation = tree.relation(number)
    if relation not in _CLAUSAL and tree.word(numbers[0]) in _QUESTIONS:
        return False
    if relation == "conj" and after is not None and _trails_noun(tree, number, after):
        return False
    if relation not in _NOMINAL:
        return True
    if before is not None and _waits(tree, before, tree.tokens[number]):
        return False
    if after is None:
        return True
    return not _trails(tree, after) and not _leaves_mark(tree, numbers, after, relation)


def _waits(tree: Tree, before: int, noun: Token) -> bool:
    token = tree.tokens[before]
    if token.pos in {"ADP", "NUM", "DET"} or tree.word(before) in _QUANTITY:
        return True
    attributive = token.pos == "ADJ" or token.feats.get("VerbForm") == "Part"
    return attributive and noun.pos in {"NOUN", "PROPN"} and token.feats.get("Case") == noun.feats.get("Case")


def _trails(tree: Tree, number: int) -> bool:
    """A noun or adjective without a preposition, in a case that leans on a noun before it."""
    token = tree.tokens[number]
    if token.pos not in {"NOUN", "PROPN", "ADJ"} or token.feats.get("Case") in {None, "Nom", "Acc"}:
        return False
    return token.feats.get("Case") == "Gen" or token.head < number


def _leaves_mark(tree: Tree, numbers: list[int], after: int, relation: str) -> bool:
    """Whether the comma after the cut opens a clause on the noun that goes, or would part a verb from its own."""
    before, _ = tree.neighbours(numbers)
    set_off = before is not None and tree.tokens[before].text in BREAKS
    if set_off or before is None or tree.tokens[after].text != ",":
        return False
    following = [n for n in tree.kept if n > after][:2]
    relative = any(tree.word(n).startswith("котор") for n in following) or any(
        tree.tokens[n].feats.get("VerbForm") == "Part" and "Case" in tree.tokens[n].feats for n in following[:1]
    )
    return relative or (relation == "obl" and not _opens_clause(tree, after))


def _trails_noun(tree: Tree, number: int, after: int) -> bool:
    """*земства и городские думы*: the adjective goes with the noun after it, whatever the parse says."""
    adjective, noun = tree.tokens[number], tree.tokens[after]
    previous = tree.tokens[adjective.head]
    nominal = (adjective.pos, noun.pos, previous.pos) == ("ADJ", "NOUN", "NOUN")
    return nominal and noun.feats.get("Case") == adjective.feats.get("Case")


def _keeps_predicate(tree: Tree, numbers: list[int]) -> bool:
    """A sentence with a finite verb keeps one."""
    finite = [n for n in tree.kept if tree.tokens[n].feats.get("VerbForm") == "Fin"]
    return not finite or any(n not in set(numbers) for n in finite)


def _opens_clause(tree: Tree, mark: int) -> bool:
    """Whether what follows the mark needs it still: a clause or a participle phrase."""
    following = [n for n in tree.kept if n > mark][:2]
    if not following:
        return False
    token = tree.tokens[following[0]]
    words = [tree.word(n) for n in following]
    return (
        token.pos == "SCONJ"
        or words[0] in _CLAUSE_WORDS
        or any(word.startswith("котор") for word in words)
        or (token.feats.get("VerbForm") in {"Part", "Conv"} and token.feats.get("Variant") != "Short")
    )
