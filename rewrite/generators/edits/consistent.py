"""A last look at which words are left: signs that a cut followed a wrong parse."""

from __future__ import annotations

from collections.abc import Callable, Collection

from rewrite.generators.edits.clause_grammar import LISTS, SUBJECTS
from rewrite.generators.edits.repaired_tree import RepairedTree

_PREPOSITIONAL = LISTS.words("prepositional")
_MEASURES = LISTS.words("measures")
_PAIRED = frozenset("и ни как либо так или то".split())
_NAMES = ("NOUN", "PROPN")
_NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET", "X", "SYM", "VERB", "ADV")
_LINKS = ("CCONJ", "SCONJ")


class Rest:
    """A sentence without the tokens `gone`.

    `after` has each token that stays with the next one that does, if any; `gaps` are those after which something went.
    """

    def __init__(self, tree: RepairedTree, gone: Collection[int]) -> None:
        self.tree, self.gone, self.tokens = tree, gone, tree.tokens
        kept = [i for i in range(len(tree)) if i not in gone]
        self.after = dict(zip(kept, [*kept[1:], None], strict=False))
        self.gaps = [(i, j) for i, j in self.after.items() if i + 1 < len(tree) and j != i + 1]

    def feature(self, i: int, name: str) -> str | None:
        """A morphological feature of a token."""
        return self.tokens[i].feats.get(name)

    def follows(self, i: int, j: int | None) -> bool:
        """Whether token j, after i, belongs to what i hangs on."""
        head = self.tree.heads[i]
        return j is not None and head not in self.gone and j in self.tree.subtree(head)


Rule = Callable[[Rest], bool]


def lone_preposition(rest: Rest) -> bool:
    """A preposition, or a word like *включая*, that is no longer followed by its noun phrase."""
    if any(rest.tree.word(i) in _PREPOSITIONAL for i, _ in rest.gaps):
        return True
    prepositions = ((i, j) for i, j in _ends(rest) if rest.tokens[i].pos == "ADP")
    return any(
        j is None
        or rest.tokens[j].pos not in _NOMINAL
        or not rest.follows(i, j)
        or (rest.feature(i + 1, "Case") not in (None, rest.feature(j, "Case")) and rest.feature(j, "Case") is not None)
        for i, j in prepositions
    )


def _ends(rest: Rest) -> list[tuple[int, int | None]]:
    """The gaps, and the last token of all if it stays."""
    last = len(rest.tree) - 1
    return [*rest.gaps, *([(last, None)] if last in rest.after else [])]


def lone_conjunction(rest: Rest) -> bool:
    """A conjunction whose second part went, or that now meets another one or a punctuation mark."""
    heads = rest.tree.heads
    return any(
        j is None
        or heads[i] in rest.gone
        or (j != i + 1 and (rest.tokens[j].pos in (*_LINKS, "PUNCT") or heads[i] < i))
        for i, j in rest.after.items()
        if rest.tokens[i].pos in _LINKS
    )


def lone_genitive(rest: Rest) -> bool:
    """A genitive right after a noun that went: it belonged to that noun, whatever the parser says."""
    return any(
        rest.tokens[j].pos in ("NOUN", "PROPN", "ADJ", "DET")
        and rest.tokens[j - 1].pos in ("NOUN", "PROPN", "ADJ", "NUM")
        for j in rest.after
        if j - 1 in rest.gone and rest.feature(j, "Case") == "Gen"
    )


def lost_predicate(rest: Rest) -> bool:
    """Every finite verb went though there was one."""
    finite = [i for i in range(len(rest.tree)) if rest.feature(i, "VerbForm") == "Fin"]
    return bool(finite) and all(i in rest.gone for i in finite)


def bare_verb(rest: Rest) -> bool:
    """A verb, participle or short adjective whose next word went and that now meets a mark or a conjunction."""
    marks = ("PUNCT", *_LINKS)
    return any(
        rest.tokens[i + 1].pos not in marks and (j is None or rest.tokens[j].pos in marks)
        for i, j in rest.gaps
        if rest.tokens[i].pos in ("VERB", "AUX")
        or (rest.tokens[i].pos == "ADJ" and (rest.feature(i, "Variant") == "Short" or rest.tree.word(i - 1) == ","))
    )


