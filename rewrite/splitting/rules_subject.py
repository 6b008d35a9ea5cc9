"""The rule that a second sentence is about what the source is about there: *Mary, who left* → not *He left*."""

from __future__ import annotations

from rewrite.splitting.clauses import has_subject, head_of, shared_subject
from rewrite.splitting.events import RESULTS
from rewrite.splitting.openers import VERB_SLOTS, phrase_slot
from rewrite.splitting.pronouns import is_name, is_person, pronoun_of
from rewrite.splitting.shared import PERSONAL, above
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = ["other_subject"]


def other_subject(words: Words, split: Split) -> bool:
    """The opener names another subject than the one that the verb has in the source: *Mary, who … → He …*."""
    numbers = split.second
    changed = bool(VERB_SLOTS & set(split.opener)) and split.verb >= 0
    head = head_of(words, split)
    if head < 0 or has_subject(words, head, numbers):
        return False
    if changed and words[head].lower == "including":
        # *He went to many events, including a feast*: they did.
        return not {"they", "these", "it"} & set(split.opener) and not phrase_slot(split.opener)
    hangs = words[head].rel in ("acl", "acl:relcl")
    if "this" in split.opener and hangs and pronoun_of(words, words[head].head) == "they":
        return True
    if "this" in split.opener and changed and words[head].lemma.lower() not in RESULTS:
        return True
    said = next((part for part in split.opener if part in PERSONAL), "")
    gone = {words[n].lower for n in range(split.start, split.kept)}
    is_thing = "which" in gone or _is_within_which(words, head)
    if (is_thing and said in ("he", "she")) or ("who" in gone and said == "it"):
        return True
    subject = shared_subject(words, head)
    if not 0 <= subject < split.start:
        return False
    word = words[subject]
    if split.antecedent >= 0 and phrase_slot(split.opener):
        return split.antecedent != subject and words[split.antecedent].head != subject and word.pos != "PRON"
    if not said:
        return False
    if word.lower in PERSONAL:
        return said != word.lower
    if word.pos == "NOUN" and said in ("he", "she") and not (is_person(word.lower) or is_name(words, subject)):
        return True
    fitting = pronoun_of(words, subject)
    return said in ("i", "you", "we") or (bool(fitting) and said != fitting)


def _is_within_which(words: Words, head: int) -> bool:
    """Whether a clause is part of one whose subject is *which*: *a ship, which sank and was raised*."""
    return any(
        words[c].rel == "nsubj" and words[c].lower == "which" for n in above(words, head) for c in words.children[n]
    )
