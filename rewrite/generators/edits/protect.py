"""Why a part of a sentence may not be cut out: one named rule per reason.

Each rule is a pure function of the tree and a node and says whether the subtree of that node must stay. Here are the
rules of grammar: what would leave a broken sentence, or follows a wrong parse. `meaning` has those of sense. All came
from reading outputs.
"""

from __future__ import annotations

from rewrite.generators.edits import meaning
from rewrite.generators.edits.meaning import Rule
from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency
from rewrite.generators.edits.wordlists import QUESTION

__all__ = ["RULES", "protected_by"]

_REMOVABLE = frozenset(
    """amod advmod nmod obl obl:agent acl acl:relcl advcl appos conj parataxis discourse det iobj vocative
    nummod:entity""".split()
)
_OPENING = frozenset('(«"„“[')
_CLOSING = frozenset(',.;:!?…)»"”]')
_CLAUSES = frozenset({"conj", "acl", "acl:relcl", "appos", "advcl", "parataxis", "ccomp"})


def structural(tree: Tree, i: int, valency: Valency) -> bool:
    """Not a kind of dependent that can be left out, or torn apart in the sentence."""
    return tree.heads[i] < 0 or tree.rels[i] not in _REMOVABLE or not tree.contiguous(i)


def torn_punctuation(tree: Tree, i: int, valency: Valency) -> bool:
    """Brackets or quotes that would lose their other half, or a comma that shows a wrong parse."""
    if i in tree.brackets:
        return False
    words = tree.words(i)
    inside = [t.text for t in tree.tokens[words[0] : words[-1] + 1]]
    before = tree.tokens[words[0] - 1].text if words[0] else ""
    after = tree.tokens[words[-1] + 1].text if words[-1] + 1 < len(tree) else ""
    if inside.count('"') % 2:
        return True
    for opening, closing in (("(", ")"), ("«", "»")):
        if inside.count(opening) != inside.count(closing):
            return True
        if (before == opening) != (after == closing) and "(" not in inside:
            return True
    if tree.rels[i] in ("nmod", "obl", "amod", "iobj", "obl:agent", "advmod"):
        return any(
            tree.tokens[j].text in (",", ";", ":", "—") and not _clause_start(tree, i, j + 1)
            for j in range(words[0], words[-1])
        )
    return False


def _clause_start(tree: Tree, i: int, j: int) -> bool:
    # Whether token j opens a conjunct or clause inside the subtree of i, or the comma before it closes one.
    marks = {tree.words(c)[0] for c in tree.words(i) if c != i and tree.rels[c] in _CLAUSES}
    ends = {tree.words(c)[-1] + 2 for c in tree.words(i) if c != i and tree.rels[c] in _CLAUSES}
    return j in marks | ends


def clause_without_marker(tree: Tree, i: int, valency: Valency) -> bool:
    """A finite verb that hangs in the sentence with no conjunction or relative word is a sign of a wrong parse."""
    token = tree.tokens[i]
    if token.feats.get("VerbForm") == "Inf":
        return True
    if token.feats.get("VerbForm") != "Fin" and tree.child(i, "nsubj", "nsubj:pass", "cop") is None:
        return False
    words = tree.words(i)
    first = tree.tokens[words[0]]
    if i in tree.brackets or _whole_clause(tree, i, words):
        return False
    if words[0] and tree.tokens[words[0] - 1].text in ("(",):
        return False
    if tree.rels[i] in ("acl:relcl", "acl"):
        return not any(valency.lemma(tree.tokens[j]) in QUESTION for j in words[:3])
    if tree.rels[i] == "conj":
        return first.pos != "CCONJ" or (tree.child(i, "nsubj", "nsubj:pass") is None and i - words[0] > 2)
    return first.pos != "SCONJ" and valency.lemma(first) not in QUESTION


def _whole_clause(tree: Tree, i: int, words: list[int]) -> bool:
    """The last clause of several, with a subject of its own, after a comma: the rest is a sentence without it."""
    root = tree.root
    if tree.rels[i] not in ("conj", "parataxis") or tree.heads[i] != root or words[0] < root or words[0] < 2:
        return False
    rest_subordinate = any(t.pos == "SCONJ" for t in tree.tokens[:2]) or tree.child(root, "mark") is not None
    return (
        tree.tokens[words[0] - 1].text in (",", ";", ":")
        and all(t.pos == "PUNCT" for t in tree.tokens[words[-1] + 1 :])
        and tree.child(i, "nsubj", "nsubj:pass") is not None
        and tree.tokens[root].feats.get("VerbForm") == "Fin"
        and tree.child(root, "nsubj", "nsubj:pass") is not None
        and not rest_subordinate
    )