def lost_subject(rest: Rest) -> bool:
    """A noun in the nominative went inside something that has no verb of its own: it was the subject of what stays."""
    tree = rest.tree
    for i in rest.gone:
        if rest.tokens[i].pos not in (*_NAMES, "PRON") or rest.feature(i, "Case") != "Nom":
            continue
        if _verb_alone(rest, i):
            return True
        if tree.quote_depth(i):
            continue
        top = i
        while tree.heads[top] in rest.gone:
            top = tree.heads[top]
        has_verb = any(rest.feature(k, "VerbForm") == "Fin" for k in tree.subtree(top))
        if tree.rels[top] in ("obl", "nmod", "amod", "advmod", "acl", "advcl") and not has_verb:
            return True
    return False


def _verb_alone(rest: Rest, i: int) -> bool:
    # «[Разгневанный Карл] решил»: a name or noun in the nominative went, and a verb without a subject follows at once.
    verb = next((j for j in rest.after if j > i), None)
    if rest.tokens[i].pos not in _NAMES or verb is None or rest.feature(verb, "VerbForm") != "Fin":
        return False
    subjects = (c for c in rest.tree.children[verb] if rest.tree.rels[c] in SUBJECTS)
    alone = all(c in rest.gone for c in subjects)
    return alone and rest.feature(verb, "Number") == rest.feature(i, "Number")


def nothing_left(rest: Rest) -> bool:
    """Fewer than four words, or than a third, of a longer sentence."""
    words = [i for i, token in enumerate(rest.tokens) if token.pos != "PUNCT"]
    left = sum(i not in rest.gone for i in words)
    return left < len(words) and (left < min(4, len(words) - 1) or 3 * left < len(words))


def torn_name(rest: Rest) -> bool:
    """One word of a name of several words in capitals or in Latin letters went."""
    for i in range(2, len(rest.tree)):
        texts = [rest.tokens[j].text for j in (i - 1, i)]
        named = all(text[:1].isalnum() and (text[:1].isupper() or text.isascii()) for text in texts)
        if named and (i in rest.gone) != (i - 1 in rest.gone) and rest.tokens[i - 1].pos != "ADP":
            return True
    return False


def bare_measure(rest: Rest) -> bool:
    """*Размером всего в несколько километров* → *размером*."""
    return any(rest.tree.word(i) in _MEASURES for i, _ in rest.gaps)


def torn_preposition(rest: Rest) -> bool:
    """A preposition went, but the noun after the cut was its noun: *в позднее Средневековье* → *Средневековье*."""
    for i in rest.gone:
        if rest.tokens[i].pos != "ADP":
            continue
        j = i + 1
        while j in rest.gone and rest.tokens[j].pos not in ("NOUN", "PROPN", "PRON", "NUM", "X", "SYM"):
            j += 1
        if j in rest.after and rest.tokens[j].pos in ("NOUN", "PROPN", "ADJ", "NUM", "PRON"):
            return True
    return False


def lone_correlative(rest: Rest) -> bool:
    """*И для одного, и для другого* cut after its first *и*."""
    return any(not rest.follows(i, j) for i, j in rest.gaps if rest.tree.word(i) in _PAIRED)


def lone_adjective(rest: Rest) -> bool:
    """An adjective whose noun went."""
    return any(
        rest.tokens[i + 1].pos in _NAMES and rest.feature(i + 1, "Case") in {rest.feature(i, "Case")} - {None}
        for i, _ in rest.gaps
        if rest.tokens[i].pos in ("ADJ", "DET", "NUM", "VERB")
    )


RULES: tuple[Rule, ...] = (
    lone_preposition,
    lone_conjunction,
    lone_genitive,
    lone_adjective,
    lost_predicate,
    bare_verb,
    lost_subject,
    nothing_left,
    torn_preposition,
    lone_correlative,
    torn_name,
    bare_measure,
)


def inconsistency(tree: RepairedTree, gone: Collection[int]) -> str:
    """Name of the first sign of a wrong cut, or an empty string."""
    rest = Rest(tree, gone)
    return next((rule.__name__ for rule in RULES if rule(rest)), "")
