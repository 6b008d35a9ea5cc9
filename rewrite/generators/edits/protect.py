"""Why a part of a sentence may not be cut out: one named rule per reason.

Here are the rules of grammar: what would leave a broken sentence, or follows a wrong parse. `protected_meaning` has
those of sense. All came from reading outputs.
"""

from __future__ import annotations

from rewrite.generators.edits import protected_meaning
from rewrite.generators.edits.clause_grammar import LISTS, SUBJECTS
from rewrite.generators.edits.edit import Part, Rule
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.generators.valency import RussianValency

_QUESTION = LISTS.words("question")
_REMOVABLE = frozenset(
    """amod advmod nmod obl obl:agent acl acl:relcl advcl appos conj parataxis discourse det iobj vocative
    nummod:entity""".split()
)
_OPENING = frozenset('(«"„“[')
_CLOSING = frozenset(',.;:!?…)»"”]')
_ON_NOUNS = ("acl", "acl:relcl")
_CLAUSES = frozenset({"conj", "appos", "advcl", "parataxis", "ccomp", *_ON_NOUNS})
_LINKS = frozenset("значит то следовательно включая исключая".split())


def structural(part: Part) -> bool:
    """Not a kind of dependent that can be left out, or torn apart in the sentence."""
    return part.head < 0 or part.rel not in _REMOVABLE or not part.tree.contiguous(part.i)


def torn_punctuation(part: Part) -> bool:
    """Brackets or quotes that would lose their other half, or a comma that shows a wrong parse."""
    tree = part.tree
    if part.i in tree.brackets:
        return False
    inside = [t.text for t in tree.tokens[part.first : part.last + 1]]
    before, after = part.before(1), part.after(1)
    if inside.count('"') % 2:
        return True
    for opening, closing in (("(", ")"), ("«", "»")):
        if inside.count(opening) != inside.count(closing):
            return True
        if (before == [opening]) != (after == [closing]) and "(" not in inside:
            return True
    if part.rel not in ("nmod", "obl", "amod", "iobj", "obl:agent", "advmod"):
        return False
    # What follows a mark opens a conjunct or clause inside, or the comma before it closes one.
    clauses = [tree.words(c) for c in part.words if c != part.i and tree.rels[c] in _CLAUSES]
    known = {words[0] for words in clauses} | {words[-1] + 2 for words in clauses}
    marks = (j for j in range(part.first, part.last) if tree.tokens[j].text in (",", ";", ":", "—"))
    return any(j + 1 not in known for j in marks)


def clause_without_marker(part: Part) -> bool:
    """A finite verb that hangs in the sentence with no conjunction or relative word is a sign of a wrong parse."""
    tree, form = part.tree, part.token.feats.get("VerbForm")
    if form == "Inf":
        return True
    if form != "Fin" and not part.has(*SUBJECTS, "cop"):
        return False
    if part.i in tree.brackets or _whole_clause(part) or part.before(1) == ["("]:
        return False
    lemmas = [part.valency.lemma(tree.tokens[j]) for j in part.words[:3]]
    if part.rel in _ON_NOUNS:
        return _QUESTION.isdisjoint(lemmas)
    first = tree.tokens[part.first]
    if part.rel == "conj":
        return first.pos != "CCONJ" or (not part.has(*SUBJECTS) and part.i - part.first > 2)
    return first.pos != "SCONJ" and lemmas[0] not in _QUESTION


def _whole_clause(part: Part) -> bool:
    """The last clause of several, with a subject of its own, after a comma: the rest is a sentence without it."""
    tree, root = part.tree, part.tree.root
    if part.rel not in ("conj", "parataxis") or part.head != root or part.first < root or part.first < 2:
        return False
    rest_subordinate = any(t.pos == "SCONJ" for t in tree.tokens[:2]) or tree.child(root, "mark") is not None
    return (
        tree.tokens[part.first - 1].text in (",", ";", ":")
        and all(t.pos == "PUNCT" for t in tree.tokens[part.last + 1 :])
        and part.has(*SUBJECTS)
        and tree.tokens[root].feats.get("VerbForm") == "Fin"
        and tree.child(root, *SUBJECTS) is not None
        and not rest_subordinate
    )


def function_word(part: Part) -> bool:
    """Conjunctions, prepositions, particles and question words hold the rest together."""
    if part.token.pos in ("ADP", "CCONJ", "SCONJ", "AUX") or part.token.text.lower() in _LINKS:
        return True
    first = part.valency.lemma(part.tree.tokens[part.first])
    clause = part.rel in ("advcl", "parataxis", "conj", *_ON_NOUNS)
    return not clause and not _QUESTION.isdisjoint((part.lemma, first))


def name_part(part: Part) -> bool:
    """Part of a proper name or of a quotation."""
    tree, head = part.tree, part.head
    if part.rel == "nmod" and not part.has("case") and part.i > head > 0:
        # «Великая хартия вольностей»: a capital letter inside the sentence marks a title.
        if part.above.text[:1].isupper() and part.above.pos == "NOUN":
            return True
        if any(c > 0 and tree.tokens[c].text[:1].isupper() for c in part.siblings("amod")):
            return True
    inside = tree.start_in_entity(head)
    return inside is not None and inside == tree.start_in_entity(part.i)


def cuts_quotation(part: Part) -> bool:
    """Quotes and brackets must stay in pairs, and quoted words as they are."""
    depth, head_depth = part.tree.quote_depth(part.first), part.tree.quote_depth(part.head)
    return (depth != head_depth and not part.tree.whole_quote(part.words)) or (depth > 0 and head_depth > 0)