def function_word(tree: Tree, i: int, valency: Valency) -> bool:
    """Conjunctions, prepositions, particles and question words hold the rest together."""
    token = tree.tokens[i]
    if token.pos in ("ADP", "CCONJ", "SCONJ", "AUX") or token.text.lower() in (
        "значит",
        "то",
        "следовательно",
        "включая",
        "исключая",
    ):
        return True
    first = tree.words(i)[0]
    return tree.rels[i] not in ("acl:relcl", "acl", "advcl", "parataxis", "conj") and (
        valency.lemma(token) in QUESTION or valency.lemma(tree.tokens[first]) in QUESTION
    )


def name_part(tree: Tree, i: int, valency: Valency) -> bool:
    """Part of a proper name or of a quotation."""
    head = tree.heads[i]
    if tree.rels[i] == "nmod" and tree.child(i, "case") is None and i > head > 0:
        # «Великая хартия вольностей»: a capital letter inside the sentence marks a title.
        if tree.tokens[head].text[:1].isupper() and tree.tokens[head].pos == "NOUN":
            return True
        if any(tree.rels[c] == "amod" and c > 0 and tree.tokens[c].text[:1].isupper() for c in tree.children[head]):
            return True
    inside = tree.start_in_entity(head)
    return inside is not None and inside == tree.start_in_entity(i)


def cuts_quotation(tree: Tree, i: int, valency: Valency) -> bool:
    """Quotes and brackets must stay in pairs, and quoted words as they are."""
    words = tree.words(i)
    return (tree.quote_depth(words[0]) != tree.quote_depth(tree.heads[i]) and not tree.whole_quote(words)) or (
        tree.quote_depth(words[0]) > 0 and tree.quote_depth(tree.heads[i]) > 0
    )


def dash_predicate(tree: Tree, i: int, valency: Valency) -> bool:
    """What follows the dash of *X — Y* is the predicate."""
    words = tree.words(i)
    before = tree.tokens[words[0] - 1].text if words[0] else ""
    verb = any(t.feats.get("VerbForm") == "Fin" for t in tree.tokens[: words[0]])
    return before in ("—", "–", "-") and not verb


def name_apposition(tree: Tree, i: int, valency: Valency) -> bool:
    """*Озеро Виннипегозис*: a name right after its noun, with no comma between."""
    words = tree.words(i)
    token = tree.tokens[i]
    loose = words[0] > 0 and tree.tokens[words[0] - 1].pos != "PUNCT"
    if loose and (token.text.isascii() or (tree.rels[i] == "appos" and token.pos == "PROPN")):
        # «Председатель комиссии Дональд Туск», «витамин D»
        return True
    return (
        tree.rels[i] in ("appos", "nmod")
        and tree.tokens[i].pos == "PROPN"
        and words[0] == tree.heads[i] + 1
        and (tree.tokens[words[0]].feats.get("Case") != "Gen")
    )


def quoted_name(tree: Tree, i: int, valency: Valency) -> bool:
    """*Альбом «Покой»* → *альбом*: a name in quotes right after its noun."""
    first = tree.words(i)[0]
    return first >= 2 and tree.tokens[first - 1].text in ("«", '"', "„", "“") and tree.tokens[first - 2].pos == "NOUN"


def first_clause(tree: Tree, i: int, valency: Valency) -> bool:
    """The clause that opens the sentence is the main one, whatever the parser makes of it."""
    return (
        tree.words(i)[0] == 0
        and tree.rels[i] in ("conj", "parataxis", "acl", "acl:relcl", "appos", "nmod")
        and (
            any(
                tree.tokens[j].pos in ("VERB", "AUX") or tree.tokens[j].feats.get("Variant") == "Short"
                for j in tree.words(i)
            )
        )
    )


def connector(tree: Tree, i: int, valency: Valency) -> bool:
    """*…, в результате он не смог*: what ties two clauses after a comma."""
    first = tree.words(i)[0]
    head = tree.heads[i]
    return (
        tree.rels[i] in ("advmod", "obl", "parataxis", "discourse")
        and first > 0
        and i < head
        and tree.tokens[first - 1].text in (",", ";", "—")
        and (tree.rels[head] in ("conj", "parataxis", "root", "advcl"))
        and any(t.feats.get("VerbForm") == "Fin" for t in tree.tokens[:first])
    )


