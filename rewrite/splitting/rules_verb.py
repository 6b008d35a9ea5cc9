"""Rules of the verb of a second sentence: it is finite, has its object, and keeps tense and voice."""

from __future__ import annotations

from rewrite.splitting.clauses import (
    finite,
    has_subject,
    is_joined_infinitive,
    is_order,
    is_past,
    is_progressive,
    main_clause,
    top,
)
from rewrite.splitting.events import INTRANSITIVE, TRANSITIVE, happened, share_with_object
from rewrite.splitting.forms import base, past
from rewrite.splitting.openers import PAST, PRESENT, VERB_SLOTS
from rewrite.splitting.shared import BE, RELATIVES, brings_verb, opens_with_subject
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = ["begins_without", "changes_voice", "lacks_object", "lacks_verb", "runs_on", "shared_rest", "slips_tense"]

_LASTING = frozenset("located situated based called known named owned bordered surrounded headquartered".split())
"""Participles that tell what is so as long as what they are said of is so."""
_OFTEN, _MOSTLY = 0.55, 0.7
"""How often a verb has an object that is a passive where it has none: one tagged as a participle, any other."""
_MAIN = frozenset({"root", "conj", "parataxis", "xcomp"})
_PRESENT_BE = frozenset({"is", "are"})
_PAST_BE = frozenset({"was", "were"})


def lacks_object(words: Words, split: Split) -> bool:
    """A participle that needs an object became a past: *a cup, held in May* → *It held in May*."""
    head = top(words, split.second)
    if head < 0 or brings_verb(split) or not opens_with_subject(split):
        return False
    lemma = base(words[head].lower, words[head].lemma.lower())
    if lemma in ("call", "dub", "title") and words[head].rel == "acl":
        # *a province called Rome* → *It called Rome*
        return True
    is_first = all(words[n].pos == "ADV" for n in range(split.begins(words), head))
    if not (lemma in TRANSITIVE or _is_passive(words, head, lemma)) or words[head].lower != past(lemma) or not is_first:
        return False
    return not any(words[c].rel.split(":")[0] in ("obj", "ccomp", "xcomp", "iobj", "aux") for c in words.children[head])


def _is_passive(words: Words, verb: int, lemma: str) -> bool:
    """Whether a verb in *-ed* is a passive by what it asks for, and by how it was tagged or what it is joined to."""
    governor = words[verb].head
    is_joined = words[verb].rel == "conj" and any(
        words[c].rel == "aux" and words[c].lower in BE | {"be", "been"} for c in words.children[governor]
    )
    least = _MOSTLY if is_joined else _OFTEN if words[verb].feature("VerbForm") == "Part" else 2.0
    return share_with_object(lemma) >= least


def begins_without(words: Words, split: Split) -> bool:
    """What nothing is put before has no subject or no finite verb: *At first refuses*, *Amy admitting it*."""
    head, begins = top(words, split.second), split.begins(words)
    if split.opener or head < 0 or words[head].pos != "VERB" or is_order(words):
        return False
    if words[head].lower.endswith("ing") and not finite(words, head):
        return True
    before = (words[n].pos for n in range(begins, head))
    is_bare = finite(words, head) and not any(pos in ("NOUN", "PROPN", "PRON", "NUM", "DET") for pos in before)
    return is_bare and not has_subject(words, head, split.second)


def lacks_verb(words: Words, split: Split) -> bool:
    """A subject is put before what is no finite verb: *the lyrics, reflecting …* → *The lyrics reflecting …*."""
    head, begins = top(words, split.second), split.begins(words)
    if not opens_with_subject(split) or brings_verb(split):
        return False
    first = next((n for n in range(begins, split.stop) if words[n].pos != "ADV"), begins)
    if words[first].pos == "VERB" and words[first].lower.endswith("ing") and not finite(words, first):
        return True
    if is_joined_infinitive(words, first):
        # *The goal was to take Rome and hold Paris* → *It hold Paris*
        return True
    if head < 0 or words[head].rel != "conj" or finite(words, head, split.second):
        return False
    # *to the right and left of it* → *They left of it*
    return words[words[head].head].pos in ("NOUN", "PROPN", "ADJ", "ADV", "NUM")


def runs_on(words: Words, split: Split) -> bool:
    """The main verb goes with a clause about its subject: *monks who lived there brewed* → *They lived … brewed*."""
    if not any(words[n].lower in RELATIVES for n in range(split.start, split.kept)):
        return False
    inside, head = split.second, top(words, split.second)
    return any(
        n > head
        and _is_main_verb(words, n)
        and not has_subject(words, n, inside)
        and not any(words[m].is_mark or words[m].pos in ("CCONJ", "SCONJ") for m in range(head + 1, n))
        for n in inside
    )


