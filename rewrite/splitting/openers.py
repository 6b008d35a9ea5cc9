"""How a sentence that was cut off begins: openers from a closed list, with slots for what is said again."""

from __future__ import annotations

from collections.abc import Sequence

from rerank.english.forms import base, past, third_person
from rewrite.splitting.phrases import FORMS, phrase
from rewrite.splitting.words import Words

__all__ = ["BASE", "PAST", "PHRASE_SLOTS", "PRESENT", "VERB_SLOTS", "opening", "phrase_slot"]

BASE, PAST, PRESENT = "<base>", "<past>", "<present>"
VERB_SLOTS = frozenset({BASE, PAST, PRESENT})
PHRASE_SLOTS = tuple(f"<{form}>" for form in FORMS)


def phrase_slot(opener: Sequence[str]) -> str:
    """The form of the phrase that an opener says again, empty where it says none."""
    return next((part[1:-1] for part in opener if part in PHRASE_SLOTS), "")


def opening(words: Words, opener: Sequence[str], antecedent: int, verb: int) -> tuple[str, ...] | None:
    """The words of an opener, its slots filled from the source; `None` where the source has nothing that fits."""
    found: list[str] = []
    for part in opener:
        if part in PHRASE_SLOTS:
            again = phrase(words, antecedent, part[1:-1]) if antecedent >= 0 else None
            if again is None:
                return None
            first = again.numbers[0]
            keeps_case = words[first].pos == "PROPN" or _keeps_case(words, first)
            text = words.join(again.numbers)
            text = text if keeps_case else text[:1].lower() + text[1:]
            found += ["the", text] if again.the else [text]
        elif part in VERB_SLOTS:
            if verb < 0 or words[verb].pos != "VERB":
                return None
            lemma = base(words[verb].lower, words[verb].lemma.lower())
            form = lemma if part == BASE else past(lemma) if part == PAST else third_person(lemma)
            if form == words[verb].lower:
                # Nothing changes: the verb need not be dropped, and rules would look for it behind the opener.
                return None
            found.append(form)
        else:
            found.append("I" if part == "i" else part)
    return tuple(found)


def _keeps_case(words: Words, number: int) -> bool:
    """Whether a word has its capital for itself and not for standing at the beginning of the sentence: also *VCJ*."""
    text = words[number].text
    return text[:1].isupper() and (number > 0 or text[1:2].isupper())