def colon(tree: Tree, i: int, valency: Valency) -> bool:
    """A colon inside: what it announces would be lost or left alone."""
    first, last = tree.span(i)
    if first and tree.tokens[first - 1].text == ":" and any(t.pos != "PUNCT" for t in tree.tokens[last + 1 :]):
        return True
    inside = any(t.text == ":" for t in tree.tokens[first : last + 1])
    return inside and any(t.pos != "PUNCT" for t in tree.tokens[last + 1 :])


def bare_object(tree: Tree, i: int, valency: Valency) -> bool:
    """A noun after a verb with no preposition is its object, whatever the parser calls it: *дал игре 9 баллов*."""
    token = tree.tokens[i]
    return (
        tree.rels[i] in ("obl", "iobj", "nmod")
        and i > tree.heads[i]
        and tree.tokens[tree.heads[i]].pos in ("VERB", "AUX")
        and token.pos in ("NOUN", "PROPN", "NUM", "SYM", "PRON")
        and token.feats.get("Case") in ("Acc", "Gen", "Dat", "Nom", None)
        and tree.child(i, "case") is None
    )


def glued(tree: Tree, i: int, valency: Valency) -> bool:
    """Written together with what stays, as in an address, a path or *и/или*."""
    first, last = tree.span(i)
    if (
        first
        and tree.tokens[first - 1].stop == tree.tokens[first].start
        and tree.tokens[first - 1].text not in _OPENING
    ):
        return True
    if last + 1 >= len(tree) or tree.tokens[last].stop != tree.tokens[last + 1].start:
        return False
    return tree.tokens[last + 1].text not in _CLOSING


def abbreviation(tree: Tree, i: int, valency: Valency) -> bool:
    """*На ул. Ленина* → *Ленина*: a shortened word goes with the name after it."""
    _, last = tree.span(i)
    shortened = tree.tokens[last].text == "." or (last + 1 < len(tree) and tree.tokens[last + 1].text == ".")
    following = last + (1 if tree.tokens[last].text == "." else 2)
    return shortened and following < len(tree) and tree.tokens[following].pos != "PUNCT"


def open_clause(tree: Tree, i: int, valency: Valency) -> bool:
    """A clause that begins at a comma but does not end at one: the parser has missed a part of it."""
    first, last = tree.span(i)
    if i in tree.brackets or last + 1 >= len(tree) or tree.tokens[last + 1].pos in ("PUNCT", "CCONJ"):
        return False
    commas = [j for j in range(first, last + 1) if tree.tokens[j].text == ","]
    if commas and any(t.feats.get("VerbForm") == "Fin" for t in tree.tokens[commas[-1] : last + 1]):
        return True
    clause = tree.rels[i] in ("acl", "acl:relcl", "advcl", "parataxis", "conj")
    return clause and first > 0 and tree.tokens[first - 1].text == ","


def opens_clause(tree: Tree, i: int, valency: Valency) -> bool:
    """*Ввиду того что …*: the conjunction goes on after it."""
    after = [tree.lower(j) for j in range(tree.span(i)[1] + 1, min(tree.span(i)[1] + 3, len(tree)))]
    following = after[1:] if after[:1] == [","] else after[:1]
    return tree.rels[i] in ("advmod", "obl", "nmod", "mark", "discourse", "det") and bool(
        {"что", "как", "чтобы", "чем"} & set(following[:1])
    )


def postposed(tree: Tree, i: int, valency: Valency) -> bool:
    """*Пассат, сильный зимой и слабый летом*: an adjective after its noun says something of it."""
    return tree.rels[i] == "amod" and (i > tree.heads[i] or (i > 0 and tree.tokens[i - 1].text == ","))


RULES: tuple[Rule, ...] = (
    structural,
    torn_punctuation,
    clause_without_marker,
    function_word,
    name_part,
    cuts_quotation,
    dash_predicate,
    name_apposition,
    first_clause,
    connector,
    colon,
    bare_object,
    glued,
    abbreviation,
    open_clause,
    opens_clause,
    postposed,
    quoted_name,
    *meaning.RULES,
)


def protected_by(tree: Tree, i: int, valency: Valency) -> str:
    """Name of the first rule that keeps the subtree of i, or an empty string where it may go."""
    return next((rule.__name__ for rule in RULES if rule(tree, i, valency)), "")
