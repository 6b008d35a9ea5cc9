"""The guard of a split: nothing is added that the source does not say, and nothing is dropped that it does."""

from __future__ import annotations

import re
from collections import Counter

from rerank.english.facts.guard_words import DENYING
from rerank.english.forms import past, third_person
from rerank.guard import Violation
from rewrite.splitting.parsed_words import Words

FUNCTION_WORDS = frozenset(
    """
    a an the and or but nor so yet for of in on at by to from with as into onto than then also too he she it they we
    i you him her them us me his its their our your my this that these those there here who whom whose which where
    when while whereas although though however therefore thus hence moreover furthermore additionally addition
    instead still now such one some others both another each be is are was were am been being have has had having do
    does did will would 's 've 're 'd 'm s because since
    """.split()
)
"""Words that say nothing by themselves: they may be dropped, put in or repeated."""
# Of *at that time*, *during this time* and *meanwhile* for *while*: may be put in, not left out.
_PUT_IN = frozenset({"time", "meanwhile"})
_WORD = re.compile(r"n['’]t\b|['’]\w+|\w+(?:[.,]\d+)*|[%$€£¥°]")
_NUMBER = re.compile(r"\d")


def _words(text: str) -> list[str]:
    text = re.sub(r"(?<=\w)(?=n['’]t\b)", " ", text.lower())
    return [word.replace("’", "'") for word in _WORD.findall(text)]


def check(source: Words, candidate: str) -> list[Violation]:
    """What a candidate, its sentences in one text, adds to its source or leaves out of it; empty if nothing.

    Numbers, names, denials and all content words are counted: none may be fewer than in the source, none may be there
    that the source does not have. Words may be repeated but for denials. A verb may change into its past or its third
    person. A line that says nothing (*It is.*) may not be there unless its words stand so in the source. Kinds:
    `number`, `name`, `negation`, `dropped`, `invented`.
    """
    before, after = Counter(_words(source.text)), Counter(_words(candidate))
    verbs = {form: word.lower for word in source.tokens if word.pos == "VERB" for form in _forms(word.lemma.lower())}
    names = {word.lower for word in source.tokens if word.pos == "PROPN"}
    violations: list[Violation] = []
    changed = Counter(verbs[word] for word in after if word not in before and word in verbs)
    for word, count in before.items():
        missing = count - after[word] - changed[word]
        if missing > 0 and (word not in FUNCTION_WORDS or _denies(word)):
            violations.append(Violation(_kind(word, names, "dropped"), word, f"drops {word!r}"))
    for word, count in after.items():
        if _denies(word) and count > before[word]:
            violations.append(Violation("negation", word, f"denies once more with {word!r}"))
        elif word not in before and word not in FUNCTION_WORDS | _PUT_IN and word not in verbs:
            violations.append(Violation(_kind(word, names, "invented"), word, f"adds {word!r}"))
    text = f" {' '.join(_words(source.text))} "
    for line in candidate.split("\n"):
        words = _words(line)
        if words and FUNCTION_WORDS.issuperset(words) and f" {' '.join(words)} " not in text:
            violations.append(Violation("invented", line, f"{line!r} says nothing"))
    return violations


def _denies(word: str) -> bool:
    return word.replace("'", "") in DENYING


def _forms(lemma: str) -> tuple[str, str]:
    return past(lemma), third_person(lemma)


def _kind(word: str, names: set[str], other: str) -> str:
    if _NUMBER.search(word):
        return "number"
    if _denies(word):
        return "negation"
    return "name" if word in names else other
