"""A last look at which words are left: signs that a cut followed a wrong parse."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from rewrite.generators.edits.tree import Tree

__all__ = ["RULES", "inconsistency"]

_PREPOSITIONAL = frozenset(
    "включая исключая согласно благодаря вопреки подобно наподобие вследствие ввиду насчёт насчет".split()
)
_MEASURES = frozenset(
    """размером высотой длиной шириной площадью весом массой глубиной толщиной объемом объёмом стоимостью численностью
    мощностью возрастом вместимостью протяженностью протяжённостью продолжительностью диаметром скоростью""".split()
)
_SHORTENED = frozenset("в вв г гг тыс млн млрд руб".split())
_NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET", "X", "SYM", "VERB", "ADV")
Rule = Callable[[Tree, Collection[int]], bool]


def _next(tree: Tree, gone: Collection[int], i: int) -> int | None:
    return next((j for j in range(i + 1, len(tree)) if j not in gone), None)


def lone_preposition(tree: Tree, gone: Collection[int]) -> bool:
    """A preposition, or a word like *включая*, that is no longer followed by its noun phrase."""
    for i in range(len(tree) - 1):
        if tree.lower(i) in _PREPOSITIONAL and i not in gone and i + 1 in gone:
            return True
    for i, token in enumerate(tree.tokens):
        if token.pos != "ADP" or i in gone or (i + 1 < len(tree) and i + 1 not in gone):
            continue
        j = _next(tree, gone, i)
        head = tree.heads[i]
        if j is not None and i + 1 < len(tree):
            case = tree.tokens[i + 1].feats.get("Case")
            if case is not None and tree.tokens[j].feats.get("Case") not in (case, None):
                return True
        if j is None or tree.tokens[j].pos not in _NOMINAL or head in gone or j not in tree.subtree(head):
            return True
    return False


def lone_conjunction(tree: Tree, gone: Collection[int]) -> bool:
    """A conjunction whose second part went, or that now meets another one or a punctuation mark."""
    for i, token in enumerate(tree.tokens):
        if token.pos not in ("CCONJ", "SCONJ") or i in gone:
            continue
        j = _next(tree, gone, i)
        if j is None or tree.heads[i] in gone:
            return True
        if j != i + 1 and (tree.tokens[j].pos in ("CCONJ", "PUNCT", "SCONJ") or tree.heads[i] < i):
            return True
    return False


def lone_genitive(tree: Tree, gone: Collection[int]) -> bool:
    """A genitive right after a noun that went: it belonged to that noun, whatever the parser says."""
    for j, token in enumerate(tree.tokens):
        if j in gone or j == 0 or j - 1 not in gone or token.feats.get("Case") != "Gen":
            continue
        if token.pos in ("NOUN", "PROPN", "ADJ", "DET") and tree.tokens[j - 1].pos in ("NOUN", "PROPN", "ADJ", "NUM"):
            return True
    return False


def lone_adjective(tree: Tree, gone: Collection[int]) -> bool:
    """An adjective whose noun went."""
    for i, token in enumerate(tree.tokens):
        if i in gone or token.pos not in ("ADJ", "DET", "NUM", "VERB") or i + 1 >= len(tree) or i + 1 not in gone:
            continue
        noun = tree.tokens[i + 1]
        if noun.pos in ("NOUN", "PROPN") and noun.feats.get("Case") == token.feats.get("Case") and "Case" in noun.feats:
            return True
    return False


def lost_predicate(tree: Tree, gone: Collection[int]) -> bool:
    """Every finite verb went though there was one."""
    finite = [i for i, t in enumerate(tree.tokens) if t.feats.get("VerbForm") == "Fin"]
    return bool(finite) and all(i in gone for i in finite)


def _halved(tree: Tree, gone: Collection[int], i: int) -> bool:
    # «Появляются тошнота [и рвота]», whatever the parser joined.
    token = tree.tokens[i]
    if i in gone or i + 1 not in gone or token.feats.get("Case") != "Nom" or token.feats.get("Number") != "Sing":
        return False
    if token.pos not in ("NOUN", "PROPN") or tree.lower(i + 1) not in ("и", ","):
        return False
    near = [t for j, t in enumerate(tree.tokens[max(0, i - 4) : i + 12], max(0, i - 4)) if j not in gone]
    verbs = [t for t in near if t.feats.get("VerbForm") == "Fin"]
    return len(verbs) == 1 and verbs[0].feats.get("Number") == "Plur"


def lone_subject(tree: Tree, gone: Collection[int]) -> bool:
    """A plural predicate whose coordinated subject has shrunk to one noun in the singular."""
    for i, token in enumerate(tree.tokens):
        head = tree.heads[i]
        if _halved(tree, gone, i):
            return True
        if (
            i in gone
            or tree.rels[i] not in ("nsubj", "nsubj:pass")
            or token.feats.get("Number") != "Sing"
            or head in gone
        ):
            continue
        members = [c for c in tree.children[i] if tree.rels[c] == "conj"]
        if members and all(c in gone for c in members) and tree.tokens[head].feats.get("Number") == "Plur":
            return True
    return False


def bare_verb(tree: Tree, gone: Collection[int]) -> bool:
    """A verb, participle or short adjective whose next word went and that now meets a mark or a conjunction."""
    for i, token in enumerate(tree.tokens[:-1]):
        if i in gone or i + 1 not in gone or token.pos not in ("VERB", "AUX", "ADJ"):
            continue
        if token.pos == "ADJ" and token.feats.get("Variant") != "Short" and tree.lower(i - 1) != ",":
            continue
        if tree.tokens[i + 1].pos in ("PUNCT", "CCONJ", "SCONJ"):
            continue
        j = _next(tree, gone, i)
        if j is None or tree.tokens[j].pos in ("PUNCT", "CCONJ", "SCONJ"):
            return True
    return False


def lost_subject(tree: Tree, gone: Collection[int]) -> bool:
    """A noun in the nominative went inside something that has no verb of its own: it was the subject of what stays."""
    if _verb_alone(tree, gone):
        return True
    for i in gone:
        token = tree.tokens[i]
        if token.pos not in ("NOUN", "PROPN", "PRON") or token.feats.get("Case") != "Nom" or tree.quote_depth(i):
            continue
        top = i
        while tree.heads[top] in gone:
            top = tree.heads[top]
        inside = tree.subtree(top)
        has_verb = any(tree.tokens[k].feats.get("VerbForm") == "Fin" for k in inside)
        if tree.rels[top] in ("obl", "nmod", "amod", "advmod", "acl", "advcl") and not has_verb:
            return True
    return False


def nothing_left(tree: Tree, gone: Collection[int]) -> bool:
    """Fewer than four words, or than a third, of a longer sentence."""
    words = [i for i, t in enumerate(tree.tokens) if t.pos != "PUNCT"]
    left = sum(i not in gone for i in words)
    return left < len(words) and (left < min(4, len(words) - 1) or 3 * left < len(words))


def torn_preposition(tree: Tree, gone: Collection[int]) -> bool:
    """A preposition went, but the noun after the cut was its noun: *в позднее Средневековье* → *Средневековье*."""
    for i in gone:
        if tree.tokens[i].pos != "ADP":
            continue
        j = i + 1
        while j in gone and tree.tokens[j].pos not in ("NOUN", "PROPN", "PRON", "NUM", "X", "SYM"):
            j += 1
        if j < len(tree) and j not in gone and tree.tokens[j].pos in ("NOUN", "PROPN", "ADJ", "NUM", "PRON"):
            return True
    return False


def lone_correlative(tree: Tree, gone: Collection[int]) -> bool:
    """*И для одного, и для другого* cut after its first *и*."""
    for i, token in enumerate(tree.tokens[:-1]):
        if i in gone or i + 1 not in gone or token.text.lower() not in ("и", "ни", "как", "либо", "так", "или", "то"):
            continue
        j = _next(tree, gone, i)
        if j is None or tree.heads[i] in gone or not (tree.heads[i] == j or j in tree.subtree(tree.heads[i])):
            return True
    return False


def _verb_alone(tree: Tree, gone: Collection[int]) -> bool:
    # «[Разгневанный Карл] решил»: a name or noun in the nominative went, and a verb without a subject follows at once.
    for i in gone:
        token = tree.tokens[i]
        if token.pos not in ("NOUN", "PROPN") or token.feats.get("Case") != "Nom" or i + 1 >= len(tree):
            continue
        j = _next(tree, gone, i)
        if j is None or tree.tokens[j].feats.get("VerbForm") != "Fin" or any(k not in gone for k in range(i + 1, j)):
            continue
        subjects = [c for c in tree.children[j] if tree.rels[c] in ("nsubj", "nsubj:pass") and c not in gone]
        if not subjects and tree.tokens[j].feats.get("Number") == token.feats.get("Number"):
            return True
    return False


def lost_conjunction(tree: Tree, gone: Collection[int]) -> bool:
    """A conjunction went with what stood before it though its own part stays."""
    return any(tree.tokens[i].pos == "CCONJ" and i + 1 < len(tree) and i + 1 not in gone for i in gone)


def torn_name(tree: Tree, gone: Collection[int]) -> bool:
    """One word of a name of several words in capitals or in Latin letters went."""
    for i in range(1, len(tree)):
        pair = tree.tokens[i - 1], tree.tokens[i]
        if (i in gone) == (i - 1 in gone) or not all(t.text[:1].isupper() or t.text.isascii() for t in pair):
            continue
        if i > 1 and all(t.text[:1].isalnum() for t in pair) and pair[0].pos != "ADP":
            return True
    return False


def bare_measure(tree: Tree, gone: Collection[int]) -> bool:
    """*Размером всего в несколько километров* → *размером*."""
    return any(tree.lower(i - 1) in _MEASURES and i - 1 not in gone for i in gone if i)


def lone_abbreviation(tree: Tree, gone: Collection[int]) -> bool:
    """*С начала XVIII в. в связи …* → *в. из-за …*: the numeral went and its shortened noun stayed."""
    return any(
        tree.lower(i) in _SHORTENED and i not in gone and i - 1 in gone and tree.tokens[i + 1].text == "."
        for i in range(1, len(tree) - 1)
    )


def halved_participles(tree: Tree, gone: Collection[int]) -> bool:
    """*Нарушения, [укоренившиеся …] и продолжающиеся …*: the second clause is left with its «и»."""
    for i in gone:
        feats = tree.tokens[i].feats
        after = (j for j in range(i + 1, len(tree)) if j not in gone and tree.tokens[j].pos != "PUNCT")
        joint = next(after, None)
        if feats.get("VerbForm") != "Part" or joint is None or tree.lower(joint) not in ("и", "или", "а"):
            continue
        other = next((j for j in after if tree.lower(j) != "также"), None)
        if other is not None and _same_form(feats, tree.tokens[other].feats):
            return True
    return False


def _same_form(mine: Mapping[str, str], other: Mapping[str, str]) -> bool:
    # The tagger takes one for the other: *помогающий* may be either.
    alike = {mine.get("Case"), other.get("Case")} <= {"Nom", "Acc"}
    return (alike or mine.get("Case") == other.get("Case")) and all(
        mine.get(k) == other.get(k) for k in ("VerbForm", "Number")
    )


RULES: tuple[Rule, ...] = (
    lone_preposition,
    lone_conjunction,
    lone_genitive,
    lone_adjective,
    lone_subject,
    lost_predicate,
    bare_verb,
    lost_subject,
    nothing_left,
    torn_preposition,
    lone_correlative,
    lost_conjunction,
    torn_name,
    bare_measure,
    lone_abbreviation,
    halved_participles,
)


def inconsistency(tree: Tree, gone: Collection[int]) -> str:
    """Name of the first sign of a wrong cut, or an empty string."""
    return next((rule.__name__ for rule in RULES if rule(tree, gone)), "")
