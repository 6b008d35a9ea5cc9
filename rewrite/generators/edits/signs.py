"""Signs that a cut may hurt the sense or the style.

`protect` and `meaning` forbid; these rules are features by which `acceptance` has learnt how often readers pass a cut.
"""

from __future__ import annotations

from collections.abc import Callable

from rewrite.generators.edits.tree import Tree
from rewrite.generators.edits.valency import Valency
from rewrite.generators.edits.wordlists import (
    DEGREE,
    FREQUENCY,
    HEDGES,
    LIGHT_VERBS,
    PLAIN_ADJECTIVES,
    PRIVATIVE,
    VAGUE_NOUNS,
)

__all__ = ["RULES"]

Rule = Callable[[Tree, int, Valency], bool]

_COMPLEMENTS = frozenset(
    {"obj", "iobj", "obl", "obl:agent", "nmod", "xcomp", "ccomp", "csubj", "advmod", "nsubj", "nsubj:pass"}
)
_ALMOST_ALWAYS = 0.5
_SELDOM_BARE = 0.15


def degree(tree: Tree, i: int, valency: Valency) -> bool:
    """Adverbs of degree, certainty, exclusion and frequency change what is claimed."""
    lemma = valency.lemma(tree.tokens[i])
    alone = len(tree.words(i)) <= 2
    return (alone or tree.rels[i] in ("advmod", "discourse", "det", "amod", "obl")) and (
        lemma in DEGREE or tree.lower(i) in DEGREE or tree.tokens[i].feats.get("Degree") in ("Cmp", "Sup")
    )


def restrictive_adjective(tree: Tree, i: int, valency: Valency) -> bool:
    """Adjectives without which the noun means something else."""
    if tree.rels[i] not in ("amod", "det"):
        return False
    token, head = tree.tokens[i], tree.tokens[tree.heads[i]]
    lemma = valency.lemma(token)
    return (
        lemma in PRIVATIVE
        or tree.lower(i).startswith(HEDGES)
        or lemma.startswith(("не", "без", "бес", "анти", "лже", "псевдо", "квази", "экс-", "полу", "само"))
        or token.text[:1].isupper()
        or any(c.isdigit() for c in token.text)
        or token.pos not in ("ADJ", "VERB", "DET")
        or head.pos == "PROPN"
    )


def last_complement(tree: Tree, i: int, valency: Valency) -> bool:
    """The verb or participle would stand with nothing after it: *партия сместилась.*, *сведения, полученные,*."""
    head = tree.heads[i]
    token = tree.tokens[head]
    if tree.rels[i] not in ("obl", "obl:agent", "iobj", "nmod", "advmod", "advcl") or i < head:
        return False
    if token.feats.get("Variant") == "Short":
        return True
    if token.pos not in ("VERB", "AUX") and not (token.pos == "ADJ" and tree.rels[head] in ("acl", "root", "conj")):
        return False
    after = [c for c in tree.children[head] if c > head and tree.rels[c] in _COMPLEMENTS]
    return bool(after) and after[0] == i and valency.bare(token) < _SELDOM_BARE


def verbal_noun_object(tree: Tree, i: int, valency: Valency) -> bool:
    """*Снижение проблем* → *снижение*: a noun made from a verb needs its object."""
    head = tree.heads[i]
    return (
        tree.rels[i] == "nmod"
        and valency.lemma(tree.tokens[head]).endswith(("ние", "тие", "ция", "зия", "сть", "ка"))
        and tree.tokens[i].feats.get("Case") == "Gen"
        and tree.child(i, "case") is None
    )


def required_by_head(tree: Tree, i: int, valency: Valency) -> bool:
    """The head is seldom seen without such a dependent."""
    return valency.need(tree, i) > _ALMOST_ALWAYS


def geographic_adjective(tree: Tree, i: int, valency: Valency) -> bool:
    """Adjectives of places and people say which one is meant: *латиноамериканское общество*."""
    return tree.rels[i] == "amod" and valency.lemma(tree.tokens[i]).endswith("ский")


def vague_noun(tree: Tree, i: int, valency: Valency) -> bool:
    """A noun as general as *сторона*, *процесс*, *средство* says little without its adjective."""
    return tree.rels[i] == "amod" and valency.lemma(tree.tokens[tree.heads[i]]) in VAGUE_NOUNS


def frequency_adverb(tree: Tree, i: int, valency: Valency) -> bool:
    """*Обычно*, *часто*, *полностью*: the claim becomes a little broader."""
    return len(tree.words(i)) <= 2 and (valency.lemma(tree.tokens[i]) in FREQUENCY or tree.lower(i) in FREQUENCY)


def bare_plural_clause(tree: Tree, i: int, valency: Valency) -> bool:
    """*Компании, которые только выходят на рынок*: a clause on a bare plural says which ones are meant."""
    if tree.rels[i] not in ("acl", "acl:relcl"):
        return False
    head = tree.heads[i]
    modifiers = ("amod", "nmod", "det", "nummod", "nummod:gov")
    others = [c for c in tree.children[head] if c != i and tree.rels[c] in modifiers]
    return tree.tokens[head].feats.get("Number") == "Plur" and not others


def usual_complement(tree: Tree, i: int, valency: Valency) -> bool:
    """The head often has such a dependent."""
    return valency.need(tree, i) > valency.limit(tree.rels[i])


