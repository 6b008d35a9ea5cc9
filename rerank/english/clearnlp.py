"""Parses of `en_core_web_*` told in Universal Dependencies.

Those pipelines are trained on the ClearNLP conversion of OntoNotes: prepositions and forms of *be* head their phrases,
each conjunct hangs on the one before, conjunctions and commas on the conjunct they follow. Here the words of content
become the heads, as in UD, so that one set of rules reads both. What the labels do not tell stays a guess: a predicate
that is a clause (*the point is that …*) keeps its *be* as the head.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rerank.analysis import Token
from rerank.english.reports import is_under

__all__ = ["to_universal"]

_RENAMED: Mapping[str, str] = MappingProxyType(
    dict(
        pair.split("=")
        for pair in """
        ROOT=root acomp=xcomp agent=obl:agent attr=xcomp auxpass=aux:pass csubjpass=csubj:pass dative=iobj dobj=obj
        intj=discourse meta=dep neg=advmod nsubjpass=nsubj:pass oprd=xcomp pcomp=advcl pobj=obl poss=nmod:poss
        preconj=cc:preconj predet=det:predet prep=advmod prt=compound:prt quantmod=advmod relcl=acl:relcl
        subtok=goeswith
        """.split()
    )
)
_BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m", "’s", "’re", "’m"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "DET", "SYM"})
_PREPOSITIONS = frozenset({"prep", "agent", "dative"})


def to_universal(tokens: Sequence[Token]) -> None:
    """Change `head` and `rel` of one sentence's tokens from ClearNLP's to those of Universal Dependencies."""
    _hand_links_on(tokens)
    _flatten_lists(tokens)
    for number in _deepest_first(tokens):
        _lower_preposition(tokens, number)
    for number in _deepest_first(tokens):
        _lower_copula(tokens, number)
    for token in tokens:
        token.rel = _renamed(tokens, token)


def _children(tokens: Sequence[Token], number: int) -> list[int]:
    return [n for n, token in enumerate(tokens) if token.head == number]


def _depth(tokens: Sequence[Token], number: int) -> int:
    depth = 0
    while tokens[number].head >= 0 and depth <= len(tokens):
        number = tokens[number].head
        depth += 1
    return depth


def _deepest_first(tokens: Sequence[Token]) -> list[int]:
    return sorted(range(len(tokens)), key=lambda n: -_depth(tokens, n))


def _hand_links_on(tokens: Sequence[Token]) -> None:
    """Conjunctions and commas before a conjunct become its own."""
    for number, token in enumerate(tokens):
        if token.rel not in {"cc", "punct"} or token.head < 0 or token.head > number:
            continue
        later = [c for c in _children(tokens, token.head) if tokens[c].rel == "conj" and c > number]
        if later and (token.rel == "cc" or _opens(tokens, number, later[0])):
            token.head = later[0]


def _opens(tokens: Sequence[Token], mark: int, conjunct: int) -> bool:
    """Whether a comma stands right before a conjunct, its conjunction and its own words."""
    between = range(mark + 1, conjunct)
    return all(tokens[n].rel == "cc" or is_under(tokens, n, conjunct) for n in between)


def _flatten_lists(tokens: Sequence[Token]) -> None:
    """All conjuncts hang on the first one."""
    for token in tokens:
        if token.rel == "conj":
            seen: set[int] = set()
            while tokens[token.head].rel == "conj" and token.head not in seen:
                seen.add(token.head)
                token.head = tokens[token.head].head


def _swap(tokens: Sequence[Token], head: int, child: int, relation: str, below: str) -> None:
    """`child` takes the place of `head` under `relation`; `head` and its other children hang on it."""
    for other in _children(tokens, head):
        if other != child:
            tokens[other].head = child
    tokens[child].head, tokens[child].rel = tokens[head].head, relation
    tokens[head].head, tokens[head].rel = child, below


def _lower_preposition(tokens: Sequence[Token], number: int) -> None:
    token = tokens[number]
    is_preposition = token.rel in _PREPOSITIONS or (token.rel in {"conj", "ROOT", "root"} and token.pos == "ADP")
    if not is_preposition or token.pos not in {"ADP", "SCONJ", "ADV", "PART", "VERB", "ADJ"}:
        return
    below = _children(tokens, number)
    nouns = [c for c in below if tokens[c].rel in {"pobj", "obl", "nmod"}]
    clauses = [c for c in below if tokens[c].rel == "pcomp" and tokens[c].pos in {"VERB", "AUX"}]
    on_noun = token.head >= 0 and tokens[token.head].pos in _NOMINAL
    kept = token.rel if token.rel in {"conj", "ROOT", "root"} else ""
    if nouns:
        plain = "obl:agent" if token.rel == "agent" else "nmod" if on_noun else "obl"
        _swap(tokens, number, nouns[0], kept or plain, "case")
    elif clauses:
        _swap(tokens, number, clauses[0], kept or ("acl" if on_noun else "advcl"), "mark")


def _lower_copula(tokens: Sequence[Token], number: int) -> None:
    token = tokens[number]
    if token.text.lower() not in _BE or token.rel in {"aux", "auxpass"}:
        return
    below = _children(tokens, number)
    predicates = [c for c in below if tokens[c].rel in {"attr", "acomp"}]
    if not predicates and not any(tokens[c].rel == "expl" for c in below):
        # *is in Paris*: the place is what is said of the subject.
        predicates = [c for c in below if tokens[c].rel == "obl" and c > number][:1]
    if predicates and not any(tokens[c].rel == "expl" and tokens[c].text.lower() == "there" for c in below):
        _swap(tokens, number, predicates[0], token.rel, "cop")


def _renamed(tokens: Sequence[Token], token: Token) -> str:
    if token.head < 0:
        return "root"
    if token.rel == "npadvmod":
        return "nmod:unmarked" if tokens[token.head].pos in _NOMINAL else "obl:unmarked"
    return _RENAMED.get(token.rel, token.rel)
