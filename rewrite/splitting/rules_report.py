"""Rules of what somebody says: it is not parted from who says it."""

from __future__ import annotations

from rewrite.splitting.clauses import top
from rewrite.splitting.shared import QUOTES
from rewrite.splitting.split import Split
from rewrite.splitting.words import CLOSING, Words

__all__ = ["cuts_report"]

_SAYING = frozenset("say ask reply tell write add explain answer cry shout whisper think insist read".split())
_REPORTS = frozenset(
    """
    say add reply insist report note suggest claim announce warn argue estimate think believe explain admit state
    predict conclude acknowledge recall write tell
    """.split()
)
_NEED_WHAT_IS_SAID = frozenset("say add reply insist".split())
_TELLING = frozenset("reports says said reported writes wrote".split())
_FEW = 4
_NEAR = 5
"""How far from a quotation the verb that says it may stand."""


def _closes_report(words: Words, split: Split, verb: int) -> bool:
    """Whether what becomes a sentence only tells who said or thought the rest: *It fell, the agency reported.*"""
    if words[verb].pos != "VERB" or words[verb].lemma.lower() not in _REPORTS:
        return False
    if verb + 1 >= split.stop or words[verb + 1].is_mark:
        return True
    # *…, notes Tom Brown, who was there*
    is_set_off = verb == split.begins(words) and split.dropped <= 1 and words[verb - 1].text == ","
    return is_set_off and words[verb + 1].pos in ("PROPN", "PRON", "DET", "NOUN")


def _is_told_behind(words: Words, split: Split) -> bool:
    """Whether who told all of it stands at the end: *It fell and left many dead, officials said.*"""
    for n in split.second:
        is_told = words[n].rel == "parataxis" and words[n].pos == "VERB" and words[n].lemma.lower() in _REPORTS
        first = min(words.subtree(n)[0], n)
        if is_told and 0 <= words[n].head < split.start and first > split.kept and words[first - 1].text == ",":
            return True
    return False


def cuts_report(words: Words, split: Split) -> bool:
    """Who said it stands behind what was said: *"I will go," he said, "at once."*, *It fell, police said on Friday*."""
    head, last = top(words, split.second), words[words.end - 1]
    if split.stop - split.kept <= _FEW and last.lower in _TELLING:
        # *It fell, BBC reports*, of which the parse makes a noun
        return True
    if head >= 0 and (_closes_report(words, split, head) or _waits_for_what_is_said(words, head)):
        return True
    return _is_told_behind(words, split) or _cuts_quotation(words, split) or _leaves_sayer(words, split)


def _waits_for_what_is_said(words: Words, verb: int) -> bool:
    """Whether a verb of saying has nothing behind it that is said."""
    if words[verb].pos != "VERB" or words[verb].lemma.lower() not in _NEED_WHAT_IS_SAID:
        return False
    return not {words[c].rel for c in words.children[verb] if c > verb} & {"ccomp", "obj", "xcomp"}


def _cuts_quotation(words: Words, split: Split) -> bool:
    """Whether a quotation goes on behind who says it: *"We won," said Tom, who ran, "and we are glad."*"""
    return words[0].text in QUOTES and any(words[n].text in QUOTES for n in range(split.kept + 1, split.stop - 1))


def _leaves_sayer(words: Words, split: Split) -> bool:
    """Whether the cut is between what is said and the verb that says it: *Tom added: "I would …*, *"…" said Tom*."""
    before = next((n for n in range(split.start - 1, -1, -1) if words[n].text not in (",", ":")), -1)
    if before < 0:
        return False
    if words[split.kept].text in QUOTES and any(_waits(words, n, before) for n in range(before - _NEAR, before)):
        # *Tom said of it, "We …*
        return True
    if words[before].text in QUOTES | CLOSING:
        return any(_says(words, n) for n in range(split.kept, min(split.kept + _NEAR, split.stop)))
    return _says(words, before) and words[before + 1].is_mark


def _waits(words: Words, verb: int, last: int) -> bool:
    """Whether a verb of saying has nothing behind it, up to a word, that is said."""
    if verb < 0 or not _says(words, verb):
        return False
    return not any(verb < c <= last and words[c].rel in ("ccomp", "obj", "xcomp") for c in words.children[verb])


def _says(words: Words, number: int) -> bool:
    return words[number].pos == "VERB" and words[number].lemma.lower() in _SAYING
