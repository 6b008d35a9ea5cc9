"""Why a part of a sentence may not be cut out: one named rule per reason.

Each rule is a pure function of the tree and a node and says whether the subtree of that node must stay. They came from
reading outputs: *большая часть территории* → *часть территории* (quantity), *не прибегая к* lost (negation), a verb
without the complement it needs (valency), *по мнению X* lost (attribution).
"""

from __future__ import annotations

from collections.abc import Callable

from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency
from rewrite.generators.edits.wordlists import ATTRIBUTION, CONDITION, COPULAR, NEGATION, PARTIAL_HEAD, QUESTION

__all__ = ["RULES", "protected_by"]

Rule = Callable[[Tree, int, Valency], bool]

REMOVABLE = frozenset(
    """amod advmod nmod obl obl:agent acl acl:relcl advcl appos conj parataxis discourse det iobj vocative
    nummod:entity""".split()
)
_HE = frozenset("он она они его ее её их ему ей им".split())
_CLAUSES = frozenset({"conj", "acl", "acl:relcl", "appos", "advcl", "parataxis", "ccomp"})


def structural(tree: Tree, i: int, valency: Valency) -> bool:
    """Not a kind of dependent that can be left out, or torn apart in the sentence."""
    return tree.heads[i] < 0 or tree.rels[i] not in REMOVABLE or not tree.contiguous(i)


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
    if token.pos in ("ADP", "CCONJ", "SCONJ", "AUX") or token.text.lower() in ("значит", "то", "следовательно"):
        return True
    first = tree.words(i)[0]
    return tree.rels[i] not in ("acl:relcl", "acl", "advcl", "parataxis", "conj") and (
        valency.lemma(token) in QUESTION or valency.lemma(tree.tokens[first]) in QUESTION
    )


def negation(tree: Tree, i: int, valency: Valency) -> bool:
    """Something inside is negated or excluded: leaving it out could turn the meaning round."""
    words = tree.words(i)
    if len(words) > 4 and tree.rels[i] in ("acl:relcl", "acl", "conj", "parataxis", "appos"):
        words = words[:2]
    lemmas = [valency.lemma(tree.tokens[j]) for j in words]
    if any(lemma in NEGATION for lemma in lemmas):
        return True
    # «средства с недоказанной эффективностью» → «средства»
    return tree.rels[i] in ("nmod", "obl") and any(
        lemma.startswith(("не", "без")) and tree.tokens[j].pos == "ADJ" for j, lemma in zip(words, lemmas, strict=True)
    )


def condition(tree: Tree, i: int, valency: Valency) -> bool:
    """A condition or a purpose limits the claim."""
    if any(tree.rels[c] == "mark" and tree.lower(c) in CONDITION for c in tree.children[i]):
        return True
    opening = [tree.lower(j) for j in tree.words(i)[:2]]
    return tree.rels[i] in ("advcl", "obl") and (opening[0] in CONDITION | {"при"} or opening == ["в", "случае"])


