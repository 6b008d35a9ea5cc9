"""Good sentences broken on purpose, in the few ways in which halves of a split are: each takes a parsed sentence.

A way need not always break what it is given: of those in `DOUBTFUL` the parse of what came out is asked, too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType

from rerank.english.forms import base, third_person
from rewrite.splitting.parsed_words import PERSONAL, Words
from training.records import WORDS
from training.whole.sentences import ADVERBS, clauses, is_contiguous, lowered, render, subject_of

Way = Callable[[Words, random.Random], str | None]
"""The broken sentence; `None` where the way does not go for this one."""
_CONJUNCTIONS = frozenset({"and", "or", "but", "nor", "so", "yet"})
_ALONE = (
    "So that|While|Because|Although|When|Where|Whereas|Until|Since|If|As|After which|During which|From where|In which"
    "|After|Before|Even though|Such that|Whose|That|With|For which|Despite"
).split("|")
_PRONOUNS = "It He She They We".split()
_RELATIVISERS = frozenset({"which", "who", "whom", "whose"})
_WITH_VERB = "It is|It was|He was|They were|This is|There was|He also|They also|He then|It has|He had".split("|")
_LEFT_OPEN = frozenset("det case aux aux:pass cop mark cc nmod:poss nsubj nsubj:pass".split())
"""Relations of words behind which what they hang on has to follow."""
_SINGULAR, _PLURAL = "is was has does".split(), "are were have do".split()
_SWAPPED = dict(zip(_SINGULAR + _PLURAL, _PLURAL + _SINGULAR, strict=True))
_EITHER, _TRANSITIVE = WORDS.words("either number"), WORDS.words("transitive")


def fragment(words: Words, rng: random.Random) -> str | None:
    """The end of a sentence that holds no clause: *He was a chemist at Yale* → *A chemist at Yale .*"""
    numbers = _end(words, rng)
    return render(words, numbers) if numbers else None


def _end(words: Words, rng: random.Random) -> list[int]:
    """Words up to the end, or to a later comma, that hold no clause; mostly from a mark or a conjunction on."""
    marked = [n for n in range(2, words.end - 1) if words[n - 1].is_mark or words[n - 1].lower in _CONJUNCTIONS]
    if words.end < 5:
        return []
    start = rng.choice(marked) if marked and rng.random() < 0.6 else rng.randrange(2, words.end - 1)
    numbers = list(range(start, words.end))
    commas = [n for n in numbers[4:] if words[n].text == ","]
    if commas and rng.random() < 0.35:
        numbers = list(range(start, rng.choice(commas)))
    while numbers and (words[numbers[0]].lower in _CONJUNCTIONS or words[numbers[0]].is_mark):
        numbers.pop(0)
    return numbers if len(numbers) > 1 and not clauses(words, numbers) else []


def misfit(words: Words, rng: random.Random) -> str | None:
    """Such an end, or a whole sentence, behind a beginning that does not fit: *He at Yale .*, *It was he left .*"""
    numbers = _end(words, rng)
    if not numbers:
        begins = words[0].lower in PERSONAL or words[0].pos in ("DET", "PROPN")
        items = [*rng.choice((*_PRONOUNS, *_WITH_VERB)).split(), lowered(words), *range(1, words.end)]
        return render(words, items) if begins else None
    first = words[numbers[0]]
    openers = list(ADVERBS)
    if first.lower in _RELATIVISERS:
        openers = [*_PRONOUNS, *_WITH_VERB]
    elif first.pos not in ("VERB", "AUX", "ADV"):
        openers += _PRONOUNS
    return render(words, [*rng.choice(openers).split(), *numbers])


def subordinate(words: Words, rng: random.Random) -> str | None:
    """All of a sentence behind *so that*, or *which* for its subject."""
    subject = next((subject_of(words, n) for n in clauses(words, range(words.end))), -1)
    numbers = words.subtree(subject) if subject >= 0 else []
    if numbers and numbers[0] == 0 and is_contiguous(numbers) and rng.random() < 0.4:
        return render(words, [rng.choice(("Which", "Who")), *range(numbers[-1] + 1, words.end)])
    if words[0].rel in ("mark", "cc") or words[0].is_mark:
        return None
    return render(words, [*rng.choice(_ALONE).split(), lowered(words), *range(1, words.end)])


def broken_off(words: Words, rng: random.Random) -> str | None:
    """A beginning that ends where a phrase or a clause has only begun: *It was in Rome , and the gate .*"""
    ends = [n for n in range(2, words.end - 1) if words[n].rel in _LEFT_OPEN and words[n].head > n]
    return render(words, list(range(rng.choice(ends) + 1))) if ends else None


def torn(words: Words, rng: random.Random) -> str | None:
    """A sentence without some words behind one that they have to follow: *He met the of the city .*"""
    gaps = [
        (start, stop)
        for start in range(1, words.end - 1)
        for stop in range(start + 1, min(start + 6, words.end))
        if words[start - 1].rel in ("det", "case", "nmod:poss")
        and start <= words[start - 1].head < stop
        and (words[stop].pos in ("ADP", "AUX", "VERB", "CCONJ") or words[stop].is_mark)
    ]
    start, stop = rng.choice(gaps) if gaps else (0, 0)
    return render(words, [*range(start), *range(stop, words.end)]) if gaps else None


def incomplete(words: Words, rng: random.Random) -> str | None:
    """A sentence whose clause lacks its subject or its verb: *Was born in Rome .*, *The compounds in water .*"""
    runs = []
    for clause in clauses(words, range(words.end)):
        subject = words.subtree(subject_of(words, clause))
        runs += [run for run in (subject, [_verb_of(words, clause)]) if is_contiguous(run) and run[0] >= 0]
    gone = rng.choice(runs) if runs else ()
    return render(words, [n for n in range(words.end) if n not in gone]) if gone else None


def active(words: Words, rng: random.Random) -> str | None:
    """A passive without its auxiliary: *It founded in 1895 .*, *The house sold by Tom .*"""
    verbs = []
    for clause in clauses(words, range(words.end)):
        verb = _verb_of(words, clause)
        by = any(words[n].lower == "by" for c in words.children[clause] for n in words.children[c] if c > clause)
        is_passive = words[clause].feature("VerbForm") == "Part" and words[verb].lemma == "be"
        if is_passive and not words[clause].lower.endswith("ing") and (by or words[clause].lemma in _TRANSITIVE):
            verbs.append(verb)
    gone = rng.choice(verbs) if verbs else -1
    return render(words, [n for n in range(words.end) if n != gone]) if verbs else None


def disagreeing(words: Words, rng: random.Random) -> str | None:
    """*It were*, *They gives*, *He have*."""
    changes = []
    for clause in clauses(words, range(words.end)):
        subject, verb = subject_of(words, clause), _verb_of(words, clause)
        if verb < 0 or subject > verb or words[subject].lower in _EITHER:
            continue
        form, lemma = words[verb].lower, base(words[verb].lower, words[verb].lemma.lower())
        other = {lemma: third_person(lemma), third_person(lemma): lemma}.get(form)
        if form in _SWAPPED:
            changes.append((verb, _SWAPPED[form]))
        elif other and words[verb].pos == "VERB" and words[verb].feature("Tense") == "Pres":
            changes.append((verb, other))
    if not changes:
        return None
    n, other = rng.choice(changes)
    return render(words, [*range(n), other, *range(n + 1, words.end)])


def doubled(words: Words, rng: random.Random) -> str | None:
    """*However however the sturgeon is larger .*, *It was was found .*"""
    n = rng.choice((0, rng.randrange(max(1, words.end))))
    if not words[n].text.isalpha() or words[n].pos in ("NUM", "PROPN") or words[n].lower in ("had", "that", "very"):
        return None
    return render(words, [*range(n + 1), words[n].text if n else lowered(words), *range(n + 1, words.end)])


def _verb_of(words: Words, clause: int) -> int:
    """The finite verb of a clause, −1 without one."""
    near = [clause, *(c for c in words.children[clause] if words[c].rel.split(":")[0] in ("aux", "cop"))]
    return next(
        (n for n in sorted(near) if words[n].pos in ("VERB", "AUX") and words[n].feature("VerbForm") == "Fin"), -1
    )


WAYS: Mapping[str, tuple[float, Way]] = MappingProxyType(
    {
        "fragment": (40, fragment),
        "misfit": (30, misfit),
        "subordinate": (9, subordinate),
        "broken off": (14, broken_off),
        "torn": (13, torn),
        "incomplete": (15, incomplete),
        "active": (12, active),
        "disagreeing": (35, disagreeing),
        "doubled": (9, doubled),
    }
)
"""By name, and how often each is tried."""
DOUBTFUL = frozenset({"fragment", "subordinate", "incomplete"})
"""Of these a part may be a sentence, where the parse of a long one is wrong: its own parse then says so."""