def dash_predicate(part: Part) -> bool:
    """What follows the dash of *X — Y* is the predicate."""
    verb = any(t.feats.get("VerbForm") == "Fin" for t in part.tree.tokens[: part.first])
    return part.before(1) in (["—"], ["–"], ["-"]) and not verb


def name_apposition(part: Part) -> bool:
    """*Озеро Виннипегозис*: a name right after its noun, with no comma between."""
    tokens, name = part.tree.tokens, part.token.pos == "PROPN"
    loose = part.first > 0 and tokens[part.first - 1].pos != "PUNCT"
    if loose and (part.token.text.isascii() or (part.rel == "appos" and name)):
        # «Председатель комиссии Дональд Туск», «витамин D»
        return True
    follows = part.rel in ("appos", "nmod") and part.first == part.head + 1
    return follows and name and tokens[part.first].feats.get("Case") != "Gen"


def quoted_name(part: Part) -> bool:
    """*Альбом «Покой»* → *альбом*: a name in quotes right after its noun."""
    first, tokens = part.first, part.tree.tokens
    return first >= 2 and tokens[first - 1].text in ("«", '"', "„", "“") and tokens[first - 2].pos == "NOUN"


def first_clause(part: Part) -> bool:
    """The clause that opens the sentence is the main one, whatever the parser makes of it."""
    tokens = (part.tree.tokens[j] for j in part.words)
    verbal = (t.pos in ("VERB", "AUX") or t.feats.get("Variant") == "Short" for t in tokens)
    return part.first == 0 and part.rel in ("conj", "parataxis", "appos", "nmod", *_ON_NOUNS) and any(verbal)


def connector(part: Part) -> bool:
    """*…, в результате он не смог*: what ties two clauses after a comma."""
    return (
        part.rel in ("advmod", "obl", "parataxis", "discourse")
        and part.i < part.head
        and part.before(1) in ([","], [";"], ["—"])
        and part.above_rel in ("conj", "parataxis", "root", "advcl")
        and any(t.feats.get("VerbForm") == "Fin" for t in part.tree.tokens[: part.first])
    )


def bare_object(part: Part) -> bool:
    """A noun after a verb with no preposition is its object, whatever the parser calls it: *дал игре 9 баллов*."""
    return (
        part.rel in ("obl", "iobj", "nmod")
        and part.i > part.head
        and part.above.pos in ("VERB", "AUX")
        and part.token.pos in ("NOUN", "PROPN", "NUM", "SYM", "PRON")
        and part.token.feats.get("Case") in ("Acc", "Gen", "Dat", "Nom", None)
        and not part.has("case")
    )


def glued(part: Part) -> bool:
    """Written together with what stays, as in an address, a path or *и/или*."""
    tokens = part.tree.tokens
    first, last = part.tree.span(part.i)
    if first and tokens[first - 1].stop == tokens[first].start and tokens[first - 1].text not in _OPENING:
        return True
    touched = last + 1 < len(tokens) and tokens[last].stop == tokens[last + 1].start
    return touched and tokens[last + 1].text not in _CLOSING


def abbreviation(part: Part) -> bool:
    """*На ул. Ленина* → *Ленина*: a shortened word goes with the name after it."""
    tokens = part.tree.tokens
    _, last = part.tree.span(part.i)
    stop = next((j for j in (last, last + 1) if j < len(tokens) and tokens[j].text == "."), len(tokens))
    return stop + 1 < len(tokens) and tokens[stop + 1].pos != "PUNCT"


def open_clause(part: Part) -> bool:
    """A clause that begins at a comma but does not end at one: the parser has missed a part of it."""
    tokens = part.tree.tokens
    first, last = part.tree.span(part.i)
    if part.i in part.tree.brackets or last + 1 >= len(tokens) or tokens[last + 1].pos in ("PUNCT", "CCONJ"):
        return False
    commas = [j for j in range(first, last + 1) if tokens[j].text == ","]
    if commas and any(t.feats.get("VerbForm") == "Fin" for t in tokens[commas[-1] : last + 1]):
        return True
    clause = part.rel in ("advcl", "parataxis", "conj", *_ON_NOUNS)
    return clause and first > 0 and tokens[first - 1].text == ","


def opens_clause(part: Part) -> bool:
    """*Ввиду того что …*: the conjunction goes on after it."""
    stop = part.tree.span(part.i)[1] + 1
    after = [token.text.lower() for token in part.tree.tokens[stop : stop + 2]]
    following = after[1:] if after[:1] == [","] else after[:1]
    loose = part.rel in ("advmod", "obl", "nmod", "mark", "discourse", "det")
    return loose and not {"что", "как", "чтобы", "чем"}.isdisjoint(following)


def postposed(part: Part) -> bool:
    """*Пассат, сильный зимой и слабый летом*: an adjective after its noun says something of it."""
    after_comma = part.i > 0 and part.tree.tokens[part.i - 1].text == ","
    return part.rel == "amod" and (part.i > part.head or after_comma)


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
    bare_object,
    glued,
    abbreviation,
    open_clause,
    opens_clause,
    postposed,
    quoted_name,
    *protected_meaning.RULES,
)


def protected_by(tree: RepairedTree, i: int, valency: RussianValency) -> str:
    """Name of the first rule that keeps the subtree of i, or an empty string where it may go."""
    part = Part(tree, i, valency)
    return next((rule.__name__ for rule in RULES if rule(part)), "")