def attribution(tree: Tree, i: int, valency: Valency) -> bool:
    """Without *по словам X* a report becomes a fact."""
    if tree.rels[i] == "parataxis" and any(tree.tokens[j].text in '«»"' for j in tree.subtree(i)):
        return True
    words = [valency.lemma(tree.tokens[j]) for j in tree.words(i)[:3]]
    if words[:2] in (["с", "точка"], ["по", "мнение"], ["на", "взгляд"]):
        return True
    return (
        bool(words)
        and words[0] in ("по", "согласно", "как", "под")
        and (words[0] in ("согласно", "как") or any(w in ATTRIBUTION for w in words))
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


def contrast(tree: Tree, i: int, valency: Valency) -> bool:
    """*Для гражданских дел, но не для уголовных*: the second half answers the first."""
    words = tree.words(i)
    after = [tree.lower(j) for j in range(words[-1] + 1, min(words[-1] + 4, len(tree)))]
    before = [tree.lower(j) for j in range(max(0, words[0] - 6), words[0])]
    return (
        (after[:2] in ([",", "но"], [",", "а"]) and "не" in after)
        or (tree.rels[i] == "conj" and "не" in before and tree.lower(words[0]) in ("а", "но"))
        or bool({"чем", "нежели", "реже", "чаще"} & set(after[:2]))
        # «От восхищения до пренебрежения»
        or (tree.lower(words[0]) in ("до", "по", "в") and bool({"от", "с", "из"} & set(before)) and _range(tree, i))
    )


def _range(tree: Tree, i: int) -> bool:
    head = tree.heads[i]
    return any(
        c < i and c != i and any(tree.lower(p) in ("от", "с", "со", "из") for p in tree.children[c])
        for c in (*tree.children[head], head)
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
    return (
        tree.rels[i] in ("appos", "nmod")
        and tree.tokens[i].pos == "PROPN"
        and words[0] == tree.heads[i] + 1
        and (tree.tokens[words[0]].feats.get("Case") != "Gen")
    )


def counted(tree: Tree, i: int, valency: Valency) -> bool:
    """What a quantity word counts: *больше доказательств*, *несколько человек*."""
    first = tree.words(i)[0]
    if first and tree.lower(first - 1) in ("более", "менее", "около", "свыше", "почти", "больше", "меньше", "примерно"):
        return True
    return tree.tokens[tree.heads[i]].pos in ("ADV", "NUM", "DET", "PRON", "SYM") and tree.rels[i] != "advmod"


def plural_subject(tree: Tree, i: int, valency: Valency) -> bool:
    """Cutting half of a coordinated subject would break agreement, and half of a pair its sense."""
    head = tree.heads[i]
    if tree.rels[i] != "conj" or head < 0:
        return False
    siblings = [c for c in tree.children[head] if tree.rels[c] == "conj"]
    nominative = tree.tokens[head].pos in ("NOUN", "PROPN", "PRON") and tree.tokens[head].feats.get("Case") == "Nom"
    if nominative and tree.tokens[head].feats.get("Number") != "Plur" and len(siblings) < 2:
        return True
    before = [tree.lower(j) for j in range(max(0, min(tree.words(head)) - 3), i)]
    if any(w in ("между", "как", "оба", "обе", "либо", "ни", "или", "столько") for w in before):
        return True
    return any(tree.tokens[j].pos == "NUM" for j in tree.children[head])


def partial_head(tree: Tree, i: int, valency: Valency) -> bool:
    """*Часть*, *половина*, *уровень* … mean nothing without what they are of."""
    if tree.rels[i] not in ("nmod", "amod", "acl"):
        return False
    return valency.lemma(tree.tokens[tree.heads[i]]) in PARTIAL_HEAD


def adjective_complement(tree: Tree, i: int, valency: Valency) -> bool:
    """*Признан виновным в убийстве* → *признан виновным*."""
    head = tree.heads[i]
    return tree.tokens[head].pos == "ADJ" and i > head and tree.rels[i] in ("obl", "nmod", "iobj", "advmod")


def quoted_name(tree: Tree, i: int, valency: Valency) -> bool:
    """*Альбом «Покой»* → *альбом*: a name in quotes right after its noun."""
    first = tree.words(i)[0]
    return first >= 2 and tree.tokens[first - 1].text in ("«", '"', "„", "“") and tree.tokens[first - 2].pos == "NOUN"


def figure(tree: Tree, i: int, valency: Valency) -> bool:
    """A number or an ordinal alone: *со счётом 4:0* → *со счётом*, *в седьмой раз* → *в раз*."""
    token = tree.tokens[i]
    if (tree.rels[i] == "amod" and valency.ordinal(token)) or token.pos == "NUM" or token.text[:1].isdigit():
        return i not in tree.brackets
    return all(tree.tokens[j].pos == "NUM" or tree.tokens[j].text[:1].isdigit() for j in tree.words(i)) and (
        i not in tree.brackets
    )


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
    inside = any(t.text == ":" for t in tree.tokens[first : last + 1])
    return inside and any(t.pos != "PUNCT" for t in tree.tokens[last + 1 :])


def restrictive_clause(tree: Tree, i: int, valency: Valency) -> bool:
    """A clause on *тот*, *первый*, *единственный* says which one is meant."""
    if tree.rels[i] not in ("acl", "acl:relcl"):
        return False
    head = tree.heads[i]
    token = tree.tokens[head]
    return token.pos in ("PRON", "DET") or tree.limited(head)


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


def modifier_of_counted(tree: Tree, i: int, valency: Valency) -> bool:
    """*50 тысяч человек старше ста лет* → *50 тысяч человек*: the number was of those only."""
    head = tree.heads[i]
    return tree.rels[i] in ("nmod", "acl", "acl:relcl", "amod") and (
        tree.child(head, "nummod", "nummod:gov") is not None
        or (head > 0 and (tree.tokens[head - 1].pos == "NUM" or tree.tokens[head - 1].text == "."))
    )


def antecedent(tree: Tree, i: int, valency: Valency) -> bool:
    """The name that a pronoun in the rest stands for: *когда Толстой приехал, он ответил*."""
    inside = set(tree.subtree(i))
    named = any(tree.tokens[j].pos == "PROPN" or tree.start_in_entity(j) is not None for j in inside)
    return (
        named
        and tree.rels[i] in ("advcl", "acl:relcl", "parataxis", "conj")
        and any(j not in inside and tree.lower(j) in _HE and j > i for j in range(len(tree)))
    )


def postposed(tree: Tree, i: int, valency: Valency) -> bool:
    """*Пассат, сильный зимой и слабый летом*: an adjective after its noun says something of it."""
    return tree.rels[i] == "amod" and i > tree.heads[i]


def predicative(tree: Tree, i: int, valency: Valency) -> bool:
    """*Стала российской*: what something becomes or is."""
    token = tree.tokens[i]
    if token.feats.get("Case") != "Ins" or tree.child(i, "case") is not None:
        return False
    return any(valency.lemma(tree.tokens[j]) in COPULAR for j in range(max(0, i - 4), i))


def exclusive(tree: Tree, i: int, valency: Valency) -> bool:
    """*Исключительно через функции доступа*: without it the claim is of all."""
    return tree.rels[i] not in ("conj", "parataxis", "advcl") and any(
        tree.lower(j) in ("только", "лишь", "исключительно", "именно") for j in tree.words(i)
    )


def topic(tree: Tree, i: int, valency: Valency) -> bool:
    """What is spoken of: *заявил о намерении уйти* → *заявил*."""
    return tree.tokens[tree.heads[i]].pos in ("VERB", "NOUN", "ADJ") and any(
        tree.rels[c] == "case" and tree.lower(c) in ("о", "об", "обо") for c in tree.children[i]
    )


RULES: tuple[Rule, ...] = (
    structural,
    torn_punctuation,
    clause_without_marker,
    function_word,
    negation,
    condition,
    attribution,
    name_part,
    cuts_quotation,
    contrast,
    dash_predicate,
    name_apposition,
    counted,
    figure,
    first_clause,
    connector,
    colon,
    restrictive_clause,
    bare_object,
    modifier_of_counted,
    antecedent,
    postposed,
    predicative,
    exclusive,
    topic,
    partial_head,
    adjective_complement,
    quoted_name,
    plural_subject,
)


def protected_by(tree: Tree, i: int, valency: Valency) -> str:
    """Name of the first rule that keeps the subtree of i, or an empty string where it may go."""
    return next((rule.__name__ for rule in RULES if rule(tree, i, valency)), "")
