"""Rules of how a split should look, by its parse: subjects, verbs, tenses, pronouns, what hangs across the cut."""

from __future__ import annotations

from rewrite.splitting.clauses import (
    clause_subject,
    crossing,
    finite,
    has_subject,
    head_of,
    hides_verb,
    is_order,
    is_subordinate,
    main_clause,
    top,
    tops,
)
from rewrite.splitting.kinds import is_person
from rewrite.splitting.openers import BASE, PRESENT, phrase_slot
from rewrite.splitting.phrases import phrase
from rewrite.splitting.pronouns import is_name, pronoun_of
from rewrite.splitting.shared import (
    MODALS,
    PLURAL,
    POSSESSIVE,
    SINGULAR,
    above,
    brings_verb,
    opens_with_subject,
)
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = [
    "bare_noun",
    "disagrees",
    "fragment",
    "loses_relative",
    "no_subject",
    "one_of_list",
    "swallows",
    "torn",
    "two_subjects",
    "two_verbs",
    "unclear",
    "under_report",
]

_RELATIVISERS = frozenset({"who", "which", "that", "whose", "whom", "where"})
_POINTING = frozenset({"this", "these", "that", "those"})
_MAY_MEAN_MORE = frozenset({"he", "she", "it", "they"}) | _POINTING


def no_subject(words: Words, split: Split) -> bool:
    """The second sentence has no subject, or no finite verb."""
    numbers = split.second
    head = top(words, numbers)
    if head < 0:
        return True
    subject = opens_with_subject(split) or has_subject(words, head, numbers)
    verb = finite(words, head, numbers) or brings_verb(split)
    first = words[split.begins(words)]
    if not split.opener and is_order(words) and first.pos == "VERB" and first.lower == first.lemma.lower():
        return False
    return not (subject and verb)


def two_subjects(words: Words, split: Split) -> bool:
    """The opener brings a subject, and the clause behind it has one."""
    if {"because", "there"} & set(split.opener):
        # *This was because he …*, *There he …*
        return False
    numbers = split.second
    head = top(words, numbers)
    return head >= 0 and opens_with_subject(split) and has_subject(words, head, numbers)


def two_verbs(words: Words, split: Split) -> bool:
    """The opener brings a finite verb, and the clause behind it has one of its own."""
    numbers = split.second
    head = top(words, numbers)
    brings = brings_verb(split)
    if head < 0 or "because" in split.opener:
        return False
    own = finite(words, head, numbers) and (
        words[head].pos in ("VERB", "AUX")
        or any(split.kept <= c < split.stop and words[c].rel == "cop" for c in words.children[head])
    )
    return brings and own


def disagrees(words: Words, split: Split) -> bool:
    """The opener's pronoun is singular and the verb plural, or the other way round."""
    subject = _number_of(words, split)
    if not subject or MODALS & set(split.opener):
        return False
    if any(part in ("are", "were", "have", "do", BASE) for part in split.opener):
        return subject in SINGULAR
    if any(part in ("is", "was", "has", "does", PRESENT) for part in split.opener):
        return subject in PLURAL
    verb = _first_finite(words, split)
    if verb is None:
        return False
    word = words[verb]
    is_bare = verb == split.kept and word.pos == "VERB" and word.lower == word.lemma.lower()
    is_plural = word.lower in ("are", "were", "have", "do") or (
        (word.feature("Number") == "Plur" and word.feature("Tense") == "Pres")
        or (is_bare and (word.feature("Tense") == "Pres" or word.feature("VerbForm") == "Inf"))
    )
    is_singular = word.lower in ("is", "was", "has", "does") or (
        word.feature("Number") == "Sing" and word.feature("Person") == "3" and word.feature("Tense") == "Pres"
    )
    return is_plural if subject in SINGULAR else is_singular


def _number_of(words: Words, split: Split) -> str:
    """A pronoun of the number that the opener's subject has; empty where that is not known."""
    if not opens_with_subject(split):
        return ""
    if phrase_slot(split.opener):
        noun = words[split.antecedent]
        if noun.pos != "NOUN":
            return "they" if pronoun_of(words, split.antecedent) == "they" else ""
        return {"Plur": "they", "Sing": "it"}.get(noun.feature("Number"), "")
    return next((part for part in split.opener if part in SINGULAR | PLURAL), "")


def fragment(words: Words, split: Split) -> bool:
    """What stays as the first sentence has no finite verb with a subject, or hangs as a clause on what went."""
    rest = split.first(words)
    head = top(words, rest)
    if split.lead or split.gone or hides_verb(words, rest):
        return False
    if head < 0 or not finite(words, head):
        return True
    is_clause = words[head].rel in ("acl", "acl:relcl", "ccomp", "csubj") or (
        # A clause before another is taken for its adverb, though nothing in it says so.
        words[head].rel == "advcl" and (is_subordinate(words, head) or not has_subject(words, head, rest))
    )
    return is_clause or not has_subject(words, head, rest)