def shared_modifier(tree: Tree, i: int, valency: Valency) -> bool:
    """A modifier of the last member of a list often belongs to all: *закупки и продажи зерна*."""
    head = tree.heads[i]
    return (
        tree.rels[i] == "conj"
        and tree.rels[head] not in ("root", "conj", "ccomp", "parataxis", "advcl", "acl:relcl")
        and any(tree.rels[c] in ("nmod", "obl", "obj", "acl", "acl:relcl") and c > i for c in tree.children[i])
    )


def telling_adjective(tree: Tree, i: int, valency: Valency) -> bool:
    """Only adjectives of size, force and praise say little: *шоковая реклама*, *лыжные гонки* name a kind."""
    return tree.rels[i] == "amod" and valency.lemma(tree.tokens[i]) not in PLAIN_ADJECTIVES


def inside_clause(tree: Tree, i: int, valency: Valency) -> bool:
    """What a participle or a relative clause says: *пришедших до переселения* → *пришедших*."""
    head = tree.heads[i]
    return tree.rels[head] in ("acl", "acl:relcl", "advcl") and tree.rels[i] in ("obl", "obl:agent", "iobj", "advmod")


def predicate_modifier(tree: Tree, i: int, valency: Valency) -> bool:
    """*Высказывает отрицательное отношение*: the adjective is what the sentence says."""
    if tree.rels[i] not in ("amod", "acl", "acl:relcl", "nmod"):
        return False
    head = tree.heads[i]
    if tree.rels[head] in ("obj", "xcomp", "root", "obl") and tree.heads[head] >= 0:
        verb = valency.lemma(tree.tokens[tree.heads[head]])
    else:
        verb = ""
    return verb in LIGHT_VERBS or tree.rels[head] == "root"


def object_modifier(tree: Tree, i: int, valency: Valency) -> bool:
    """*Подписали соглашение о мире*, *обращает внимание на…*: what the object is about is what was done."""
    head = tree.heads[i]
    return tree.rels[i] == "nmod" and i > head and tree.rels[head] == "obj" and tree.child(i, "case") is not None


def genitive_modifier(tree: Tree, i: int, valency: Valency) -> bool:
    """What something is of: *риск провала*, *доллары северных штатов*."""
    return tree.rels[i] == "nmod" and tree.child(i, "case") is None


def prepositional_modifier(tree: Tree, i: int, valency: Valency) -> bool:
    """*Фон для развития наук*, *доминанты с высоты*."""
    return tree.rels[i] == "nmod" and tree.child(i, "case") is not None


def first_complement(tree: Tree, i: int, valency: Valency) -> bool:
    """The first thing said after the verb."""
    head = tree.heads[i]
    if tree.rels[i] not in ("obl", "obl:agent", "iobj", "nmod", "advcl", "advmod") or i < head:
        return False
    if tree.tokens[head].pos not in ("VERB", "AUX", "ADJ"):
        return False
    after = [c for c in tree.children[head] if c > head and tree.rels[c] not in ("punct", "cc")]
    return bool(after) and after[0] == i


def later_complement(tree: Tree, i: int, valency: Valency) -> bool:
    """Something more said after the verb: often the news of the sentence."""
    return tree.rels[i] in ("obl", "obl:agent", "iobj") and i > tree.heads[i] and not first_complement(tree, i, valency)


def setting_before_verb(tree: Tree, i: int, valency: Valency) -> bool:
    """*В тропиках господствует пассат*: where the verb comes before its subject, what stands first is the theme."""
    head = tree.heads[i]
    if (
        tree.rels[i] not in ("obl", "nmod", "advmod", "iobj")
        or i > head
        or tree.tokens[head].pos not in ("VERB", "ADJ")
    ):
        return False
    subject = tree.child(head, "nsubj", "nsubj:pass")
    return subject is None or subject > head


def second_predicate(tree: Tree, i: int, valency: Valency) -> bool:
    """*Суд совещался и признал его виновным* → *суд совещался*: the last verb is often the point."""
    token = tree.tokens[i]
    return tree.rels[i] in ("conj", "parataxis") and (
        token.pos in ("VERB", "AUX") or tree.child(i, "nsubj", "nsubj:pass", "cop") is not None
    )


def half_of_pair(tree: Tree, i: int, valency: Valency) -> bool:
    """One of two members, or a member of a list after a colon."""
    head = tree.heads[i]
    members = [c for c in tree.children[head] if tree.rels[c] == "conj"]
    return tree.rels[i] == "conj" and (len(members) < 2 or any(t.text == ":" for t in tree.tokens[:i]))


def own(tree: Tree, i: int, valency: Valency) -> bool:
    """*Выдвинул свою кандидатуру* → *выдвинул кандидатуру*: whose?"""
    return valency.lemma(tree.tokens[i]) in ("свой", "его", "ее", "их")


def clause_of_time(tree: Tree, i: int, valency: Valency) -> bool:
    """*Когда …*, *хотя …*: a circumstance that limits the claim a little."""
    return tree.rels[i] == "advcl"


def set_off_clause(tree: Tree, i: int, valency: Valency) -> bool:
    """A participial or relative clause: what it adds may be the point."""
    return tree.rels[i] in ("acl", "acl:relcl")


RULES: tuple[Rule, ...] = (
    degree,
    restrictive_adjective,
    last_complement,
    verbal_noun_object,
    required_by_head,
    geographic_adjective,
    telling_adjective,
    inside_clause,
    vague_noun,
    predicate_modifier,
    frequency_adverb,
    bare_plural_clause,
    set_off_clause,
    clause_of_time,
    usual_complement,
    first_complement,
    later_complement,
    setting_before_verb,
    object_modifier,
    genitive_modifier,
    prepositional_modifier,
    second_predicate,
    half_of_pair,
    own,
    shared_modifier,
)