def _is_main_verb(words: Words, number: int) -> bool:
    """Whether a verb is finite and of a main clause, or was taken for a participle though it has an object."""
    word = words[number]
    if word.pos != "VERB":
        return False
    if word.rel == "advcl" and word.lower.endswith("ed"):
        return any(words[c].rel == "obj" for c in words.children[number])
    return word.rel in _MAIN and word.feature("VerbForm") == "Fin"


def shared_rest(words: Words, split: Split) -> bool:
    """Two verbs share what stands behind the second: *The game was developed and published by Disney*."""
    head = top(words, split.second)
    if head < 0 or words[head].rel != "conj" or words[head].pos != "VERB" or has_subject(words, head, split.second):
        return False
    last = next((n for n in range(split.start - 1, -1, -1) if not words[n].is_mark), -1)
    if last != words[head].head or words[last].pos != "VERB":
        return False
    rest = {words[c].rel for c in words.children[head] if c > head}
    by = any(words[n].lower == "by" for c in words.children[head] for n in words.children[c])
    return by or "obj" in rest


def slips_tense(words: Words, split: Split) -> bool:
    """The opener tells in another tense: *It was a town. It is built in 1820*; *It is a town. It was near Rome*."""
    head = top(words, split.second)
    main = main_clause(words, head) if head >= 0 else -1
    if main < 0:
        return False
    now, then = bool(_PRESENT_BE & set(split.opener)), bool(_PAST_BE & set(split.opener))
    if now == then:
        return _puts_verb_in_other_tense(words, split, main) or _leaves_passive(words, split, head)
    if words[head].lower in _LASTING or any(words[c].lower in ("will", "'ll") for c in words.children[main]):
        # *It is a school. It was located in Rome*; *It will take place in May. It was produced by Tom*
        return now is is_past(words, main)
    if now:
        return is_past(words, main) or (words[head].pos == "VERB" and happened(words, head))
    if is_past(words, main):
        return False
    # *It is a town. It was founded in 1820*: a participle may tell what was done before; not *She is caught and fined*.
    is_joined = words[head].rel == "conj" and any(words[c].lower in _PRESENT_BE for c in words.children[main])
    return words[head].pos != "VERB" or (is_joined and main == words[head].head)


def _leaves_passive(words: Words, split: Split, head: int) -> bool:
    """Whether a participle joined to a passive of now becomes a past: *She is caught and fined* → *She fined.*"""
    governor = words[head].head
    if words[head].rel != "conj" or words[head].feature("VerbForm") != "Part" or finite(words, head, split.second):
        return False
    return opens_with_subject(split) and any(words[c].lower in _PRESENT_BE for c in words.children[governor])


def _puts_verb_in_other_tense(words: Words, split: Split, main: int) -> bool:
    """Whether the opener gives a verb another tense than the main verb has: *is singing, making plans → It made*."""
    if split.verb < 0:
        return False
    if VERB_SLOTS & set(split.opener) and is_progressive(words, main):
        return True
    return (PRESENT if is_past(words, main) else PAST) in split.opener


def changes_voice(words: Words, split: Split) -> bool:
    """A passive became active, or the reverse: *driven by Tom* → *He drove by Tom*, *and ruled* → *It is ruled*."""
    head = top(words, split.second)
    is_opened = bool(BE & set(split.opener)) and "because" not in split.opener
    if is_opened and head >= 0 and words[head].lower.endswith("ed") and _has_no_passive(words, head):
        return True
    if head == split.begins(words) and is_opened:
        governor = words[head].head
        is_joined = words[head].rel == "conj" and words[head].feature("VerbForm") == "Fin" and governor >= 0
        # Where the verb that it is joined to is a passive the tagger took a participle for a past.
        if is_joined and finite(words, governor) and not any(words[c].rel == "aux" for c in words.children[governor]):
            return words[governor].pos == "VERB"
    if split.verb < 0 or not VERB_SLOTS & set(split.opener):
        return False
    verb = words[split.verb]
    return verb.feature("VerbForm") == "Part" and not verb.lower.endswith("ing")


def _has_no_passive(words: Words, verb: int) -> bool:
    return base(words[verb].lower, words[verb].lemma.lower()) in INTRANSITIVE and not any(
        words[c].rel == "compound" for c in words.children[verb]
    )
