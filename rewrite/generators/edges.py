"""Whether a cut falls where it should: what stands right before and after it, and what would be left.

A parser errs; these checks catch the cuts that its errors would make visible.
"""

from __future__ import annotations

from rerank.analysis import Analysis, Token
from rewrite.generators.tree import Tree

__all__ = ["MARKS", "keeps_names_and_brackets", "leaves_edges_whole", "opens_clause"]

MARKS = frozenset({",", ";", ":", "—", "–", "-"})
_OPENING, _CLOSING = "(«„[", ")»“]"
_OPENING_QUOTES, _CLOSING_QUOTES = "«„", "»“"
_CLAUSES = ("acl", "advcl", "appos", "parataxis", "vocative", "discourse")
_CLAUSAL = frozenset({"acl", "advcl", "parataxis", "conj", "discourse", "cc"})
_QUESTIONS = frozenset(
    {"насколько", "сколько", "как", "когда", "где", "куда", "откуда", "почему", "зачем", "что", "чем"}
)
_NOMINAL = frozenset({"nmod", "obl", "appos", "conj"})
_QUANTITY = frozenset({"более", "менее", "свыше", "около", "больше", "меньше", "почти", "примерно", "до", "от"})
_CLAUSE_WORDS = frozenset({"но", "а", "что", "чтобы", "где", "когда", "однако", "причём", "причем", "потому", "хотя"})


def leaves_edges_whole(analysis: Analysis, tree: Tree, numbers: list[int], number: int) -> bool:
    """Whether the tokens `numbers`, the subtree of `number`, come away cleanly."""
    return (
        tree.adjoin(numbers)
        and keeps_names_and_brackets(analysis, tree, numbers)
        and _is_bounded(tree, numbers, number)
        and _leaves_no_orphan(tree, numbers, number)
        and _keeps_predicate(tree, numbers)
    )


def keeps_names_and_brackets(analysis: Analysis, tree: Tree, numbers: list[int]) -> bool:
    """Whether no named entity, pair of brackets or pair of quotes is parted."""
    start, stop = tree.tokens[numbers[0]].start, tree.tokens[numbers[-1]].stop
    for entity in analysis.entities:
        if entity.start < stop and start < entity.stop and not (start <= entity.start and entity.stop <= stop):
            return False
    depth = 0
    for character in analysis.text[start:stop]:
        depth += (character in _OPENING) - (character in _CLOSING)
        if depth < 0:
            return False
    quoted = sum((c in _OPENING_QUOTES) - (c in _CLOSING_QUOTES) for c in analysis.text[:start])
    return (
        depth == 0
        and quoted <= 0
        and analysis.text[:start].count('"') % 2 == 0 == analysis.text[start:stop].count('"') % 2
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
    relation = tree.tokens[number].rel.split(":")[0]
    if relation not in _CLAUSAL and tree.word(numbers[0]) in _QUESTIONS:
        return False
    if (
        relation == "conj"
        and after is not None
        and tree.tokens[number].pos == "ADJ"
        and _trails_noun(tree, number, after)
    ):
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
    set_off = before is not None and tree.tokens[before].text in MARKS
    if set_off or before is None or tree.tokens[after].text != ",":
        return False
    following = [n for n in tree.kept if n > after][:2]
    relative = any(tree.word(n).startswith("котор") for n in following) or any(
        tree.tokens[n].feats.get("VerbForm") == "Part" and "Case" in tree.tokens[n].feats for n in following[:1]
    )
    return relative or (relation == "obl" and not opens_clause(tree, after))


def _trails_noun(tree: Tree, number: int, after: int) -> bool:
    """*земства и городские думы*: the adjective goes with the noun after it, whatever the parse says."""
    adjective, noun = tree.tokens[number], tree.tokens[after]
    previous = tree.tokens[adjective.head]
    agrees = noun.pos == "NOUN" and noun.feats.get("Case") == adjective.feats.get("Case")
    return agrees and previous.pos == "NOUN"


def _keeps_predicate(tree: Tree, numbers: list[int]) -> bool:
    """A sentence with a finite verb keeps one."""
    finite = [n for n in tree.kept if tree.tokens[n].feats.get("VerbForm") == "Fin"]
    return not finite or any(n not in set(numbers) for n in finite)


def opens_clause(tree: Tree, mark: int) -> bool:
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
