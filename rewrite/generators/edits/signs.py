"""Signs that a cut may hurt the sense or the style.

`protect` and `protected_meaning` forbid; these rules are features by which `edit_acceptance` has learnt how often
readers pass a cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rewrite.generators.edits.clause_grammar import LISTS, SUBJECTS
from rewrite.generators.edits.edit import Part, Rule
from rewrite.generators.valency import LIMITS

_DEGREE = LISTS.words("degree")
_FREQUENCY = LISTS.words("frequency")
_HEDGES = LISTS.sequence("hedges")
_LIGHT_VERBS = LISTS.words("light verbs")
_PLAIN_ADJECTIVES = LISTS.words("plain adjectives")
_PRIVATIVE = LISTS.words("privative")
_VAGUE_NOUNS = LISTS.words("vague nouns")
_OBLIQUE = ("obl", "obl:agent", "iobj")
_ON_NOUNS = ("acl", "acl:relcl")
_AFTER_VERBS = (*_OBLIQUE, "nmod", "advmod", "advcl")
_COMPLEMENTS = (*_OBLIQUE, "obj", "nmod", "xcomp", "ccomp", "csubj", "advmod", *SUBJECTS)
_PREFIXES = ("не", "без", "бес", "анти", "лже", "псевдо", "квази", "экс-", "полу", "само")
_VERBAL_NOUNS = ("ние", "тие", "ция", "зия", "сть", "ка")
_ALMOST_ALWAYS = 0.5
_SELDOM_BARE = 0.15


def _degree(part: Part) -> bool:
    alone = len(part.words) <= 2 or part.rel in ("advmod", "discourse", "det", "amod", "obl")
    compared = part.token.feats.get("Degree") in ("Cmp", "Sup")
    return alone and (part.lemma in _DEGREE or part.tree.word(part.i) in _DEGREE or compared)


def _restrictive_adjective(part: Part) -> bool:
    token = part.token
    return part.rel in ("amod", "det") and (
        part.lemma in _PRIVATIVE
        or token.text.lower().startswith(_HEDGES)
        or part.lemma.startswith(_PREFIXES)
        or token.text[:1].isupper()
        or any(c.isdigit() for c in token.text)
        or token.pos not in ("ADJ", "VERB", "DET")
        or part.above.pos == "PROPN"
    )


def _last_complement(part: Part) -> bool:
    above = part.above
    if part.rel not in _AFTER_VERBS or part.i < part.head:
        return False
    if above.feats.get("Variant") == "Short":
        return True
    if above.pos not in ("VERB", "AUX") and not (above.pos == "ADJ" and part.above_rel in ("acl", "root", "conj")):
        return False
    after = [c for c in part.siblings(*_COMPLEMENTS) if c > part.head]
    return after[:1] == [part.i] and part.valency.bare(part.tree, part.head) < _SELDOM_BARE


def _verbal_noun_object(part: Part) -> bool:
    of_verbal_noun = part.rel == "nmod" and part.above_lemma.endswith(_VERBAL_NOUNS)
    return of_verbal_noun and part.token.feats.get("Case") == "Gen" and not part.has("case")


def _frequency_adverb(part: Part) -> bool:
    return len(part.words) <= 2 and (part.lemma in _FREQUENCY or part.tree.word(part.i) in _FREQUENCY)


def _bare_plural_clause(part: Part) -> bool:
    others = [c for c in part.siblings("amod", "nmod", "det", "nummod", "nummod:gov") if c != part.i]
    return part.rel in _ON_NOUNS and part.above.feats.get("Number") == "Plur" and not others


def _shared_modifier(part: Part) -> bool:
    tree = part.tree
    return (
        part.rel == "conj"
        and part.above_rel not in ("root", "conj", "ccomp", "parataxis", "advcl", "acl:relcl")
        and any(tree.rels[c] in ("nmod", "obl", "obj", *_ON_NOUNS) and c > part.i for c in tree.children[part.i])
    )


def _predicate_modifier(part: Part) -> bool:
    if part.rel not in ("amod", "nmod", *_ON_NOUNS):
        return False
    verb = part.tree.heads[part.head]
    said = part.above_rel in ("obj", "xcomp", "obl") and verb >= 0
    return part.above_rel == "root" or (said and part.valency.lemma(part.tree.tokens[verb]) in _LIGHT_VERBS)


def _first_complement(part: Part) -> bool:
    if part.rel not in _AFTER_VERBS or part.i < part.head or part.above.pos not in ("VERB", "AUX", "ADJ"):
        return False
    children, rels = part.tree.children[part.head], part.tree.rels
    return [c for c in children if c > part.head and rels[c] not in ("punct", "cc")][:1] == [part.i]


def _later_complement(part: Part) -> bool:
    return part.rel in _OBLIQUE and part.i > part.head and not _first_complement(part)


def _setting_before_verb(part: Part) -> bool:
    if part.rel not in ("obl", "nmod", "advmod", "iobj") or part.i > part.head or part.above.pos not in ("VERB", "ADJ"):
        return False
    subject = part.tree.child(part.head, *SUBJECTS)
    return subject is None or subject > part.head


def _second_predicate(part: Part) -> bool:
    verb = part.token.pos in ("VERB", "AUX") or part.has(*SUBJECTS, "cop")
    return part.rel in ("conj", "parataxis") and verb


def _half_of_pair(part: Part) -> bool:
    after_colon = any(token.text == ":" for token in part.tree.tokens[: part.i])
    return part.rel == "conj" and (len(part.siblings("conj")) < 2 or after_colon)


SIGNS: Mapping[str, Rule] = MappingProxyType(
    {
        # Adverbs of degree, certainty, exclusion and frequency change what is claimed.
        "degree": _degree,
        # Without them the noun means something else.
        "restrictive_adjective": _restrictive_adjective,
        # The verb would stand with nothing after it: *партия сместилась.*, *сведения, полученные,*.
        "last_complement": _last_complement,
        # *Снижение проблем* → *снижение*: a noun made from a verb needs its object.
        "verbal_noun_object": _verbal_noun_object,
        # The head is seldom seen without such a dependent.
        "required_by_head": lambda part: part.valency.need(part.tree, part.i) > _ALMOST_ALWAYS,
        # Adjectives of places and people say which one is meant: *латиноамериканское общество*.
        "geographic_adjective": lambda part: part.rel == "amod" and part.lemma.endswith("ский"),
        # Only adjectives of size, force and praise say little: *шоковая реклама*, *лыжные гонки* name a kind.
        "telling_adjective": lambda part: part.rel == "amod" and part.lemma not in _PLAIN_ADJECTIVES,
        # What a participle or a relative clause says: *пришедших до переселения* → *пришедших*.
        "inside_clause": lambda part: part.above_rel in (*_ON_NOUNS, "advcl") and part.rel in (*_OBLIQUE, "advmod"),
        # A noun as general as *сторона*, *процесс*, *средство* says little without its adjective.
        "vague_noun": lambda part: part.rel == "amod" and part.above_lemma in _VAGUE_NOUNS,
        # *Высказывает отрицательное отношение*: the adjective is what the sentence says.
        "predicate_modifier": _predicate_modifier,
        # *Обычно*, *часто*, *полностью*: the claim becomes a little broader.
        "frequency_adverb": _frequency_adverb,
        # *Компании, которые только выходят на рынок*: a clause on a bare plural says which ones are meant.
        "bare_plural_clause": _bare_plural_clause,
        # A participial or relative clause: what it adds may be the point.
        "set_off_clause": lambda part: part.rel in _ON_NOUNS,
        # *Когда …*, *хотя …*: a circumstance that limits the claim a little.
        "clause_of_time": lambda part: part.rel == "advcl",
        # The head often has such a dependent.
        "usual_complement": lambda part: part.valency.need(part.tree, part.i) > LIMITS.get(part.rel, 1.1),
        # The first thing said after the verb.
        "first_complement": _first_complement,
        # Something more said after the verb: often the news of the sentence.
        "later_complement": _later_complement,
        # *В тропиках господствует пассат*: where the verb comes before its subject, what stands first is the theme.
        "setting_before_verb": _setting_before_verb,
        # *Подписали соглашение о мире*, *обращает внимание на…*: what the object is about is what was done.
        "object_modifier": lambda part: (
            part.rel == "nmod" and part.i > part.head and part.above_rel == "obj" and part.has("case")
        ),
        # What something is of: *риск провала*, *доллары северных штатов*.
        "genitive_modifier": lambda part: part.rel == "nmod" and not part.has("case"),
        # *Фон для развития наук*, *доминанты с высоты*.
        "prepositional_modifier": lambda part: part.rel == "nmod" and part.has("case"),
        # *Суд совещался и признал его виновным* → *суд совещался*: the last verb is often the point.
        "second_predicate": _second_predicate,
        # One of two members, or a member of a list after a colon.
        "half_of_pair": _half_of_pair,
        # *Выдвинул свою кандидатуру* → *выдвинул кандидатуру*: whose?
        "own": lambda part: part.lemma in ("свой", "его", "ее", "их"),
        # A modifier of the last member of a list often belongs to all: *закупки и продажи зерна*.
        "shared_modifier": _shared_modifier,
    }
)
"""What a cut may hurt, by name; the acceptance model knows them in this order."""