def under_report(words: Words, split: Split) -> bool:
    """What is cut off was part of what somebody says or thinks: *I think he left and he sold it*."""
    head = top(words, split.second)
    if head < 0 or words[head].rel != "conj":
        return False
    return any(words[n].rel in ("ccomp", "xcomp") for n in [words[head].head, *above(words, words[head].head)])


def _first_finite(words: Words, split: Split) -> int | None:
    head = top(words, split.second)
    if head < 0:
        return None
    near = [
        c for c in words.children[head] if split.kept <= c < split.stop and words[c].rel in ("aux", "cop", "aux:pass")
    ]
    return min(near) if near else head


def loses_relative(words: Words, split: Split) -> bool:
    """A relative pronoun goes that was no subject, or whose sentence gets no subject for it."""
    gone = [n for n in range(split.start, split.kept) if words[n].lower in _RELATIVISERS]
    for number in gone:
        relation = words[number].rel.split(":")[0]
        if words[number].lower == "whose":
            return not set(split.opener) & POSSESSIVE
        if words[number].lower == "where":
            # The place is lost, unless something says it again.
            return not {"there", "in"} & set(split.opener) and words.lower_at(number + 1) != "there"
        if relation == "nsubj" and not opens_with_subject(split):
            return True
        if relation in ("obj", "obl", "nmod", "iobj"):
            # *…, during which* → *During this time*
            return words[number - 1].pos != "ADP" or words[number - 1].lower not in split.opener
    return False


def bare_noun(words: Words, split: Split) -> bool:
    """A noun is said again without its article: *a mason and lay preacher, who …* → *Preacher became …*."""
    if phrase_slot(split.opener) != "full" or split.opener[0] != "<full>" or split.antecedent < 0:
        return False
    noun, own = words[split.antecedent], words.children[split.antecedent]
    if noun.pos != "NOUN":
        return False
    if noun.feature("Number") == "Plur":
        return phrase(words, split.antecedent, "definite") is not None
    return not any(words[c].rel in ("det", "nmod:poss", "nummod") or words[c].lower in POSSESSIVE for c in own)


def unclear(words: Words, split: Split) -> bool:
    """A pronoun for a noun that is not the subject may be read as the subject: *Ann met Eve, who … → She …*."""
    said = next((part for part in split.opener if part in _MAY_MEAN_MORE), "")
    if phrase_slot(split.opener) or not said or not opens_with_subject(split):
        return False
    subject = _rival(words, split)
    if subject < 0:
        return False
    if said in _POINTING:
        # *He lives in Rome. This is a city*: nobody is a city.
        return pronoun_of(words, subject) not in ("he", "she") and words[subject].lower not in ("i", "we", "you")
    return _may_mean(words, subject, said)


def one_of_list(words: Words, split: Split) -> bool:
    """The noun that is said again is one of several before *which*: *a demo and two albums, which …*."""
    if split.antecedent < 0 or not phrase_slot(split.opener):
        return False
    if not any(words[n].lower in _RELATIVISERS for n in range(split.start, split.kept)):
        return False
    own = words.children[split.antecedent]
    return any(words[c].rel == "conj" and words[c].pos in ("NOUN", "PROPN") and c < split.start for c in own)


def _rival(words: Words, split: Split) -> int:
    """The subject of the first sentence, where what is cut off hangs on another noun of it; −1 elsewhere."""
    head = head_of(words, split)
    if head < 0 or words[head].rel not in ("acl:relcl", "acl", "appos"):
        return -1
    noun, main = words[head].head, main_clause(words, head)
    if not 0 <= noun < split.start or main in (-1, noun):
        return -1
    subject = clause_subject(words, main)
    is_place = any(words[c].lower in ("in", "at", "on", "near", "from") for c in words.children[noun])
    if (words[noun].pos == "NOUN" or is_place) and any(words[c].rel == "cop" for c in words.children[main]):
        # *It was a tank of the war, which was sold*: a reader takes *it* for the tank, and is mostly right.
        return -1
    return -1 if subject in (-1, noun) or words[subject].rel == "expl" else subject


def _may_mean(words: Words, noun: int, pronoun: str) -> bool:
    """Whether a reader may take a personal pronoun for a noun."""
    known = pronoun_of(words, noun)
    if known:
        return pronoun == known
    is_human = is_name(words, noun) or is_person(words[noun].lower)
    return pronoun == "it" or (is_human and pronoun in ("he", "she"))


def swallows(words: Words, split: Split) -> bool:
    """A clause joined to the first sentence goes with a part of it: *the house built. By Tom, and she left*."""
    numbers = split.second
    head = top(words, numbers)
    return any(
        n != head and words[n].rel == "conj" and finite(words, n) and has_subject(words, n, numbers)
        for n in tops(words, numbers)
        if n > head
    )


def torn(words: Words, split: Split) -> bool:
    """The cut goes through a phrase: more words hang across it than the head of what is cut off."""
    return not (split.lead or split.gone) and crossing(words, split.second, range(split.start, split.kept)) > 1
